//! Random programs: loops end, and ranges stop, where a batched number says.

use ag_ir::{Block, DType, Function, Op, Type, ValueId, interpret};
use proptest::prelude::*;

use crate::harness::{Case, Printed, Way, value};
use crate::random_function::random_function;

/// What a random program may be refused for, or fail with only when it is batched.
const REFUSALS: [&str; 4] = [
    "would have different sizes",
    "how many rows there are",
    "rows save tapes of different sizes",
    "a saved tape that differs between rows",
];

/// Lets a number decide how often loops go round.
fn loosen(block: &mut Block, number: ValueId) {
    for node in &mut block.nodes {
        match node.op {
            Op::For => node.operands[1] = number,
            Op::While => {
                if let Some(test) = node.regions[0].nodes.last_mut() {
                    test.operands[1] = number;
                }
            }
            _ => {}
        }
        node.regions.iter_mut().for_each(|region| loosen(region, number));
    }
}

fn loosened(numbers: Vec<u32>) -> Function {
    let (mut function, _) = random_function(numbers);
    let number = function.new_value(Type::scalar(DType::I64));
    function.body.params.push(number);
    loosen(&mut function.body, number);
    let function_is_bound_to_leave = |id: &ValueId| function.ty(*id).stacked(0).is_some();
    let results = function.body.results.iter().copied().filter(function_is_bound_to_leave).collect();
    function.body.results = results;
    function
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_give_what_they_give_row_by_row(
        numbers in prop::collection::vec(any::<u32>(), 0..400),
        choice in any::<u32>(),
        mut seed in any::<u64>(),
    ) {
        let function = loosened(numbers);
        let types: Vec<Type> = function.body.params.iter().map(|id| function.ty(*id).clone()).collect();
        let rows = types.iter().map(|ty| (0..3).map(|_| value(ty, &mut seed)).collect()).collect();
        let case = Case { function, rows };
        let mut flags: Vec<bool> = (0..types.len()).map(|number| choice >> number & 1 == 1).collect();
        *flags.last_mut().unwrap() = true;
        let way = Way { flags, is_known: choice >> 16 & 1 == 1, rows: 3 };
        let (function, inputs, flags) = match case.batched(&way) {
            Ok(batched) => batched,
            Err(error) => {
                prop_assert!(REFUSALS.iter().any(|text| error.message.contains(text)), "{}", error.message);
                return Ok(());
            }
        };
        let expected = case.row_by_row(&way);
        let got = interpret(&function, &inputs, &mut Printed::default());
        match (expected, got) {
            (Ok(expected), Ok(got)) => {
                case.compare(&way, &flags, &expected, &got);
                let optimized = ag_optimize::optimize(function);
                let got = interpret(&optimized, &inputs, &mut Printed::default()).unwrap();
                case.compare(&way, &flags, &expected, &got);
            }
            (Err(_), Err(_)) => {}
            (Ok(_), Err(error)) => {
                let text = format!("{error:?}");
                prop_assert!(text.contains("rows have"), "{way:?} {text}\n{}\n{function}", case.function);
            }
            (Err(error), Ok(_)) => {
                prop_assert!(false, "{way:?} {error:?}\n{}\n{function}", case.function);
            }
        }
    }
}

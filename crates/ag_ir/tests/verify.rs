//! Every rule of the verifier, broken once.

#![allow(clippy::unwrap_used)]

mod random_function;

use ag_ir::{
    Block, Builder, Constant, DType, Function, LocationId, Node, Op, Overflow, Type, UnaryOp, ValueId, read,
    verify,
};
use proptest::prelude::*;
use random_function::random_function;

fn faults(function: &Function) -> Vec<String> {
    verify(function).err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

#[test]
fn broken_texts() {
    let cases = [
        (
            "function f(%0: bool[]) { %1: bool[] = if %0 then { %2: bool[] = logical_not %0 yield %2 } \
             else { yield %0 } return %2 }",
            "%2 is used where it is not in scope",
        ),
        (
            "function f(%0: bool[]) { %1: bool[] = if %0 then { yield %1 } else { yield %0 } return %1 }",
            "%1 is used where it is not in scope",
        ),
        (
            "function f(%0: bool[]) { %1: bool[] = if %0 then { yield } else { yield } return }",
            "if gives 0 values, here are 1",
        ),
        ("function f(%0: f64[]) { %1: f64[3] = neg %0 return }", "neg gives f64[], but %1 is f64[3]"),
        ("function f(%0: f64[]) { %1: f64[] = add %0 return }", "add: needs 2 operands, got 1"),
        (
            "function f(%0: f64[]) { check %0 error=\"E\" message=\"\" return }",
            "check: the condition is bool[], not f64[]",
        ),
        (
            "function f(%0: f64[]) { %1: f64[] = while %0 test(%2: f64[]) { yield %2 } \
             body(%3: f64[]) { yield %3 } return }",
            "while: the test of a while gives one bool[]",
        ),
        (
            "function f(%0: i64[]) { %1: i64[] = for %0, %0, %0, %0 body(%2: i64[]) { yield %2 } return }",
            "for: entry of a for: 1 values against 2",
        ),
        (
            "function f(%0: f64[3], %1: i64[3]) { %2: f64[3] = gather %0, %1 axis=18446744073709551615 return }",
            "gather: too many indices: 1 for axes from 18446744073709551615 of f64[3]",
        ),
        (
            "function f(%0: f64[3]) { %1: f64[3] = gather %0, %0 axis=0 return }",
            "gather: gather takes no f64 as `indices`",
        ),
        (
            "function f(%0: f64[3]) { %1: i64[] = argsum %0 axis=0 return }",
            "argsum: argsum takes no f64 as `x`",
        ),
        ("function f(%0: f64[3], %1: i64[3]) { %2: f64[3] = add %0, %1 return }", "add: add of f64 and i64"),
        (
            "function f(%0: f64[3, 3]) { %1: f64[] = dot %0, %0 left_contract=[0, 0] right_contract=[0, 1] return }",
            "dot: matmul: an axis is named twice",
        ),
        (
            "function f(%0: list<f64[]>) { %1: f64[] = neg %0 return }",
            "neg: needs an array, got a list<f64[]>",
        ),
        (
            "function f(%0: list<i64[]>) { for %0, %0, %0 body(%2: i64[]) { yield } return }",
            "for: needs an array, got a list<i64[]>",
        ),
    ];
    let calls = [
        ("%1: f64[] = call %0 callee=1", "call: the graph has no function 1"),
        ("%1: f64[] = call %0, %0 callee=0", "call: g takes 1 values, here are 2"),
        (
            "%2: f64[3] = broadcast %0 %1: f64[] = call %2 callee=0",
            "call: %2 is f64[3], which g does not take",
        ),
        ("%1: f64[], %2: f64[] = call %0 callee=0", "call: g gives other values"),
        ("%1: bool[] = call %0 callee=0", "call: g gives other values"),
    ];
    for (call, expected) in calls {
        let text = format!("function f(%0: f64[]) {{ {call} return }} function g(%0: f64[]) {{ return %0 }}");
        assert_eq!(faults(&read(&text).unwrap()), [expected], "{text}");
    }
    for (text, expected) in cases {
        assert_eq!(faults(&read(text).unwrap()), [expected], "{text}");
    }
}

fn small() -> Function {
    read("function f(%0: bool[]) { %1: bool[] = logical_not %0 return %1 }").unwrap()
}

fn constant(sizes: &[usize], bytes: &[u8]) -> Node {
    Node {
        op: Op::Constant(Constant { dtype: DType::Bool, sizes: sizes.to_vec(), bytes: bytes.into() }),
        operands: vec![],
        results: vec![ValueId(1)],
        regions: vec![],
        location: None,
    }
}

/// A fault, and what brings it about.
type Broken = (&'static str, fn(&mut Function));

/// What the reader would not let through.
#[test]
fn broken_by_hand() {
    let broken: [Broken; 10] = [
        ("%1 is bound a second time", |f| f.body.params.push(ValueId(1))),
        ("%0 is bound a second time", |f| f.body.params.push(ValueId(0))),
        ("%7 is no value of the function", |f| f.body.results.push(ValueId(7))),
        ("%7 is no value of the function", |f| f.body.params.push(ValueId(7))),
        ("logical_not: there is no location 2", |f| f.body.nodes[0].location = Some(LocationId(2))),
        ("logical_not has no regions, here are 1", |f| f.body.nodes[0].regions.push(Block::default())),
        ("a constant bool[] of 2 bytes", |f| f.body.nodes[0] = constant(&[], &[0, 1])),
        ("a constant bool[3, 4] of 0 bytes", |f| {
            f.values[1].ty = ag_ir::Type::known(DType::Bool, &[3, 4]);
            f.body.nodes[0] = constant(&[3, 4], &[]);
        }),
        ("a bool constant with the byte 2", |f| f.body.nodes[0] = constant(&[], &[2])),
        ("constant: needs 0 operands, got 1", |f| {
            f.body.nodes[0] = constant(&[], &[1]);
            f.body.nodes[0].operands.push(ValueId(0));
        }),
    ];
    assert_eq!(faults(&small()), Vec::<String>::new());
    for (expected, breaks) in broken {
        let mut function = small();
        breaks(&mut function);
        assert_eq!(faults(&function), [expected]);
    }
}

/// Sizes whose product is more than there are numbers for.
#[test]
fn too_big_for_memory() {
    let mut function = small();
    function.values[1].ty = ag_ir::Type::known(DType::Bool, &[usize::MAX / 2, 4]);
    function.body.nodes[0] = constant(&[usize::MAX / 2, 4], &[]);
    let found = faults(&function);
    assert_eq!(found[0], "a constant bool[9223372036854775807, 4] of 0 bytes");
    assert!(found[1..].iter().all(|fault| fault.contains("array is too big")), "{found:?}");
}

#[test]
fn a_use_before_the_binding() {
    let mut function =
        read("function f(%0: bool[]) { %1: bool[] = logical_not %0 %2: bool[] = logical_not %1 return %2 }")
            .unwrap();
    function.body.nodes.swap(0, 1);
    assert_eq!(faults(&function), ["%1 is used where it is not in scope"]);
}

/// A recording that kept a value of what it rolled back is told so; it has no type.
#[test]
fn the_builder_takes_no_value_that_it_has_forgotten() {
    let mut builder = Builder::new("f");
    let before = builder.mark();
    builder.open();
    let forgotten = builder.param(Type::scalar(DType::F64));
    builder.roll_back(before);
    let error = builder.emit(Op::Unary(UnaryOp::Neg, Overflow::Wrap), &[forgotten], None).unwrap_err();
    assert_eq!(error.0, format!("%{} is no value of the graph", forgotten.0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_the_builder_makes_is_valid(numbers in prop::collection::vec(any::<u32>(), 0..400)) {
        let (function, _) = random_function(numbers);
        prop_assert_eq!(faults(&function), Vec::<String>::new());
    }

    /// Any text that reads can be verified without a panic.
    #[test]
    fn verifying_does_not_panic(
        numbers in prop::collection::vec(any::<u32>(), 0..200),
        digits in prop::collection::vec((any::<prop::sample::Index>(), "[0-9]|18446744073709551615"), 1..4),
    ) {
        let mut text = random_function(numbers).0.to_string();
        for (place, digit) in digits {
            let places: Vec<usize> = text.match_indices(|one: char| one.is_ascii_digit()).map(|(at, _)| at).collect();
            if !places.is_empty() {
                let at = places[place.index(places.len())];
                text.replace_range(at..=at, &digit);
            }
        }
        if let Ok(function) = read(&text) {
            let _ = verify(&function);
        }
    }
}

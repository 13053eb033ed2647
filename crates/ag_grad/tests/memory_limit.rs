//! How often a gradient with a memory limit computes an iteration again: as rarely as is possible.

#![allow(clippy::unwrap_used)]

use std::collections::HashMap;

use ag_grad::{Range, vjp};
use ag_ir::{Array, Builder, Constant, DType, Function, Host, HostError, Identity, Node, Op, Type};
use ag_ir::{ValueId, interpret, read, verify};

/// Counts prints.
#[derive(Default)]
struct Printed(u64);

impl Host for Printed {
    fn print(&mut self, _: u32, _: &[Array]) -> Result<(), HostError> {
        self.0 += 1;
        Ok(())
    }
}

/// `for _ in range(n): x = sin(x)`, of which each state and each saved value takes 8 bytes, and its gradient.
fn gradient(limit: u64) -> Function {
    let text = format!(
        "function f(%0: f64[], %1: i64[]) {{
           %5: i64[] = constant 0
           %6: i64[] = constant 1
           %2: f64[] = memory_limit %0 bytes={limit} primal(%3: f64[]) {{
             %7: f64[] = for %5, %1, %6, %3 body(%8: i64[], %9: f64[]) {{ %10: f64[] = sin %9 yield %10 }}
             yield %7
           }}
           return %2
         }}"
    );
    let program = read(&text).unwrap();
    let mut builder = Builder::new("gradient");
    let (x, n) = (builder.param(Type::scalar(DType::F64)), builder.param(Type::scalar(DType::I64)));
    let x = builder.emit(Op::Identity(Identity::Plain), &[x], None).unwrap()[0];
    let value = builder.inline(&program, &[x, n], 0, &[])[0];
    let range = Range { first: x, last: Some(value) };
    let seed = builder.scalar(DType::F64, &1.0_f64.to_ne_bytes()).unwrap();
    let found = vjp(&mut builder, range, &[x], &[(value, seed)]).unwrap();
    let gradient = builder.finish(vec![value, found[0].unwrap()]);
    verify(&gradient).unwrap();
    gradient
}

/// Makes the iterations that are computed again print.
fn print_what_is_computed_again(gradient: &mut Function) {
    let ahead = gradient.functions.iter_mut().find(|one| &*one.name == "forward iterations").unwrap();
    let printed = ahead.new_value(Type::scalar(DType::Bool));
    let body = ahead.body.nodes.iter_mut().find_map(|node| node.regions.first_mut()).unwrap();
    let constant = Constant { dtype: DType::Bool, sizes: vec![], bytes: vec![1].into() };
    let node =
        |op, operands: Vec<ValueId>, results| Node { op, operands, results, regions: vec![], location: None };
    body.nodes.push(node(Op::Constant(constant), vec![], vec![printed]));
    body.nodes.push(node(Op::Print { site: 0 }, vec![printed], vec![]));
}

/// The fewest units that are computed again, of all plans with so many waiting states.
fn fewest(units: u64, waiting: u64, known: &mut HashMap<(u64, u64), u64>) -> u64 {
    if units <= 1 {
        return 0;
    }
    if waiting == 1 {
        return units * (units - 1) / 2;
    }
    if let Some(found) = known.get(&(units, waiting)) {
        return *found;
    }
    let plan = |stop| stop + fewest(units - stop, waiting - 1, known) + fewest(stop, waiting, known);
    let found = (1..units).map(plan).min().unwrap();
    known.insert((units, waiting), found);
    found
}

fn scalar(dtype: DType, bytes: [u8; 8]) -> Array {
    Array { dtype, sizes: vec![], bytes: bytes.to_vec() }
}

fn float(array: &Array) -> f64 {
    f64::from_ne_bytes(array.bytes[..8].try_into().unwrap())
}

#[test]
fn no_plan_computes_fewer_iterations_again() {
    let mut known = HashMap::new();
    for half in [1, 2, 3, 5, 8] {
        let mut gradient = gradient(16 * half);
        let plain = gradient.clone();
        print_what_is_computed_again(&mut gradient);
        for count in [0, 1, 2, 3, 7, 30, 101, 160_u64] {
            let inputs =
                [scalar(DType::F64, 0.9_f64.to_ne_bytes()), scalar(DType::I64, (count as i64).to_ne_bytes())];
            let mut printed = Printed::default();
            let found = interpret(&gradient, &inputs, &mut printed).unwrap();
            let (mut x, mut slope) = (0.9_f64, 1.0);
            for _ in 0..count {
                slope *= x.cos();
                x = x.sin();
            }
            assert!((float(&found[0]) - x).abs() < 1e-12);
            assert!((float(&found[1]) - slope).abs() < 1e-12);
            let optimised = ag_optimize::optimize(plain.clone());
            let again = interpret(&optimised, &inputs, &mut Printed::default()).unwrap();
            assert_eq!(float(&again[1]), float(&found[1]));
            let fits = count < 2 * half;
            let wanted = if fits { 0 } else { half * fewest(count.div_ceil(half), half, &mut known) };
            assert_eq!(printed.0, wanted, "{count} iterations, {half} states");
        }
    }
}

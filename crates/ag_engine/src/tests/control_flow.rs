//! Branches and loops.

use ag_ir::{Array, BinaryOp, Builder, CompareOp, DType, Failure, Op, Overflow, Store, Type, ValueId};

use super::{Random, Recorder, check, int, one, run, scalar_i64};
use crate::Executable;

const ADD: Op = Op::Binary(BinaryOp::Add, Overflow::Wrap);
const MUL: Op = Op::Binary(BinaryOp::Mul, Overflow::Wrap);

/// `while n != 1: n = n // 2 if n % 2 == 0 else 3 * n + 1; steps += 1`
pub(crate) fn collatz(overflow: Overflow) -> ag_ir::Function {
    let mut builder = Builder::new("collatz");
    let start = builder.param(Type::scalar(DType::I64));
    let (zero, one_, two, three) =
        (int(&mut builder, 0), int(&mut builder, 1), int(&mut builder, 2), int(&mut builder, 3));
    builder.open();
    let (n, _) = (builder.param(Type::scalar(DType::I64)), builder.param(Type::scalar(DType::I64)));
    let goes_on = one(&mut builder, Op::Compare(CompareOp::Ne), &[n, one_]);
    let test = builder.close(vec![goes_on]);
    builder.open();
    let (n, steps) = (builder.param(Type::scalar(DType::I64)), builder.param(Type::scalar(DType::I64)));
    let binary = |op| Op::Binary(op, overflow);
    let rest = one(&mut builder, binary(BinaryOp::Mod), &[n, two]);
    let is_even = one(&mut builder, Op::Compare(CompareOp::Eq), &[rest, zero]);
    builder.open();
    let half = one(&mut builder, binary(BinaryOp::FloorDiv), &[n, two]);
    let then = builder.close(vec![half]);
    builder.open();
    let triple = one(&mut builder, binary(BinaryOp::Mul), &[three, n]);
    let more = one(&mut builder, binary(BinaryOp::Add), &[triple, one_]);
    let otherwise = builder.close(vec![more]);
    let next = builder.emit_with_regions(Op::If, &[is_even], vec![then, otherwise], None).unwrap()[0];
    let steps = one(&mut builder, binary(BinaryOp::Add), &[steps, one_]);
    let body = builder.close(vec![next, steps]);
    let results = builder.emit_with_regions(Op::While, &[start, zero], vec![test, body], None).unwrap();
    builder.finish(vec![results[1], results[0]])
}

#[test]
fn collatz_counts() {
    for overflow in [Overflow::Wrap, Overflow::Check] {
        let function = collatz(overflow);
        for start in [1, 6, 27, 97] {
            check(&function, &[scalar_i64(start)]);
        }
    }
    // Leaves 64 bits on the way.
    check(&collatz(Overflow::Check), &[scalar_i64(i64::MAX)]);
}

/// `for i in range(start, stop, step): total = total * 3 + i`
#[test]
fn ranges() {
    let mut builder = Builder::new("ranges");
    let bounds: Vec<ValueId> = (0..3).map(|_| builder.param(Type::scalar(DType::I64))).collect();
    let zero = int(&mut builder, 0);
    builder.open();
    let (i, total) = (builder.param(Type::scalar(DType::I64)), builder.param(Type::scalar(DType::I64)));
    let three = int(&mut builder, 3);
    let total = one(&mut builder, MUL, &[total, three]);
    let total = one(&mut builder, ADD, &[total, i]);
    let body = builder.close(vec![total]);
    let operands = [bounds[0], bounds[1], bounds[2], zero];
    let results = builder.emit_with_regions(Op::For, &operands, vec![body], None).unwrap();
    let function = builder.finish(results);
    let most = i64::MAX;
    for (start, stop, step) in [
        (0, 10, 1),
        (0, 10, 3),
        (10, 0, -1),
        (10, 0, -3),
        (0, 10, -1),
        (10, 0, 1),
        (5, 5, 1),
        (-7, 8, 2),
        (most - 5, most, 2),
        (i64::MIN + 5, i64::MIN, -2),
        (i64::MIN, most, most),
        (most, i64::MIN, i64::MIN),
    ] {
        check(&function, &[scalar_i64(start), scalar_i64(stop), scalar_i64(step)]);
    }
}

/// Loops over arrays whose body is given: `for _ in range(n): carries = body(carries)`.
fn array_loop(carries: usize, body: impl Fn(&mut Builder, ValueId, &[ValueId]) -> Vec<ValueId>) {
    let ty = Type::known(DType::F64, &[6]);
    let mut builder = Builder::new("array_loop");
    let count = builder.param(Type::scalar(DType::I64));
    let inits: Vec<ValueId> = (0..carries).map(|_| builder.param(ty.clone())).collect();
    let (zero, step) = (int(&mut builder, 0), int(&mut builder, 1));
    builder.open();
    let i = builder.param(Type::scalar(DType::I64));
    let params: Vec<ValueId> = (0..carries).map(|_| builder.param(ty.clone())).collect();
    let results = body(&mut builder, i, &params);
    let region = builder.close(results);
    let operands = [&[zero, count, step], &inits[..]].concat();
    let results = builder.emit_with_regions(Op::For, &operands, vec![region], None).unwrap();
    let function = builder.finish(results);
    let mut random = Random(11);
    for count in [0, 1, 2, 3, 8] {
        let mut inputs = vec![scalar_i64(count)];
        inputs.extend((0..carries).map(|_| random.tame(DType::F64, &[6])));
        check(&function, &inputs);
    }
}

#[test]
fn carries_are_swapped_rotated_and_doubled() {
    array_loop(2, |_, _, c| vec![c[1], c[0]]);
    array_loop(3, |_, _, c| vec![c[1], c[2], c[0]]);
    array_loop(3, |_, _, c| vec![c[1], c[1], c[0]]);
    array_loop(2, |b, _, c| vec![c[1], one(b, ADD, &[c[0], c[1]])]);
    array_loop(2, |b, _, c| vec![one(b, ADD, &[c[0], c[1]]), c[0]]);
    array_loop(3, |b, _, c| {
        let sum = one(b, ADD, &[c[0], c[1]]);
        vec![sum, sum, c[0]]
    });
    array_loop(2, |b, _, c| {
        let sum = one(b, ADD, &[c[0], c[1]]);
        let product = one(b, MUL, &[c[0], sum]);
        vec![product, sum]
    });
}

#[test]
fn updates_in_place_do_not_reach_others() {
    let scatter = Op::Scatter { axis: 0, count: 1, store: Store::Replace };
    // x[i % 6] = x[5] + 1, with the old x kept by another carry.
    array_loop(2, |b, i, c| {
        let six = int(b, 6);
        let place = one(b, Op::Binary(BinaryOp::Mod, Overflow::Wrap), &[i, six]);
        let last = int(b, -1);
        let value = one(b, Op::Gather { axis: 0, count: 1 }, &[c[0], last]);
        let sum = one(b, ADD, &[value, value]);
        let x = one(b, scatter.clone(), &[c[0], sum, place]);
        vec![x, c[0]]
    });
    // One value, updated twice in different ways.
    array_loop(2, |b, _, c| {
        let (zero, five) = (int(b, 0), int(b, 5));
        let value = one(b, Op::Gather { axis: 0, count: 1 }, &[c[1], five]);
        let x = one(b, scatter.clone(), &[c[0], value, zero]);
        let y = one(b, scatter.clone(), &[c[0], value, five]);
        vec![x, y]
    });
    // A view of what is then updated.
    array_loop(1, |b, _, c| {
        let slice = Op::Slice { start: vec![0], size: ag_ir::known_shape(&[3]), step: vec![1] };
        let view = one(b, slice, &[c[0]]);
        vec![one(b, Op::UpdateSlice { start: vec![2], step: vec![1] }, &[c[0], view])]
    });
}

#[test]
fn branches_merge_arrays() {
    for kind in 0..4 {
        array_loop(2, |b, i, c| {
            let three = int(b, 3);
            let early = one(b, Op::Compare(CompareOp::Lt), &[i, three]);
            b.open();
            let sum = one(b, ADD, &[c[0], c[1]]);
            let then = b.close(vec![sum, c[1]]);
            b.open();
            let other = if kind & 1 == 0 { c[0] } else { one(b, MUL, &[c[0], c[0]]) };
            let otherwise = b.close(vec![other, if kind & 2 == 0 { c[1] } else { c[0] }]);
            b.emit_with_regions(Op::If, &[early], vec![then, otherwise], None).unwrap()
        });
    }
}

/// The last element first: a result that cannot be made where its operand is.
fn turned(builder: &mut Builder, x: ValueId) -> ValueId {
    let slice =
        |start, size| Op::Slice { start: vec![start], size: ag_ir::known_shape(&[size]), step: vec![1] };
    let (last, others) = (one(builder, slice(5, 1), &[x]), one(builder, slice(0, 5), &[x]));
    one(builder, Op::Concatenate(0), &[last, others])
}

/// `x = turned(x) if i % 3 == 0 else x`, and its relatives: the result is in one slot of the carry or in the other.
#[test]
fn carries_stay_or_move_as_the_run_decides() {
    /// What the branches yield, of the carries.
    type Branch = fn(&mut Builder, &[ValueId]) -> Vec<ValueId>;
    let branches: [Branch; 8] = [
        |_, c| vec![c[0], c[1]],
        |b, c| vec![turned(b, c[0]), c[1]],
        |b, c| vec![turned(b, c[0]), turned(b, c[1])],
        |b, c| vec![turned(b, c[1]), c[1]],
        |_, c| vec![c[1], c[0]],
        |b, c| {
            let twice = turned(b, c[0]);
            vec![turned(b, twice), c[1]]
        },
        |b, c| {
            let turned = turned(b, c[0]);
            vec![turned, turned]
        },
        |b, c| vec![one(b, ADD, &[c[0], c[1]]), turned(b, c[0])],
    ];
    for then in branches {
        for otherwise in branches {
            for is_doubled in [false, true] {
                array_loop(2, |b, i, c| {
                    let (three, zero) = (int(b, 3), int(b, 0));
                    let rest = one(b, Op::Binary(BinaryOp::Mod, Overflow::Wrap), &[i, three]);
                    let is_third = one(b, Op::Compare(CompareOp::Eq), &[rest, zero]);
                    let mut branch = |branch: Branch| {
                        b.open();
                        let results = branch(b, c);
                        b.close(results)
                    };
                    let regions = vec![branch(then), branch(otherwise)];
                    let results = b.emit_with_regions(Op::If, &[is_third], regions, None).unwrap();
                    if is_doubled {
                        vec![one(b, ADD, &[results[0], results[0]]), results[1]]
                    } else {
                        results
                    }
                });
            }
        }
    }
}

#[test]
fn loops_nest() {
    array_loop(2, |b, _, c| {
        let (zero, three, step) = (int(b, 0), int(b, 3), int(b, 1));
        b.open();
        b.param(Type::scalar(DType::I64));
        let inner: Vec<ValueId> = (0..2).map(|_| b.param(Type::known(DType::F64, &[6]))).collect();
        let sum = one(b, ADD, &[inner[0], inner[1]]);
        let half = b.scalar(DType::F64, &0.25_f64.to_ne_bytes()).unwrap();
        let scaled = one(b, MUL, &[sum, half]);
        let region = b.close(vec![scaled, inner[0]]);
        b.emit_with_regions(Op::For, &[zero, three, step, c[0], c[1]], vec![region], None).unwrap()
    });
}

#[test]
fn many_unknown_dimensions_are_refused() {
    let mut builder = Builder::new("sized");
    let x = builder.param(Type::new(DType::F32, vec![ag_ir::Dim::Unknown; 9]));
    let function = builder.finish(vec![x]);
    let error = Executable::compile(&function).err().unwrap();
    assert!(error.message.contains("too many dimensions"), "{}", error.message);
}

#[test]
fn wrong_operands_are_refused() {
    let function = collatz(Overflow::Wrap);
    let executable = Executable::compile(&function).unwrap();
    let wrong = Array { dtype: DType::F64, sizes: vec![], bytes: vec![0; 8] };
    for inputs in [vec![], vec![wrong]] {
        let error = run(&executable, &function, &inputs, &mut Recorder::default()).err().unwrap();
        assert!(matches!(error.failure, Failure::Host(_)));
    }
}

/// A host that stops the run the second time that it is asked.
struct Impatient(usize);
impl ag_ir::Host for Impatient {
    fn print(&mut self, _: u32, _: &[Array]) -> Result<(), ag_ir::HostError> {
        Ok(())
    }
    fn poll(&mut self) -> Result<(), ag_ir::HostError> {
        self.0 += 1;
        if self.0 == 2 { Err(Box::new("stop")) } else { Ok(()) }
    }
}

/// A host that answers with twice the first value and the sum of the others, or with too little.
struct Doubling(Vec<usize>);
impl ag_ir::Host for Doubling {
    fn print(&mut self, _: u32, _: &[Array]) -> Result<(), ag_ir::HostError> {
        Ok(())
    }
    fn call(&mut self, site: u32, values: &[Array]) -> Result<Vec<Array>, ag_ir::HostError> {
        self.0.push(values.len());
        let numbers = |array: &Array| -> Vec<f64> {
            array.bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_ne_bytes(*bytes)).collect()
        };
        let doubled: Vec<u8> = numbers(&values[0]).iter().flat_map(|x| (x * 2.0).to_ne_bytes()).collect();
        let sum: f64 = values[1..].iter().flat_map(numbers).sum();
        let first = Array { dtype: DType::F64, sizes: values[0].sizes.clone(), bytes: doubled };
        let second = Array { dtype: DType::F64, sizes: vec![], bytes: sum.to_ne_bytes().to_vec() };
        Ok(if site == 7 { vec![first, second] } else { vec![first] })
    }
}

#[test]
fn the_host_gives_what_callbacks_ask_for() {
    let text = |site: u32| {
        format!(
            "function f(%0: f64[2], %1: i64[]) {{
  %2: i64[] = constant 0
  %3: i64[] = constant 1
  %4: f64[] = constant 0
  %5: f64[2], %6: f64[] = for %2, %1, %3, %0, %4 body(%7: i64[], %8: f64[2], %9: f64[]) {{
    %10: f64[2], %11: f64[] = callback %8, %9, %8 site={site}
    yield %10, %11
  }}
  return %5, %6
}}"
        )
    };
    let function = ag_ir::read(&text(7)).unwrap();
    assert_eq!(ag_ir::read(&function.to_string()).unwrap(), function);
    let bytes = |numbers: &[f64]| numbers.iter().flat_map(|x| x.to_ne_bytes()).collect::<Vec<u8>>();
    let input = Array { dtype: DType::F64, sizes: vec![2], bytes: bytes(&[1.0, 0.5]) };
    let inputs = [input, scalar_i64(3)];
    let mut host = Doubling(Vec::new());
    let compiled = run(&Executable::compile(&function).unwrap(), &function, &inputs, &mut host).unwrap();
    assert_eq!(host.0, [3, 3, 3]);
    assert_eq!(compiled[0].bytes, bytes(&[8.0, 4.0]));
    assert_eq!(compiled[1].bytes, bytes(&[1.5 + 3.0 + 6.0]));
    assert_eq!(ag_ir::interpret(&function, &inputs, &mut host).unwrap(), compiled);
    let wrong = ag_ir::read(&text(8)).unwrap();
    let error = run(&Executable::compile(&wrong).unwrap(), &wrong, &inputs, &mut host).unwrap_err();
    let Failure::Host(reason) = error.failure else { panic!("not the host's") };
    assert!(reason.is::<ag_ir::WrongResults>());
}

#[test]
fn endless_loops_can_be_stopped() {
    let mut builder = Builder::new("endless");
    let start = builder.param(Type::scalar(DType::I64));
    builder.open();
    builder.param(Type::scalar(DType::I64));
    let always = builder.scalar(DType::Bool, &[1]).unwrap();
    let test = builder.close(vec![always]);
    builder.open();
    let n = builder.param(Type::scalar(DType::I64));
    let more = one(&mut builder, ADD, &[n, n]);
    let body = builder.close(vec![more]);
    let results = builder.emit_with_regions(Op::While, &[start], vec![test, body], None).unwrap();
    let function = builder.finish(results);
    let executable = Executable::compile(&function).unwrap();
    let mut host = Impatient(0);
    let error = run(&executable, &function, &[scalar_i64(1)], &mut host).err().unwrap();
    assert!(matches!(error.failure, Failure::Host(_)));
    assert_eq!(host.0, 2);
}

/// `x op c`, `c op x`, and the same as branches, of which only one is chosen.
#[test]
fn known_operands_are_checked_at_the_same_limits() {
    let most = i64::MAX;
    let numbers =
        [i64::MIN, i64::MIN + 1, i64::MIN / 3, -4, -2, -1, 0, 1, 2, 3, 5, 7, 9, most / 3, most - 1, most];
    for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::FloorDiv, BinaryOp::Mod] {
        for overflow in [Overflow::Wrap, Overflow::Check] {
            for known in numbers {
                let mut builder = Builder::new("known");
                let x = builder.param(Type::scalar(DType::I64));
                let choice = builder.param(Type::scalar(DType::Bool));
                let known = int(&mut builder, known);
                let mut regions = Vec::new();
                for operands in [[x, known], [known, x]] {
                    builder.open();
                    let result = one(&mut builder, Op::Binary(op, overflow), &operands);
                    regions.push(builder.close(vec![result]));
                }
                let results = builder.emit_with_regions(Op::If, &[choice], regions, None).unwrap();
                let function = builder.finish(results);
                let executable = Executable::compile(&function).unwrap();
                for x in numbers.into_iter().chain([most / 3 + 1, most / 2, i64::MIN / 2, i64::MIN / 3 - 1]) {
                    for choice in [0, 1] {
                        let choice = Array { dtype: DType::Bool, sizes: vec![], bytes: vec![choice] };
                        let inputs = [scalar_i64(x), choice];
                        let want = ag_ir::interpret(&function, &inputs, &mut Recorder::default()).ok();
                        let got = run(&executable, &function, &inputs, &mut Recorder::default()).ok();
                        assert_eq!(got, want, "{op:?} {overflow:?} of {x} and {known:?}");
                    }
                }
            }
        }
    }
}

/// `(x op c) op d`: what the first check has shown, the second need not ask.
#[test]
fn ranges_are_carried_on() {
    let most = i64::MAX;
    let ops = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Mod];
    for first in ops {
        for second in ops {
            for (c, d) in
                [(3, 1), (3, 2), (2, 1), (4, 3), (4, 4), (10, most), (10, most - 9), (10, most - 8), (5, -4)]
            {
                let mut builder = Builder::new("ranges");
                let x = builder.param(Type::scalar(DType::I64));
                let (c, d) = (int(&mut builder, c), int(&mut builder, d));
                let y = one(&mut builder, Op::Binary(first, Overflow::Check), &[x, c]);
                let z = one(&mut builder, Op::Binary(second, Overflow::Check), &[y, d]);
                let function = builder.finish(vec![y, z]);
                let executable = Executable::compile(&function).unwrap();
                for x in [most, most / 3, most / 3 + 1, most / 2, most / 4, 9, 0, -1, -9] {
                    for inputs in [[scalar_i64(x)], [scalar_i64(-x)], [scalar_i64(-x - 1)]] {
                        let want = ag_ir::interpret(&function, &inputs, &mut Recorder::default()).ok();
                        let got = run(&executable, &function, &inputs, &mut Recorder::default()).ok();
                        assert_eq!(got, want, "{first:?} {c:?} {second:?} {d:?} of {x}");
                    }
                }
            }
        }
    }
}

/// One value becomes two results, one of which is changed on the way and is made in the memory of that
/// result.
#[test]
fn two_results_that_may_be_one() {
    for ty in ["f64[4]", "f64[?]"] {
        let text = format!(
            "function f(%0: {ty}, %1: bool[]) {{
               %2: f64[] = constant 2.0
               %3: i64[] = constant 1
               %4: {ty}, %5: {ty} = if %1 then {{
                 %6: {ty} = mul %0, %2
                 yield %6, %6
               }} else {{
                 %7: {ty} = neg %0
                 yield %7, %0
               }}
               %8: {ty} = scatter %4, %2, %3 axis=0
               return %8, %5, %5
             }}"
        );
        let function = ag_ir::read(&text).unwrap();
        for flag in [0, 1] {
            let test = Array { dtype: DType::Bool, sizes: vec![], bytes: vec![flag] };
            check(&function, &[Random(1).tame(DType::F64, &[4]), test]).unwrap();
        }
    }
}

//! Searches, sums of shifted products and gathers, of sizes around the blocks of their kernels.

use ag_ir::{Array, Builder, DType, Function, Op, Type};

use super::{Random, Recorder, check, numbers, one, run_for};
use crate::isa::Isa;

/// A function of one op.
fn of_two(op: Op, dtype: DType, x: &[usize], y: &[usize]) -> Function {
    let mut builder = Builder::new("of_two");
    let operands = [x, y].map(|sizes| builder.param(Type::known(dtype, sizes)));
    let result = one(&mut builder, op, &operands);
    builder.finish(vec![result])
}

/// The same bits on all sets of instructions, near what the interpreter gives.
fn check_on_all(function: &Function, inputs: &[Array]) {
    check(function, inputs).unwrap();
    let run = |isa| run_for(function, inputs, &mut Recorder::default(), isa).unwrap();
    let want = run(Isa::Base);
    for isa in Isa::available() {
        let got = run(isa);
        // All NaN are one.
        let same =
            |(one, other): (f64, f64)| one.to_bits() == other.to_bits() || (one.is_nan() && other.is_nan());
        let are_same = numbers(&got[0]).into_iter().zip(numbers(&want[0])).all(same);
        assert!(are_same, "{} {:?} {:?}", isa.name(), got[0].dtype, inputs[0].sizes);
    }
}

#[test]
fn places_are_found() {
    let mut random = Random(21);
    for dtype in DType::ALL {
        // Many integers of a small range are looked up in a table.
        let of_table = [(9, 256), (8, 300), (300, 257), (40, 2000)];
        for (size, wanted) in [(0, 5), (1, 3), (2, 63), (3, 64), (17, 65), (64, 130), (100, 0), (101, 7)]
            .into_iter()
            .chain(of_table)
        {
            for stack in [&[][..], &[2], &[0, 3]] {
                let (ordered, x) = ([stack, &[size]].concat(), [stack, &[wanted]].concat());
                for counts_equal in [false, true] {
                    let search = of_two(Op::Search { counts_equal }, dtype, &ordered, &x);
                    // Without an order too: then any place is right, but it is the same one.
                    let mut builder = Builder::new("ordered");
                    let operands = [&ordered, &x].map(|sizes| builder.param(Type::known(dtype, sizes)));
                    let sorted = one(&mut builder, Op::Sort(stack.len()), &operands[..1]);
                    let places = one(&mut builder, Op::Search { counts_equal }, &[sorted, operands[1]]);
                    let in_order = builder.finish(vec![places]);
                    for inputs in [
                        [random.array(dtype, &ordered), random.array(dtype, &x)],
                        [random.tame(dtype, &ordered), random.tame(dtype, &x)],
                        [random.tame(dtype, &ordered), random.array(dtype, &x)],
                    ] {
                        check_on_all(&search, &inputs);
                        check_on_all(&in_order, &inputs);
                    }
                }
            }
        }
    }
}

#[test]
fn shifted_products_are_summed() {
    let mut random = Random(22);
    for dtype in DType::ALL {
        for (n, m) in
            [(1, 1), (5, 3), (3, 5), (31, 1), (32, 33), (64, 40), (65, 64), (130, 65), (70, 300), (600, 520)]
        {
            let full = n + m - 1;
            for (before, size) in [(m - 1, full), (m / 2, n), (0, n), (0, full + 40), (m - 1, 1), (m - 1, 0)]
            {
                let correlate = of_two(Op::Correlate { before, size }, dtype, &[n], &[m]);
                check_on_all(&correlate, &[random.tame(dtype, &[n]), random.tame(dtype, &[m])]);
            }
        }
        for stack in [&[0][..], &[3], &[2, 2]] {
            let (x, y) = ([stack, &[40]].concat(), [stack, &[9]].concat());
            let correlate = of_two(Op::Correlate { before: 8, size: 48 }, dtype, &x, &y);
            check_on_all(&correlate, &[random.tame(dtype, &x), random.tame(dtype, &y)]);
        }
    }
}

/// What is beyond the ends is no zero, by which an infinity would be NaN.
#[test]
fn what_is_not_there_is_not_multiplied() {
    let mut random = Random(23);
    for dtype in [DType::F32, DType::F64] {
        for m in [1, 3, 64, 100] {
            let correlate = of_two(Op::Correlate { before: m - 1, size: 70 + m - 1 }, dtype, &[70], &[m]);
            check_on_all(&correlate, &[random.tame(dtype, &[70]), random.array(dtype, &[m])]);
            check_on_all(&correlate, &[random.array(dtype, &[70]), random.tame(dtype, &[m])]);
        }
    }
}

/// Lines of few true elements, whose products are seldom true.
#[test]
fn rare_booleans_meet() {
    let mut random = Random(24);
    for (n, m) in [(1, 1), (63, 64), (64, 64), (65, 64), (300, 129), (129, 300)] {
        for share in [1, 30, 99] {
            let mut line = |count: usize| {
                let bytes = (0..count).map(|_| u8::from(random.below(100) < share)).collect();
                Array { dtype: DType::Bool, sizes: vec![count], bytes }
            };
            let inputs = [line(n), line(m)];
            let correlate = Op::Correlate { before: m - 1, size: n + m - 1 };
            check_on_all(&of_two(correlate, DType::Bool, &[n], &[m]), &inputs);
        }
    }
}

/// An array of integers below a bound, some counted from the end.
fn indices(random: &mut Random, dtype: DType, sizes: &[usize], bound: usize) -> Array {
    let count = sizes.iter().product();
    let bytes = (0..count).flat_map(|_| {
        let place = random.below(bound) as i64;
        let place = if dtype != DType::U8 && random.below(3) == 0 { place - bound as i64 } else { place };
        match dtype {
            DType::I64 => place.to_ne_bytes().to_vec(),
            DType::I32 => (place as i32).to_ne_bytes().to_vec(),
            _ => vec![place as u8],
        }
    });
    Array { dtype, sizes: sizes.to_vec(), bytes: bytes.collect() }
}

#[test]
fn index_arrays_of_all_shapes_choose() {
    let mut random = Random(25);
    let shapes: [(&[usize], &[usize]); 9] = [
        (&[600], &[600]),
        (&[], &[600]),
        (&[600], &[]),
        (&[3, 1], &[1, 9]),
        (&[3, 1], &[3, 9]),
        (&[1, 520], &[2, 520]),
        (&[2, 3, 1], &[3, 4]),
        (&[0, 3], &[3]),
        (&[], &[]),
    ];
    for dtype in [DType::F64, DType::F32, DType::U8] {
        for (first, second) in shapes {
            for (axis, sizes) in [(0, &[7, 5][..]), (1, &[2, 7, 5]), (1, &[2, 7, 5, 3]), (0, &[7, 5, 2])] {
                for kinds in [[DType::I64, DType::I64], [DType::I32, DType::U8]] {
                    let mut builder = Builder::new("chosen");
                    let x = builder.param(Type::known(dtype, sizes));
                    let i = builder.param(Type::known(kinds[0], first));
                    let j = builder.param(Type::known(kinds[1], second));
                    let chosen = one(&mut builder, Op::Gather { axis, count: 2 }, &[x, i, j]);
                    let function = builder.finish(vec![chosen]);
                    let inputs = [
                        random.array(dtype, sizes),
                        indices(&mut random, kinds[0], first, 7),
                        indices(&mut random, kinds[1], second, 5),
                    ];
                    check_on_all(&function, &inputs);
                }
            }
        }
    }
}

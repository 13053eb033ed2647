//! Long lines: sorted, parted, chosen by masks, and functions of far arguments.

use ag_ir::{Array, Builder, DType, Function, Op, Overflow, Type, UnaryOp};

use super::{Random, Recorder, check, one, run_for};
use crate::isa::Isa;

const DTYPES: [DType; 6] = [DType::F64, DType::F32, DType::I64, DType::I32, DType::U8, DType::Bool];
/// Both ways of sorting, and the ends.
const SIZES: [usize; 6] = [0, 1, 2, 40, 1499, 4000];

/// The interpreter's result, to the last bit on all sets of instructions.
fn check_bits(function: &Function, inputs: &[Array]) {
    let want = check(function, inputs).unwrap();
    for isa in Isa::available() {
        let got = run_for(function, inputs, &mut Recorder::default(), isa).unwrap();
        for (got, want) in got.iter().zip(&want) {
            assert!(got.bytes == want.bytes, "{} {:?} {:?}", isa.name(), got.dtype, got.sizes);
        }
    }
}

#[test]
fn lines_are_sorted() {
    let mut random = Random(7);
    for (dtype, size) in DTYPES.into_iter().flat_map(|dtype| SIZES.map(|size| (dtype, size))) {
        let mut builder = Builder::new("sorted");
        let line = builder.param(Type::known(dtype, &[size]));
        let order = one(&mut builder, Op::ArgSort(0), &[line]);
        let sorted = one(&mut builder, Op::Gather { axis: 0, count: 1 }, &[line, order]);
        let function = builder.finish(vec![sorted]);
        check_bits(&function, &[random.array(dtype, &[size])]);
        check_bits(&function, &[random.tame(dtype, &[size])]);
    }
}

#[test]
fn long_lines_have_an_order() {
    let mut random = Random(8);
    for (dtype, size) in DTYPES.into_iter().flat_map(|dtype| SIZES.map(|size| (dtype, size))) {
        let mut builder = Builder::new("order");
        let line = builder.param(Type::known(dtype, &[size]));
        let order = one(&mut builder, Op::ArgSort(0), &[line]);
        let sorted = one(&mut builder, Op::Gather { axis: 0, count: 1 }, &[line, order]);
        // The order is a result too: it is made.
        let function = builder.finish(vec![order, sorted]);
        check_bits(&function, &[random.array(dtype, &[size])]);
    }
}

/// How a line is filled, besides by chance.
const PATTERNS: usize = 7;

/// A line of a pattern: rising, falling, all equal, of few values, up and down, of zeros and NaN, of
/// infinities.
fn patterned(random: &mut Random, dtype: DType, size: usize, pattern: usize) -> Array {
    let floats = matches!(dtype, DType::F32 | DType::F64);
    let special = [0.0, -0.0, f64::NAN, -f64::NAN, 5e-324, -1e-40, 1.0];
    let numbers = (0..size).map(|place| match pattern {
        0 => place as f64,
        1 => (size - place) as f64,
        2 => 7.0,
        3 => (random.below(4)) as f64,
        4 => place.min(size - place) as f64,
        5 if floats => special[random.below(special.len())],
        6 if floats => [f64::INFINITY, f64::NEG_INFINITY, 2.0][random.below(3)],
        _ => random.below(200) as f64,
    });
    let bytes = numbers.flat_map(|number| match dtype {
        DType::F64 => number.to_ne_bytes().to_vec(),
        DType::F32 => (number as f32).to_ne_bytes().to_vec(),
        DType::I64 => (number as i64).to_ne_bytes().to_vec(),
        DType::I32 => (number as i32).to_ne_bytes().to_vec(),
        DType::U8 => vec![(number as i64 % 256) as u8],
        DType::Bool => vec![u8::from(number as i64 % 2 == 1)],
    });
    Array { dtype, sizes: vec![size], bytes: bytes.collect() }
}

/// The result of one op.
fn single(op: Op, dtype: DType, sizes: &[usize]) -> Function {
    let mut builder = Builder::new("single");
    let x = builder.param(Type::known(dtype, sizes));
    let result = one(&mut builder, op, &[x]);
    builder.finish(vec![result])
}

/// The ops of ordering along an axis, with ranks of an axis of this size and one beyond it.
fn orderings(axis: usize, size: usize) -> Vec<Op> {
    let several = [0, size / 2, size / 3, size.saturating_sub(1), size + 3, size / 2];
    let mut ops = vec![Op::Sort(axis)];
    for ranks in [&several[1..2], &several[..], &[]] {
        ops.push(Op::Partition { axis, ranks: ranks.to_vec() });
        ops.push(Op::ArgPartition { axis, ranks: ranks.to_vec() });
    }
    ops
}

#[test]
fn lines_of_all_patterns_are_ordered() {
    let mut random = Random(10);
    for (dtype, size) in
        DTYPES.into_iter().flat_map(|dtype| [2, 7, 63, 65, 137, 190, 300, 600].map(|size| (dtype, size)))
    {
        let ops: Vec<Function> =
            orderings(0, size).into_iter().map(|op| single(op, dtype, &[size])).collect();
        for pattern in 0..PATTERNS {
            let line = patterned(&mut random, dtype, size, pattern);
            ops.iter().for_each(|op| check_bits(op, std::slice::from_ref(&line)));
        }
        ops.iter().for_each(|op| check_bits(op, &[random.array(dtype, &[size])]));
    }
}

/// `partition(x, ranks)[:count]` makes no more than is read.
#[test]
fn the_head_of_a_partition_is_that_of_the_whole() {
    let mut random = Random(13);
    for dtype in DTYPES {
        for (size, count, ranks) in [
            (300, 5, vec![5]),
            (1300, 5, vec![5]),
            (1300, 6, vec![5]),
            (1300, 9, vec![5]),
            (1300, 40, vec![2, 39, 1200]),
        ] {
            for pattern in [0, 1, PATTERNS] {
                let line = match pattern {
                    PATTERNS => random.array(dtype, &[size]),
                    _ => patterned(&mut random, dtype, size, pattern),
                };
                for gives_places in [true, false] {
                    let mut builder = Builder::new("head");
                    let x = builder.param(Type::known(dtype, &[size]));
                    let op = match gives_places {
                        true => Op::ArgPartition { axis: 0, ranks: ranks.clone() },
                        false => Op::Partition { axis: 0, ranks: ranks.clone() },
                    };
                    let whole = one(&mut builder, op, &[x]);
                    let slice = |count: usize| Op::Slice {
                        start: vec![0],
                        size: ag_ir::known_shape(&[count]),
                        step: vec![1],
                    };
                    let heads = [count, 2].map(|count| one(&mut builder, slice(count), &[whole]));
                    check_bits(&builder.finish(heads.to_vec()), std::slice::from_ref(&line));
                }
            }
        }
    }
}

#[test]
fn every_axis_is_ordered() {
    let mut random = Random(11);
    for dtype in DTYPES {
        for sizes in [&[3, 70, 18][..], &[1, 1, 1], &[0, 4, 2], &[2, 0, 3], &[5, 3, 33]] {
            for axis in 0..3 {
                for op in orderings(axis, sizes[axis]) {
                    check_bits(&single(op, dtype, sizes), &[random.array(dtype, sizes)]);
                }
            }
        }
    }
}

/// Too long for the interpreter: compared with the library.
#[test]
fn long_lines_are_sorted_on_every_set_of_instructions() {
    let mut random = Random(12);
    for isa in Isa::available() {
        for pattern in 0..=PATTERNS {
            let line = patterned(&mut random, DType::I64, 100_000, pattern);
            let function = single(Op::Sort(0), DType::I64, &[100_000]);
            let got = run_for(&function, std::slice::from_ref(&line), &mut Recorder::default(), isa).unwrap();
            let numbers = |array: &Array| -> Vec<i64> {
                let words = array.bytes.chunks_exact(8);
                words.map(|word| i64::from_ne_bytes(word.try_into().unwrap())).collect()
            };
            let mut want = numbers(&line);
            want.sort_unstable();
            assert!(numbers(&got[0]) == want, "{} {pattern}", isa.name());
        }
    }
}

#[test]
fn masks_choose_of_long_lines() {
    let mut random = Random(9);
    for (dtype, size) in DTYPES.into_iter().flat_map(|dtype| [0, 63, 64, 65, 1000].map(|size| (dtype, size)))
    {
        let mut builder = Builder::new("chosen");
        let line = builder.param(Type::known(dtype, &[size]));
        let mask = builder.param(Type::known(DType::Bool, &[size]));
        let places = one(&mut builder, Op::Nonzero, &[mask]);
        let chosen = one(&mut builder, Op::Gather { axis: 0, count: 1 }, &[line, places]);
        let function = builder.finish(vec![chosen]);
        let mut builder = Builder::new("places");
        let mask = builder.param(Type::known(DType::Bool, &[size]));
        let places = one(&mut builder, Op::Nonzero, &[mask]);
        let numbers = builder.finish(vec![places]);
        for share in [0, 1, 12, 24] {
            let flags: Vec<u8> = (0..size).map(|_| u8::from(random.below(24) < share)).collect();
            let mask = Array { dtype: DType::Bool, sizes: vec![size], bytes: flags };
            check_bits(&numbers, std::slice::from_ref(&mask));
            check_bits(&function, &[random.array(dtype, &[size]), mask]);
        }
    }
}

#[test]
fn far_arguments_are_left_to_the_library() {
    let numbers: Vec<f64> = (0..500).map(|i| f64::from(i) * 1e4 * 1.5_f64.powi(i % 40)).collect();
    let bytes = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
    let array = Array { dtype: DType::F64, sizes: vec![500], bytes };
    for op in [UnaryOp::Sin, UnaryOp::Cos] {
        let mut builder = Builder::new("far");
        let x = builder.param(Type::known(DType::F64, &[500]));
        let result = one(&mut builder, Op::Unary(op, Overflow::Wrap), &[x]);
        assert!(check(&builder.finish(vec![result]), std::slice::from_ref(&array)).is_some());
    }
}

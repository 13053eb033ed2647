//! Long lines: sorted by radix and by comparing, chosen by masks, and functions of far arguments.

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

//! Every op, one node at a time.

use ag_ir::{
    Array, BinaryOp, Check, CompareOp, Constant, DType, DotAxes, Op, Overflow, ReduceOp, Store, UnaryOp,
    known_shape,
};

use super::{Random, check, i64_array, run_for, scalar_i64, single};
use crate::isa::Isa;

/// Checks one node, if the graph's types allow it.
fn try_single(op: Op, inputs: &[Array]) {
    if let Some(function) = single(op, inputs) {
        check(&function, inputs);
    }
}

fn overflows(dtype: DType) -> &'static [Overflow] {
    if dtype == DType::I64 { &[Overflow::Wrap, Overflow::Check] } else { &[Overflow::Wrap] }
}

#[test]
fn unary_ops() {
    let mut random = Random(1);
    for op in UnaryOp::ALL.iter().copied() {
        for dtype in DType::ALL.into_iter().filter(|dtype| op.takes().holds(*dtype)) {
            for overflow in overflows(dtype) {
                for sizes in [&[][..], &[], &[], &[67], &[3, 5], &[0]] {
                    try_single(Op::Unary(op, *overflow), &[random.array(dtype, sizes)]);
                }
                try_single(Op::Unary(op, *overflow), &[random.tame(dtype, &[70])]);
            }
        }
    }
}

/// An element has the same bits whatever others are beside it: all numbers of the usual size, or one that is not.
#[test]
fn elements_do_not_depend_on_those_beside_them() {
    let mut random = Random(12);
    for op in [UnaryOp::Log, UnaryOp::Log2, UnaryOp::Log10, UnaryOp::Cbrt] {
        for dtype in [DType::F32, DType::F64] {
            let function = single(Op::Unary(op, Overflow::Wrap), &[random.tame(dtype, &[100])]).unwrap();
            let mut usual = random.tame(dtype, &[100]);
            // Without signs.
            usual.bytes.chunks_exact_mut(dtype.size()).for_each(|bytes| bytes[dtype.size() - 1] &= 0x7f);
            let mut with_zero = usual.clone();
            with_zero.bytes[..dtype.size()].fill(0);
            for isa in Isa::available() {
                let run = |input: &Array| {
                    let host = &mut super::Recorder::default();
                    run_for(&function, std::slice::from_ref(input), host, isa).unwrap().remove(0)
                };
                let (alone, beside) = (run(&usual), run(&with_zero));
                let rest = dtype.size()..;
                assert_eq!(
                    alone.bytes[rest.clone()],
                    beside.bytes[rest],
                    "{op:?} of {dtype} on {}",
                    isa.name()
                );
            }
        }
    }
}

#[test]
fn binary_ops() {
    let mut random = Random(2);
    for op in BinaryOp::ALL.iter().copied() {
        for dtype in DType::ALL.into_iter().filter(|dtype| op.takes().holds(*dtype)) {
            for overflow in overflows(dtype) {
                let op = Op::Binary(op, *overflow);
                let shapes: [(&[usize], &[usize]); 9] = [
                    (&[], &[]),
                    (&[], &[]),
                    (&[], &[]),
                    (&[67], &[67]),
                    (&[4, 1, 3], &[5, 1]),
                    (&[1100], &[]),
                    (&[30, 40], &[40]),
                    (&[30, 40], &[30, 1]),
                    (&[0, 3], &[3]),
                ];
                for (a, b) in shapes {
                    try_single(op.clone(), &[random.array(dtype, a), random.array(dtype, b)]);
                    try_single(op.clone(), &[random.tame(dtype, a), random.tame(dtype, b)]);
                }
            }
        }
    }
}

#[test]
fn checked_shifts_fail_when_bits_are_lost() {
    let op = Op::Binary(BinaryOp::ShiftLeft, Overflow::Check);
    for (a, b, fails) in [(1, 62, false), (1, 63, true), (-1, 63, false), (3, 62, true), (0, 200, false)] {
        for shape in [&[][..], &[1]] {
            let input = |number: i64| Array {
                dtype: DType::I64,
                sizes: shape.to_vec(),
                bytes: number.to_ne_bytes().to_vec(),
            };
            let inputs = [input(a), input(b)];
            let function = single(op.clone(), &inputs).unwrap();
            let got =
                super::run_for(&function, &inputs, &mut super::Recorder::default(), crate::isa::Isa::best());
            assert_eq!(got.is_err(), fails, "{a} << {b}");
        }
    }
}

#[test]
fn comparisons_selections_and_casts() {
    let mut random = Random(3);
    for dtype in DType::ALL {
        for op in CompareOp::ALL.iter().copied() {
            for sizes in [&[][..], &[], &[], &[69]] {
                let (a, b) = (random.array(dtype, sizes), random.array(dtype, sizes));
                try_single(Op::Compare(op), &[a.clone(), b]);
                try_single(Op::Compare(op), &[a.clone(), a]);
            }
        }
        for (c, a, b) in
            [(&[][..], &[][..], &[][..]), (&[37], &[37], &[37]), (&[5, 1], &[6], &[]), (&[], &[7], &[7])]
        {
            let condition = random.array(DType::Bool, c);
            try_single(Op::Select, &[condition, random.array(dtype, a), random.array(dtype, b)]);
        }
        for to in DType::ALL {
            for _ in 0..6 {
                try_single(Op::Cast(to), &[random.array(dtype, &[])]);
            }
            try_single(Op::Cast(to), &[random.array(dtype, &[133])]);
        }
    }
}

#[test]
fn casts_out_of_range_are_those_of_the_processor() {
    for number in [1e10, -1e10, 300.0, -1.0, 1e30, f64::NAN, 2_147_483_647.5, -2_147_483_648.5, 9.3e18] {
        for to in DType::ALL {
            for sizes in [vec![], vec![1]] {
                try_single(
                    Op::Cast(to),
                    &[Array {
                        dtype: DType::F64,
                        sizes: sizes.clone(),
                        bytes: number.to_ne_bytes().to_vec(),
                    }],
                );
                try_single(
                    Op::Cast(to),
                    &[Array { dtype: DType::F32, sizes, bytes: (number as f32).to_ne_bytes().to_vec() }],
                );
            }
        }
    }
}

#[test]
fn shaping_ops() {
    let mut random = Random(4);
    for dtype in [DType::F32, DType::I64, DType::U8] {
        let mut array = |sizes: &[usize]| random.array(dtype, sizes);
        try_single(Op::Broadcast(known_shape(&[4, 3, 5])), &[array(&[3, 1])]);
        try_single(Op::Broadcast(known_shape(&[4, 3])), &[array(&[])]);
        try_single(Op::Broadcast(known_shape(&[1, 3])), &[array(&[3])]);
        try_single(Op::Broadcast(known_shape(&[0, 3])), &[array(&[3])]);
        try_single(Op::Reshape(known_shape(&[6, 2])), &[array(&[3, 4])]);
        try_single(Op::Reshape(known_shape(&[])), &[array(&[1, 1])]);
        try_single(Op::Reshape(known_shape(&[1, 1])), &[array(&[])]);
        try_single(Op::Reshape(known_shape(&[0, 7])), &[array(&[7, 0])]);
        try_single(Op::Transpose(vec![1, 0]), &[array(&[5, 7])]);
        try_single(Op::Transpose(vec![2, 0, 1]), &[array(&[3, 4, 5])]);
        try_single(Op::Transpose(vec![1, 0]), &[array(&[1, 7])]);
        try_single(Op::Transpose(vec![]), &[array(&[])]);
        let slice = |start: &[i64], size: &[usize], step: &[i64]| Op::Slice {
            start: start.to_vec(),
            size: ag_ir::known_shape(size),
            step: step.to_vec(),
        };
        try_single(slice(&[1, 0], &[2, 7], &[1, 1]), &[array(&[5, 7])]);
        try_single(slice(&[4, 6], &[3, 4], &[-2, -2]), &[array(&[5, 7])]);
        try_single(slice(&[1, 2], &[3, 1], &[1, 1]), &[array(&[5, 7])]);
        try_single(slice(&[0, 0], &[0, 7], &[1, 1]), &[array(&[5, 7])]);
        let update =
            |start: &[i64], step: &[i64]| Op::UpdateSlice { start: start.to_vec(), step: step.to_vec() };
        try_single(update(&[1, 0], &[1, 1]), &[array(&[5, 7]), array(&[2, 7])]);
        try_single(update(&[4, 6], &[-2, -2]), &[array(&[5, 7]), array(&[3, 4])]);
        for operands in [vec![array(&[2, 3])], vec![array(&[2, 3]), array(&[2, 1]), array(&[2, 0])]] {
            try_single(Op::Concatenate(1), &operands);
        }
        try_single(Op::Concatenate(0), &[array(&[2, 3]), array(&[4, 3])]);
        for (axis, sizes) in [(0, [5, 3]), (1, [4, 6]), (1, [1, 5])] {
            for start in [0, 2, -1, 3, 4, i64::MIN, i64::MAX] {
                let start = scalar_i64(start);
                try_single(Op::DynamicSlice { axis, size: 2 }, &[array(&sizes), start.clone()]);
                let mut value = sizes;
                value[axis] = 2;
                try_single(Op::DynamicUpdateSlice { axis }, &[array(&sizes), array(&value), start]);
            }
        }
    }
    for dtype in [DType::F64, DType::F32, DType::I64, DType::I32, DType::U8] {
        try_single(Op::Iota { dtype, size: 300 }, &[]);
        try_single(Op::Iota { dtype, size: 0 }, &[]);
    }
    let bytes: Vec<u8> = (0..48).collect();
    for (dtype, sizes) in [(DType::I64, vec![2, 3]), (DType::I32, vec![12]), (DType::U8, vec![48])] {
        try_single(Op::Constant(Constant { dtype, sizes, bytes: bytes.clone().into() }), &[]);
    }
    try_single(
        Op::Constant(Constant {
            dtype: DType::I32,
            sizes: vec![],
            bytes: (-5_i32).to_ne_bytes().to_vec().into(),
        }),
        &[],
    );
}

#[test]
fn gathers_and_scatters() {
    let mut random = Random(5);
    let index = |numbers: &[i64], sizes: &[usize]| Array { sizes: sizes.to_vec(), ..i64_array(numbers) };
    let cases: Vec<(Vec<usize>, usize, Vec<Array>)> = vec![
        (vec![5], 0, vec![scalar_i64(3)]),
        (vec![5], 0, vec![scalar_i64(-5)]),
        (vec![5], 0, vec![scalar_i64(5)]),
        (vec![5], 0, vec![scalar_i64(-6)]),
        (vec![5, 3], 0, vec![scalar_i64(-1)]),
        (vec![5, 3], 0, vec![scalar_i64(2), scalar_i64(-2)]),
        (vec![5, 3], 0, vec![scalar_i64(2), scalar_i64(3)]),
        (vec![5, 3], 1, vec![scalar_i64(1)]),
        (vec![5, 3], 0, vec![index(&[0, 4, -1, 0], &[4])]),
        (vec![5, 3], 1, vec![index(&[0, 2, -1, 0], &[2, 2])]),
        (vec![5, 3], 0, vec![index(&[0, 4], &[2, 1]), index(&[0, 1, 2], &[3])]),
        (vec![2, 5, 3, 4], 1, vec![index(&[0, 4], &[2]), index(&[0, 1], &[2])]),
        (vec![5, 3], 0, vec![index(&[0, 9], &[2])]),
        (vec![5, 3], 0, vec![index(&[], &[0])]),
        (vec![5, 3], 0, vec![index(&[1, 2], &[2]), scalar_i64(1)]),
    ];
    for dtype in [DType::F64, DType::F32, DType::Bool] {
        for (sizes, axis, indices) in &cases {
            let (axis, count) = (*axis, indices.len());
            let x = random.array(dtype, sizes);
            let op = Op::Gather { axis, count };
            let inputs = [std::slice::from_ref(&x), &indices[..]].concat();
            let function = single(op.clone(), &inputs).unwrap();
            check(&function, &inputs);
            let gathered = function.tensor(function.body.results[0]).sizes().unwrap();
            for value in [gathered.clone(), vec![], gathered.last().map_or(vec![], |last| vec![*last])] {
                let inputs = [&[x.clone(), random.array(dtype, &value)], &indices[..]].concat();
                try_single(Op::Scatter { axis, count, store: Store::Replace }, &inputs);
                if dtype != DType::Bool {
                    try_single(Op::Scatter { axis, count, store: Store::Add }, &inputs);
                }
            }
        }
    }
    let narrow =
        Array { dtype: DType::I32, sizes: vec![2], bytes: [1_i32, -1].map(i32::to_ne_bytes).concat() };
    try_single(Op::Gather { axis: 0, count: 1 }, &[random.array(DType::F32, &[4, 2]), narrow]);
}

#[test]
fn reductions() {
    let mut random = Random(6);
    let shapes: [(&[usize], &[&[usize]]); 6] = [
        (&[200, 10], &[&[0], &[1], &[0, 1], &[]]),
        (&[3, 4, 5], &[&[0, 2], &[1], &[0], &[2], &[1, 2], &[0, 1, 2]]),
        (&[2, 3, 2, 3, 2], &[&[0, 2, 4], &[1, 3]]),
        (&[5000], &[&[0]]),
        (&[130, 300], &[&[0], &[1]]),
        (&[0, 4], &[&[0], &[1]]),
    ];
    for dtype in DType::ALL {
        for op in [ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Max, ReduceOp::Min, ReduceOp::Any, ReduceOp::All]
        {
            let is_logical = matches!(op, ReduceOp::Any | ReduceOp::All);
            let is_arithmetic = matches!(op, ReduceOp::Sum | ReduceOp::Prod);
            if is_logical != (dtype == DType::Bool) && (is_logical || is_arithmetic) {
                continue;
            }
            for (sizes, all_axes) in shapes {
                for axes in all_axes {
                    let is_empty = axes.iter().any(|axis| sizes[*axis] == 0);
                    if is_empty && matches!(op, ReduceOp::Max | ReduceOp::Min) {
                        continue;
                    }
                    // Infinities and the order of additions do not go together.
                    let array = random.tame(dtype, sizes);
                    for keepdims in [false, true] {
                        try_single(
                            Op::Reduce { op, axes: axes.to_vec(), keepdims },
                            std::slice::from_ref(&array),
                        );
                    }
                    if !is_arithmetic {
                        let wild = random.array(dtype, sizes);
                        try_single(Op::Reduce { op, axes: axes.to_vec(), keepdims: false }, &[wild]);
                    }
                }
            }
        }
        for op in [ReduceOp::Max, ReduceOp::Min] {
            for (sizes, axis) in [(&[40][..], 0), (&[6, 7], 0), (&[6, 7], 1), (&[2, 3, 4], 1)] {
                try_single(Op::ArgReduce { op, axis }, &[random.array(dtype, sizes)]);
                try_single(Op::ArgReduce { op, axis }, &[random.tame(dtype, sizes)]);
            }
        }
        for (sizes, axis) in [(&[40][..], 0), (&[6, 7], 0), (&[6, 7], 1), (&[2, 3, 4], 1), (&[0, 2], 0)] {
            try_single(Op::ArgSort(axis), &[random.array(dtype, sizes)]);
            try_single(Op::ArgSort(axis), &[random.tame(dtype, sizes)]);
        }
        for op in [ReduceOp::Max, ReduceOp::Min] {
            for (sizes, axis) in
                [(&[100][..], 0), (&[6, 70], 0), (&[6, 70], 1), (&[2, 3, 4], 1), (&[0, 2], 0), (&[1, 1], 1)]
            {
                try_single(Op::Cumulative { op, axis }, &[random.array(dtype, sizes)]);
                try_single(Op::Cumulative { op, axis }, &[random.tame(dtype, sizes)]);
            }
        }
        if dtype != DType::Bool {
            for op in [ReduceOp::Sum, ReduceOp::Prod] {
                for (sizes, axis) in
                    [(&[40][..], 0), (&[6, 7], 0), (&[6, 7], 1), (&[2, 3, 4], 1), (&[0, 2], 0)]
                {
                    try_single(Op::Cumulative { op, axis }, &[random.tame(dtype, sizes)]);
                }
            }
        }
    }
}

#[test]
fn fourier_transforms() {
    let mut random = Random(9);
    for dtype in [DType::F32, DType::F64] {
        for is_inverse in [false, true] {
            for size in [1, 2, 3, 4, 5, 7, 8, 12, 16, 30, 31, 64, 97] {
                try_single(Op::Fourier { is_inverse }, &[random.tame(dtype, &[2, size])]);
            }
            for stack in [&[0][..], &[1], &[3], &[2, 2]] {
                try_single(Op::Fourier { is_inverse }, &[random.tame(dtype, &[stack, &[2, 6]].concat())]);
            }
        }
    }
}

#[test]
fn fourier_transforms_need_pairs_of_rows() {
    let mut random = Random(10);
    for sizes in [&[8][..], &[3, 8], &[2, 0]] {
        assert!(single(Op::Fourier { is_inverse: false }, &[random.tame(DType::F64, sizes)]).is_none());
    }
    assert!(single(Op::Fourier { is_inverse: false }, &[random.tame(DType::I64, &[2, 8])]).is_none());
}

#[test]
fn long_float_sums_keep_their_digits() {
    let count = 1 << 20;
    for sizes in [vec![count], vec![count / 4, 4]] {
        let bytes: Vec<u8> = (0..count).flat_map(|_| 0.1_f32.to_ne_bytes()).collect();
        let input = Array { dtype: DType::F32, sizes: sizes.clone(), bytes };
        let function = single(
            Op::Reduce { op: ReduceOp::Sum, axes: vec![0], keepdims: false },
            std::slice::from_ref(&input),
        );
        let function = function.unwrap();
        for isa in crate::isa::Isa::available() {
            let inputs = std::slice::from_ref(&input);
            let got = super::run_for(&function, inputs, &mut super::Recorder::default(), isa).unwrap();
            let want = 0.1_f32 as f64 * sizes[0] as f64;
            for sum in super::numbers(&got[0]) {
                assert!((sum / want - 1.0).abs() < 2e-5, "{sum} is not {want}");
            }
        }
    }
}

fn axes(batch: (&[usize], &[usize]), contract: (&[usize], &[usize])) -> DotAxes {
    DotAxes {
        left_batch: batch.0.to_vec(),
        right_batch: batch.1.to_vec(),
        left_contract: contract.0.to_vec(),
        right_contract: contract.1.to_vec(),
    }
}

#[test]
fn products() {
    let mut random = Random(7);
    let plain = axes((&[], &[]), (&[1], &[0]));
    let left_transposed = axes((&[], &[]), (&[0], &[0]));
    let right_transposed = axes((&[], &[]), (&[1], &[1]));
    for dtype in [DType::F64, DType::F32, DType::I64, DType::I32, DType::U8] {
        let mut product = |axes: &DotAxes, left: &[usize], right: &[usize]| {
            try_single(Op::Dot(axes.clone()), &[random.tame(dtype, left), random.tame(dtype, right)]);
        };
        for (m, k, n) in [
            (1, 1, 1),
            (7, 5, 3),
            (17, 33, 10),
            (50, 20, 16),
            (9, 40, 17),
            (13, 12, 31),
            (40, 30, 33),
            (25, 60, 1),
            (1, 60, 25),
            (70, 3, 70),
            (0, 3, 4),
            (3, 0, 4),
            (3, 4, 0),
        ] {
            product(&plain, &[m, k], &[k, n]);
            product(&left_transposed, &[k, m], &[k, n]);
            product(&right_transposed, &[m, k], &[n, k]);
            product(&axes((&[], &[]), (&[0], &[1])), &[k, m], &[n, k]);
            product(&axes((&[0], &[0]), (&[2], &[1])), &[3, m, k], &[3, k, n]);
            product(&axes((&[1], &[2]), (&[0], &[0])), &[k, 2, m], &[k, n, 2]);
        }
        product(&axes((&[], &[]), (&[0], &[0])), &[50], &[50]);
        product(&axes((&[], &[]), (&[1], &[0])), &[6, 50], &[50]);
        product(&axes((&[], &[]), (&[0], &[0])), &[50], &[50, 6]);
        product(&axes((&[], &[]), (&[], &[])), &[5], &[6]);
        product(&axes((&[], &[]), (&[1, 0], &[1, 2])), &[4, 5, 3], &[2, 5, 4]);
        product(&axes((&[], &[]), (&[1], &[1])), &[4, 5, 3], &[2, 5, 4]);
        product(&axes((&[0], &[1]), (&[], &[])), &[4, 5], &[2, 4]);
    }
}

#[test]
fn effects() {
    let mut random = Random(8);
    try_single(Op::Print { site: 7 }, &[random.array(DType::F32, &[3]), scalar_i64(4)]);
    for holds in [0_u8, 1] {
        let ok = Array { dtype: DType::Bool, sizes: vec![], bytes: vec![holds] };
        let check = Check { error: "AssertionError".into(), message: "no".into(), site: Some(3) };
        try_single(Op::Check(check), &[ok, random.array(DType::I32, &[2]), scalar_i64(4)]);
    }
}

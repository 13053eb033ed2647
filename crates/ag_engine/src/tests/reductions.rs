//! Reductions of what is made where it is reduced, alone and together: the bits are those of a reduction of
//! an array that is stored, for each set of vector instructions, and near the interpreter's.

use ag_ir::{
    Array, BinaryOp, Builder, CompareOp, DType, Function, Op, Overflow, ReduceOp, Type, UnaryOp, ValueId,
    known_shape,
};

use super::{Random, Recorder, assert_near_arrays, numbers, one, run, run_for, text};
use crate::Executable;
use crate::isa::Isa;

/// What makes the operand of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Map {
    None,
    Strided,
    Repeated,
    SquareOfDifference,
    Exp,
    Cast,
    Compare,
    Where,
    Row,
    Column,
    /// Integers to a power that may be negative: it may fail.
    Power,
}

const MAPS: [Map; 11] = [
    Map::None,
    Map::Strided,
    Map::Repeated,
    Map::SquareOfDifference,
    Map::Exp,
    Map::Cast,
    Map::Compare,
    Map::Where,
    Map::Row,
    Map::Column,
    Map::Power,
];

const DTYPES: [DType; 6] = [DType::F64, DType::F32, DType::I64, DType::I32, DType::U8, DType::Bool];

/// A function under construction, and its arguments.
struct Maker {
    builder: Builder,
    random: Random,
    inputs: Vec<Array>,
    is_tame: bool,
}

impl Maker {
    fn new(seed: u64, is_tame: bool) -> Self {
        let (builder, random) = (Builder::new("reductions"), Random(seed));
        Self { builder, random, inputs: Vec::new(), is_tame }
    }

    fn param(&mut self, dtype: DType, sizes: &[usize]) -> ValueId {
        let array =
            if self.is_tame { self.random.tame(dtype, sizes) } else { self.random.array(dtype, sizes) };
        self.inputs.push(array);
        self.builder.param(Type::known(dtype, sizes))
    }

    fn emit(&mut self, op: Op, operands: &[ValueId]) -> ValueId {
        one(&mut self.builder, op, operands)
    }

    fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        self.emit(Op::Binary(op, Overflow::Wrap), &[a, b])
    }

    /// The operand of the reductions; none if there is no such map of this element type.
    fn map(&mut self, map: Map, dtype: DType, sizes: &[usize]) -> Option<ValueId> {
        let last = sizes.len() - 1;
        Some(match map {
            Map::None => self.param(dtype, sizes),
            Map::Strided => {
                let whole: Vec<usize> = sizes.iter().map(|size| size * 2 + 1).collect();
                let array = self.param(dtype, &whole);
                let start = sizes.iter().map(|size| *size as i64 * 2).collect();
                let slice = Op::Slice { start, size: known_shape(sizes), step: vec![-2; sizes.len()] };
                self.emit(slice, &[array])
            }
            Map::Repeated => {
                let row = self.param(dtype, &sizes[last..]);
                self.emit(Op::Broadcast(known_shape(sizes)), &[row])
            }
            Map::SquareOfDifference if dtype != DType::Bool => {
                let (a, b) = (self.param(dtype, sizes), self.param(dtype, sizes));
                let difference = self.binary(BinaryOp::Sub, a, b);
                self.binary(BinaryOp::Mul, difference, difference)
            }
            Map::Exp if dtype.is_float() => {
                let a = self.param(dtype, sizes);
                self.emit(Op::Unary(UnaryOp::Exp, Overflow::Wrap), &[a])
            }
            Map::Cast if dtype == DType::F64 || dtype == DType::I64 => {
                let from = if dtype == DType::F64 { DType::F32 } else { DType::Bool };
                let a = self.param(from, sizes);
                self.emit(Op::Cast(dtype), &[a])
            }
            Map::Compare if dtype == DType::Bool => {
                let (a, b) = (self.param(DType::F64, sizes), self.param(DType::F64, &[]));
                self.emit(Op::Compare(CompareOp::Gt), &[a, b])
            }
            Map::Where => {
                let (test, a) = (self.param(DType::Bool, sizes), self.param(dtype, sizes));
                let other = self.param(dtype, &[]);
                self.emit(Op::Select, &[test, a, other])
            }
            Map::Row if dtype != DType::Bool => {
                let (a, row) = (self.param(dtype, sizes), self.param(dtype, &sizes[last..]));
                self.binary(BinaryOp::Sub, a, row)
            }
            Map::Column if dtype != DType::Bool => {
                let mut column = sizes.to_vec();
                column[last] = 1;
                let (a, column) = (self.param(dtype, sizes), self.param(dtype, &column));
                self.binary(BinaryOp::Add, a, column)
            }
            Map::Power if dtype == DType::I64 || dtype == DType::I32 => {
                let (a, b) = (self.param(dtype, sizes), self.param(dtype, &[]));
                self.binary(BinaryOp::Pow, a, b)
            }
            _ => return None,
        })
    }
}

/// The reductions of an element type.
fn ops(dtype: DType) -> &'static [ReduceOp] {
    match dtype {
        DType::Bool => &[ReduceOp::Any, ReduceOp::All],
        DType::U8 => &[ReduceOp::Max, ReduceOp::Min],
        _ => &[ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Max, ReduceOp::Min],
    }
}

/// A function of these reductions of a mapped array; the array is a result too if it is stored.
fn function(
    seed: u64,
    map: Map,
    (dtype, sizes): (DType, &[usize]),
    (axes, keepdims): (&[usize], bool),
    ops: &[ReduceOp],
    is_stored: bool,
    is_tame: bool,
) -> Option<(Function, Vec<Array>)> {
    let mut maker = Maker::new(seed, is_tame);
    let made = maker.map(map, dtype, sizes)?;
    let reduce = |op: &ReduceOp| Op::Reduce { op: *op, axes: axes.to_vec(), keepdims };
    let mut results: Vec<ValueId> = ops.iter().map(|op| maker.emit(reduce(op), &[made])).collect();
    if is_stored {
        results.push(made);
    }
    Some((maker.builder.finish(results), maker.inputs))
}

/// Whether two arrays have the same bits, but for which NaN a NaN is.
fn same_bits(got: &Array, want: &Array) -> bool {
    let size = got.dtype.size();
    let elements = got.bytes.chunks(size).zip(want.bytes.chunks(size));
    let (numbers, others) = (numbers(got), numbers(want));
    (got.dtype, &got.sizes) == (want.dtype, &want.sizes)
        && elements
            .zip(numbers.iter().zip(&others))
            .all(|((got, want), (number, other))| got == want || (number.is_nan() && other.is_nan()))
}

/// All reductions together, where their operand is made, against each of the array that is stored.
fn check_case(seed: u64, map: Map, array: (DType, &[usize]), along: (&[usize], bool), is_interpreted: bool) {
    let ops = ops(array.0);
    // Nothing has no extreme: the interpreter says so, and such a reduction is not recorded.
    let is_interpreted = is_interpreted && along.0.iter().all(|axis| array.1[*axis] > 0);
    let is_tame = seed.is_multiple_of(2);
    let Some((together, inputs)) = function(seed, map, array, along, ops, false, is_tame) else { return };
    for isa in Isa::available() {
        let context =
            || format!("{map:?} {array:?} {along:?} seed {seed} on {}\n{}", isa.name(), text(&together));
        let got = run_for(&together, &inputs, &mut Recorder::default(), isa);
        // One of them is enough for each case.
        let number = seed as usize / 2 % ops.len();
        for (number, op) in ops.iter().enumerate().skip(number).take(1) {
            let stored = function(seed, map, array, along, &[*op], true, is_tame).unwrap().0;
            let alone = function(seed, map, array, along, &[*op], false, is_tame).unwrap().0;
            let want = run_for(&stored, &inputs, &mut Recorder::default(), isa);
            let alone = run_for(&alone, &inputs, &mut Recorder::default(), isa);
            let (Ok(got), Ok(alone), Ok(want)) = (&got, alone, &want) else {
                assert!(got.is_err() && want.is_err(), "{}", context());
                continue;
            };
            assert!(same_bits(&got[number], &want[0]), "{op:?} together: {}", context());
            assert!(same_bits(&alone[0], &want[0]), "{op:?} alone: {}", context());
        }
        if is_interpreted {
            let want = ag_ir::interpret(&together, &inputs, &mut Recorder::default());
            match (&got, &want) {
                (Ok(got), Ok(want)) if is_tame => assert_near_arrays(got, want, true, &context),
                // Sums of large numbers of both signs differ by more than the result.
                (Ok(got), Ok(want)) => {
                    for (got, want) in got.iter().zip(want) {
                        assert_eq!(numbers(got).len(), numbers(want).len());
                    }
                }
                (got, want) => assert_eq!(got.is_err(), want.is_err(), "{}", context()),
            }
        }
    }
}

#[test]
fn mapped_reductions_have_the_bits_of_stored_ones() {
    // Small arrays are stored; the others have rows and columns of all kinds of lengths.
    let shapes: [&[usize]; 18] = [
        &[0],
        &[7],
        &[2048],
        &[3071],
        &[3072],
        &[3073],
        &[0, 3],
        &[2100, 1],
        &[700, 3],
        &[300, 7],
        &[90, 23],
        &[86, 24],
        &[3, 1023],
        &[3, 1025],
        &[3, 5000],
        &[130, 600],
        &[5, 3, 200],
        &[20, 70, 3],
    ];
    let mut random = Random(5);
    let mut seed = 0;
    for map in MAPS {
        for dtype in DTYPES {
            for _ in 0..2 {
                let sizes = *random.pick(&shapes);
                let all: Vec<usize> = (0..sizes.len()).collect();
                let mut choices: Vec<Vec<usize>> = all.iter().map(|axis| vec![*axis]).collect();
                choices.push(all.clone());
                choices.push(vec![]);
                if sizes.len() == 3 {
                    choices.extend([vec![0, 1], vec![1, 2], vec![0, 2]]);
                }
                seed += 1;
                let axes = random.pick(&choices).clone();
                check_case(seed, map, (dtype, sizes), (&axes, random.below(2) == 0), true);
            }
        }
    }
}

/// Rows and columns that are cut into pieces.
#[test]
fn long_mapped_reductions_have_the_bits_of_stored_ones() {
    let cases: [(&[usize], &[usize]); 6] = [
        (&[(1 << 21) + 5000], &[0]),
        (&[2, (1 << 20) + 1500], &[1]),
        (&[2100, 1030], &[0]),
        (&[2100, 1030], &[1]),
        (&[5000, 700], &[0]),
        (&[2, 5000, 300], &[1]),
    ];
    for (number, (sizes, axes)) in cases.into_iter().enumerate() {
        let maps = [
            (Map::SquareOfDifference, DType::F32),
            (Map::Column, DType::F64),
            (Map::None, DType::F64),
            (Map::Compare, DType::Bool),
        ];
        for turn in 0..2 {
            let (map, dtype) = maps[(number + 2 * turn) % maps.len()];
            check_case(number as u64 * 2, map, (dtype, sizes), (axes, false), false);
        }
    }
}

/// What is reduced only is not stored, and several reductions are one kernel.
#[test]
fn a_mapped_reduction_is_one_kernel() {
    for (ops, count) in [(&[ReduceOp::Sum][..], 1), (&[ReduceOp::Sum, ReduceOp::Max, ReduceOp::Min], 1)] {
        let array = (DType::F64, &[3000_usize, 4][..]);
        let (function, inputs) =
            function(1, Map::SquareOfDifference, array, (&[0], false), ops, false, true).unwrap();
        let executable = Executable::compile(&function).unwrap();
        let report = executable.report();
        assert!(report.contains(&format!("arena 0 bytes, constants 0 bytes, {count} kernels")), "{report}");
        run(&executable, &function, &inputs, &mut Recorder::default()).unwrap();
    }
}

//! Concatenations that are parts of others: the arrays of the interpreter, in one kernel.

use ag_ir::{Array, Builder, DType, Function, Op, Type, ValueId};

use super::{Random, check, one};
use crate::Executable;

/// The sizes of the array that pieces are taken of.
const SIZES: [usize; 3] = [7, 6, 5];

/// Makes arrays of an array by slices and concatenations.
struct Nests<'a> {
    builder: &'a mut Builder,
    random: &'a mut Random,
    whole: ValueId,
    /// What was concatenated.
    made: Vec<ValueId>,
}

impl Nests<'_> {
    /// An array of these sizes: three concatenated, some of them empty, or a piece of the whole.
    fn array(&mut self, sizes: &[usize], depth: usize) -> ValueId {
        if depth == 0 || self.random.below(4) == 0 {
            let start = sizes.iter().zip(SIZES).map(|(size, all)| self.random.below(all - size + 1) as i64);
            let start = start.collect();
            let op = Op::Slice { start, size: ag_ir::known_shape(sizes), step: vec![1; sizes.len()] };
            return one(self.builder, op, &[self.whole]);
        }
        let axis = self.random.below(sizes.len());
        let first = self.random.below(sizes[axis] + 1);
        let second = first + self.random.below(sizes[axis] - first + 1);
        let operands = [first, second - first, sizes[axis] - second].map(|length| {
            let mut piece = sizes.to_vec();
            piece[axis] = length;
            self.array(&piece, depth - 1)
        });
        let made = one(self.builder, Op::Concatenate(axis), &operands);
        self.made.push(made);
        made
    }
}

/// A function whose results are a nest of concatenations and, if `shows`, one of its parts.
fn nest(seed: u64, dtype: DType, shows: bool) -> (Function, Array) {
    let (mut random, mut builder) = (Random(seed), Builder::new("nest"));
    let input = random.array(dtype, &SIZES);
    let whole = builder.param(Type::known(dtype, &SIZES));
    let mut nests = Nests { builder: &mut builder, random: &mut random, whole, made: Vec::new() };
    let sizes = SIZES.map(|size| nests.random.below(size + 1));
    let all = nests.array(&sizes, 3);
    let part = nests.made.first().copied().unwrap_or(all);
    let results = if shows { vec![all, part] } else { vec![all] };
    (builder.finish(results), input)
}

#[test]
fn nests_are_the_arrays_of_the_interpreter() {
    for seed in 0..120 {
        for dtype in [DType::F64, DType::F32, DType::Bool] {
            for shows in [false, true] {
                let (function, input) = nest(seed, dtype, shows);
                assert!(check(&function, &[input]).is_some(), "{seed}");
            }
        }
    }
}

/// How many kernels a function has.
fn kernels(lines: &str) -> usize {
    let text = format!("function f(%0: f64[3, 4], %1: f64[3, 1], %2: f64[1, 6]) {{\n{lines}}}\n");
    let function = ag_ir::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Executable::compile(&function).unwrap().sizes()[0]
}

#[test]
fn a_part_that_nothing_else_reads_is_not_stored() {
    let inner = "  %3: f64[3, 6] = concatenate %1, %0, %1 axis=1\n";
    let outer = "  %4: f64[5, 6] = concatenate %2, %3, %2 axis=0\n";
    assert_eq!(kernels(&format!("{inner}{outer}  return %4\n")), 1);
    assert_eq!(kernels(&format!("{inner}{outer}  return %4, %3\n")), 2, "it is a result");
    let twice = "  %4: f64[6, 6] = concatenate %3, %3 axis=0\n";
    assert_eq!(kernels(&format!("{inner}{twice}  return %4\n")), 2, "it is read twice");
    let added = "  %4: f64[3, 6] = add %3, %3\n  %5: f64[5, 6] = concatenate %2, %4, %2 axis=0\n";
    assert_eq!(kernels(&format!("{inner}{added}  return %5\n")), 3, "it is no part");
}

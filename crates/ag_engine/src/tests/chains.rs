//! Random element-wise chains over arrays of several tiles: fusion, broadcasting, strided leaves,
//! work in place.

use ag_ir::{
    Array, BinaryOp, Builder, CompareOp, DType, Function, Op, Overflow, Type, UnaryOp, ValueId, known_shape,
};

use super::{Random, check, check_near, i64_array, one, run, scalar_i64, text};
use crate::Executable;

struct Chain {
    builder: Builder,
    random: Random,
    params: Vec<(DType, Vec<usize>)>,
    /// Values, all of which broadcast to the chain's shape.
    values: Vec<ValueId>,
}

const SHAPES: [&[usize]; 5] = [&[2500], &[7, 300], &[300, 7], &[3, 40, 20], &[1, 1, 1]];
const DTYPES: [DType; 5] = [DType::F64, DType::F32, DType::I64, DType::I32, DType::U8];

impl Chain {
    fn param(&mut self, dtype: DType, sizes: &[usize]) -> ValueId {
        self.params.push((dtype, sizes.to_vec()));
        self.builder.param(Type::known(dtype, sizes))
    }

    /// A parameter that broadcasts to the shape, seen through a view now and then.
    fn leaf(&mut self, dtype: DType, shape: &[usize]) -> ValueId {
        let mut sizes = shape.to_vec();
        match self.random.below(7) {
            0 => sizes.clear(),
            1 => drop(sizes.drain(..self.random.below(shape.len()))),
            2 => {
                let axis = self.random.below(shape.len());
                sizes[axis] = 1;
            }
            3 => return self.sliced(dtype, shape),
            4 => {
                let last = sizes.len() - 1;
                sizes[..last].fill(1);
                let row = self.param(dtype, &sizes);
                return one(&mut self.builder, Op::Broadcast(known_shape(shape)), &[row]);
            }
            _ => {}
        }
        self.param(dtype, &sizes)
    }

    /// Every second element, backwards, of a larger array.
    fn sliced(&mut self, dtype: DType, shape: &[usize]) -> ValueId {
        let whole: Vec<usize> = shape.iter().map(|size| size * 2 + 1).collect();
        let array = self.param(dtype, &whole);
        let slice = Op::Slice {
            start: shape.iter().map(|size| *size as i64 * 2).collect(),
            size: ag_ir::known_shape(shape),
            step: vec![-2; shape.len()],
        };
        one(&mut self.builder, slice, &[array])
    }

    fn dtype(&self, value: ValueId) -> DType {
        self.builder.function().tensor(value).dtype
    }

    /// A value of this element type, converted if need be.
    fn pick(&mut self, dtype: DType) -> ValueId {
        // Those made last are likely used once, and so fused.
        let near = self.random.below(self.values.len().min(4));
        let value = self.values[self.values.len() - 1 - near];
        if self.dtype(value) == dtype { value } else { one(&mut self.builder, Op::Cast(dtype), &[value]) }
    }

    fn node(&mut self) -> ValueId {
        let dtype = *self.random.pick(&DTYPES);
        let a = self.pick(dtype);
        match self.random.below(8) {
            0 => {
                let b = self.pick(dtype);
                let test = one(&mut self.builder, Op::Compare(CompareOp::Lt), &[a, b]);
                let c = self.pick(dtype);
                one(&mut self.builder, Op::Select, &[test, b, c])
            }
            1 if dtype.is_float() => {
                let op = *self.random.pick(&[UnaryOp::Tanh, UnaryOp::Sin, UnaryOp::Arctan, UnaryOp::Floor]);
                one(&mut self.builder, Op::Unary(op, Overflow::Wrap), &[a])
            }
            2 => one(&mut self.builder, Op::Unary(UnaryOp::Abs, Overflow::Wrap), &[a]),
            _ => {
                let b = if self.random.below(5) == 0 { a } else { self.pick(dtype) };
                let op = *self.random.pick(&[
                    BinaryOp::Add,
                    BinaryOp::Sub,
                    BinaryOp::Maximum,
                    BinaryOp::Minimum,
                    BinaryOp::Mul,
                ]);
                // Bounded, so that the order of rounding does not show.
                let made = one(&mut self.builder, Op::Binary(op, Overflow::Wrap), &[a, b]);
                if dtype.is_float() {
                    one(&mut self.builder, Op::Unary(UnaryOp::Sin, Overflow::Wrap), &[made])
                } else {
                    made
                }
            }
        }
    }
}

fn chain(seed: u64) -> (Function, Vec<Array>) {
    let mut random = Random(seed);
    let shape = *random.pick(&SHAPES);
    let mut chain = Chain { builder: Builder::new("chain"), random, params: Vec::new(), values: Vec::new() };
    for _ in 0..4 {
        let dtype = *chain.random.pick(&DTYPES);
        let leaf = chain.leaf(dtype, shape);
        chain.values.push(leaf);
    }
    for _ in 0..chain.random.below(20) {
        let made = chain.node();
        chain.values.push(made);
    }
    let mut results = vec![chain.values[chain.values.len() - 1]];
    results.push(*chain.random.pick(&chain.values));
    let inputs = chain.params.clone().iter().map(|(dtype, sizes)| chain.random.tame(*dtype, sizes)).collect();
    (chain.builder.finish(results), inputs)
}

#[test]
fn random_chains_agree_with_the_interpreter() {
    for seed in 0..80 {
        println!("seed {seed}");
        let (function, inputs) = chain(seed);
        // The sines of singles that become doubles are not those of the interpreter to the bit.
        let is_single = text(&function).contains(": f32[");
        check_near(&function, &inputs, is_single);
    }
}

/// Arithmetic of floats alone, over lengths beside those of groups of vectors.
fn arithmetic(seed: u64) -> (Function, Vec<Array>) {
    let mut random = Random(seed);
    let shape = *random.pick(&[&[5][..], &[16], &[63], &[131], &[1030], &[3, 257], &[2, 1100]]);
    let dtype = *random.pick(&[DType::F64, DType::F32]);
    let mut chain = Chain { builder: Builder::new("chain"), random, params: Vec::new(), values: Vec::new() };
    for _ in 0..4 {
        let leaf = chain.leaf(dtype, shape);
        chain.values.push(leaf);
    }
    let mut value = chain.values[0];
    for _ in 0..1 + chain.random.below(22) {
        let other = if chain.random.below(8) == 0 { value } else { *chain.random.pick(&chain.values) };
        let operands = if chain.random.below(2) == 0 { [value, other] } else { [other, value] };
        let op = *chain.random.pick(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div]);
        let unary = *chain.random.pick(&[UnaryOp::Neg, UnaryOp::Abs, UnaryOp::Sqrt]);
        value = match chain.random.below(5) {
            0 => one(&mut chain.builder, Op::Unary(unary, Overflow::Wrap), &[value]),
            _ => one(&mut chain.builder, Op::Binary(op, Overflow::Wrap), &operands),
        };
        if chain.random.below(9) == 0 {
            chain.values.push(value);
        }
    }
    let inputs = chain.params.clone().iter().map(|(dtype, sizes)| chain.random.tame(*dtype, sizes)).collect();
    (chain.builder.finish(vec![value]), inputs)
}

#[test]
fn chains_of_arithmetic_agree_to_the_bit() {
    for seed in 0..150 {
        println!("seed {seed}");
        let (function, inputs) = arithmetic(seed);
        check(&function, &inputs);
    }
}

/// `y = ((x + 1) * x + 1) * x + …` is one kernel, whatever its length up to a group's.
#[test]
fn chains_are_fused() {
    let mut builder = Builder::new("horner");
    let x = builder.param(Type::known(DType::F32, &[3000]));
    let unit = builder.scalar(DType::F32, &1.0_f32.to_ne_bytes()).unwrap();
    let mut y = x;
    for _ in 0..5 {
        y = one(&mut builder, Op::Binary(BinaryOp::Mul, Overflow::Wrap), &[y, x]);
        y = one(&mut builder, Op::Binary(BinaryOp::Add, Overflow::Wrap), &[y, unit]);
    }
    let function = builder.finish(vec![y]);
    let executable = Executable::compile(&function).unwrap();
    assert!(
        executable.report().contains("arena 0 bytes, constants 0 bytes, 1 kernels"),
        "{}",
        executable.report()
    );
    check(&function, &[Random(3).tame(DType::F32, &[3000])]);
}

/// The same executable on several threads at once, each with other numbers.
#[test]
fn runs_do_not_disturb_each_other() {
    let mut builder = Builder::new("threads");
    let x = builder.param(Type::known(DType::I64, &[2000]));
    let count = builder.param(Type::scalar(DType::I64));
    let zero = super::int(&mut builder, 0);
    let step = super::int(&mut builder, 1);
    builder.open();
    let i = builder.param(Type::scalar(DType::I64));
    let carry = builder.param(Type::known(DType::I64, &[2000]));
    let sum = one(&mut builder, Op::Binary(BinaryOp::Add, Overflow::Wrap), &[carry, i]);
    let running = Op::Cumulative { op: ag_ir::ReduceOp::Sum, axis: 0 };
    let running = one(&mut builder, running, &[sum]);
    let body = builder.close(vec![running]);
    let results = builder.emit_with_regions(Op::For, &[zero, count, step, x], vec![body], None).unwrap();
    let function = builder.finish(results);
    let executable = Executable::compile(&function).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4_i64 {
            let (executable, function) = (&executable, &function);
            scope.spawn(move || {
                let numbers: Vec<i64> = (0..2000).map(|number| number * (thread + 1)).collect();
                let inputs = [i64_array(&numbers), scalar_i64(3 + thread)];
                let want = ag_ir::interpret(function, &inputs, &mut super::Recorder::default()).unwrap();
                for _ in 0..20 {
                    let got = run(executable, function, &inputs, &mut super::Recorder::default()).unwrap();
                    assert_eq!(got, want);
                }
            });
        }
    });
}

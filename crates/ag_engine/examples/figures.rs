//! Measures the engine: a softmax regression and a scalar loop.
//!
//! ```text
//! cargo run --release -p ag_engine --example figures
//! ```

use std::error::Error;
use std::time::{Duration, Instant};

use ag_engine::{Executable, Input, Output};
use ag_ir::{
    Array, BinaryOp, Block, Builder, CompareOp, DType, DotAxes, Function, Host, HostError, Op, Overflow,
    ReduceOp, Type, UnaryOp, ValueId, known_shape,
};

type Outcome<T> = Result<T, Box<dyn Error>>;

struct Silent;

impl Host for Silent {
    fn print(&mut self, _: u32, _: &[Array]) -> Result<(), HostError> {
        Ok(())
    }
}

struct Graph(Builder);

impl Graph {
    fn one(&mut self, op: Op, operands: &[ValueId]) -> Outcome<ValueId> {
        self.0
            .emit(op, operands, None)
            .map_err(|error| format!("{error:?}"))?
            .first()
            .copied()
            .ok_or_else(|| "no result".into())
    }

    fn regions(&mut self, op: Op, operands: &[ValueId], regions: Vec<Block>) -> Outcome<Vec<ValueId>> {
        self.0.emit_with_regions(op, operands, regions, None).map_err(|error| format!("{error:?}").into())
    }

    fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Outcome<ValueId> {
        self.one(Op::Binary(op, Overflow::Wrap), &[a, b])
    }

    fn int(&mut self, number: i64) -> Outcome<ValueId> {
        self.0.scalar(DType::I64, &number.to_ne_bytes()).map_err(|error| format!("{error:?}").into())
    }
}

const BATCH: usize = 200;
const PIXELS: usize = 784;
const CLASSES: usize = 10;
const IMAGES: usize = 10_000;

fn product(left: usize, right: usize) -> Op {
    Op::Dot(DotAxes {
        left_batch: vec![],
        right_batch: vec![],
        left_contract: vec![left],
        right_contract: vec![right],
    })
}

/// `for i in range(steps): w, b = w - rate * grad_w, b - rate * grad_b` of a softmax regression.
fn softmax_regression() -> Outcome<Function> {
    let mut graph = Graph(Builder::new("train"));
    let images = graph.0.param(Type::known(DType::F32, &[IMAGES, PIXELS]));
    let labels = graph.0.param(Type::known(DType::I64, &[IMAGES]));
    let weights = graph.0.param(Type::known(DType::F32, &[PIXELS, CLASSES]));
    let bias = graph.0.param(Type::known(DType::F32, &[CLASSES]));
    let rate = graph.0.param(Type::scalar(DType::F32));
    let steps = graph.0.param(Type::scalar(DType::I64));
    let (zero, one) = (graph.int(0)?, graph.int(1)?);
    graph.0.open();
    let i = graph.0.param(Type::scalar(DType::I64));
    let w = graph.0.param(Type::known(DType::F32, &[PIXELS, CLASSES]));
    let b = graph.0.param(Type::known(DType::F32, &[CLASSES]));
    let batches = graph.int((IMAGES / BATCH) as i64)?;
    let size = graph.int(BATCH as i64)?;
    let batch = graph.binary(BinaryOp::Mod, i, batches)?;
    let start = graph.binary(BinaryOp::Mul, batch, size)?;
    let x = graph.one(Op::DynamicSlice { axis: 0, size: BATCH }, &[images, start])?;
    let y = graph.one(Op::DynamicSlice { axis: 0, size: BATCH }, &[labels, start])?;
    let scores = graph.one(product(1, 0), &[x, w])?;
    let scores = graph.binary(BinaryOp::Add, scores, b)?;
    let row = |op| Op::Reduce { op, axes: vec![1], keepdims: true };
    let highest = graph.one(row(ReduceOp::Max), &[scores])?;
    let shifted = graph.binary(BinaryOp::Sub, scores, highest)?;
    let powers = graph.one(Op::Unary(UnaryOp::Exp, Overflow::Wrap), &[shifted])?;
    let total = graph.one(row(ReduceOp::Sum), &[powers])?;
    let chances = graph.binary(BinaryOp::Div, powers, total)?;
    let classes = graph.one(Op::Iota { dtype: DType::I64, size: CLASSES }, &[])?;
    let column = graph.one(Op::Reshape(known_shape(&[BATCH, 1])), &[y])?;
    let is_label = graph.one(Op::Compare(CompareOp::Eq), &[column, classes])?;
    let wanted = graph.one(Op::Cast(DType::F32), &[is_label])?;
    let error = graph.binary(BinaryOp::Sub, chances, wanted)?;
    let scale = graph
        .0
        .scalar(DType::F32, &(1.0 / BATCH as f32).to_ne_bytes())
        .map_err(|error| format!("{error:?}"))?;
    let error = graph.binary(BinaryOp::Mul, error, scale)?;
    let turned = graph.one(Op::Transpose(vec![1, 0]), &[x])?;
    let gradient = graph.one(product(1, 0), &[turned, error])?;
    let bias_gradient =
        graph.one(Op::Reduce { op: ReduceOp::Sum, axes: vec![0], keepdims: false }, &[error])?;
    let step = graph.binary(BinaryOp::Mul, gradient, rate)?;
    let next_w = graph.binary(BinaryOp::Sub, w, step)?;
    let step = graph.binary(BinaryOp::Mul, bias_gradient, rate)?;
    let next_b = graph.binary(BinaryOp::Sub, b, step)?;
    let body = graph.0.close(vec![next_w, next_b]);
    let results = graph.regions(Op::For, &[zero, steps, one, weights, bias], vec![body])?;
    Ok(graph.0.finish(results))
}

/// The longest Collatz sequence below a limit, as nested loops over scalars.
fn collatz(overflow: Overflow) -> Outcome<Function> {
    let int = || Type::scalar(DType::I64);
    let mut graph = Graph(Builder::new("collatz"));
    let limit = graph.0.param(int());
    let (zero, one, two, three) = (graph.int(0)?, graph.int(1)?, graph.int(2)?, graph.int(3)?);
    let op = |op| Op::Binary(op, overflow);
    graph.0.open();
    let (start, total) = (graph.0.param(int()), graph.0.param(int()));
    graph.0.open();
    let (n, _) = (graph.0.param(int()), graph.0.param(int()));
    let goes_on = graph.one(Op::Compare(CompareOp::Ne), &[n, one])?;
    let test = graph.0.close(vec![goes_on]);
    graph.0.open();
    let (n, count) = (graph.0.param(int()), graph.0.param(int()));
    let rest = graph.one(op(BinaryOp::Mod), &[n, two])?;
    let is_even = graph.one(Op::Compare(CompareOp::Eq), &[rest, zero])?;
    graph.0.open();
    let half = graph.one(op(BinaryOp::FloorDiv), &[n, two])?;
    let then = graph.0.close(vec![half]);
    graph.0.open();
    let triple = graph.one(op(BinaryOp::Mul), &[three, n])?;
    let more = graph.one(op(BinaryOp::Add), &[triple, one])?;
    let otherwise = graph.0.close(vec![more]);
    let next = graph.regions(Op::If, &[is_even], vec![then, otherwise])?;
    let count = graph.one(op(BinaryOp::Add), &[count, one])?;
    let body = graph.0.close(vec![next[0], count]);
    let results = graph.regions(Op::While, &[start, total], vec![test, body])?;
    let body = graph.0.close(vec![results[1]]);
    let results = graph.regions(Op::For, &[one, limit, one, zero], vec![body])?;
    Ok(graph.0.finish(results))
}

/// The same in Rust.
fn collatz_in_rust(limit: i64) -> i64 {
    let mut total = 0;
    for start in 1..limit {
        let mut n = start;
        while n != 1 {
            n = if n & 1 == 0 { n >> 1 } else { 3 * n + 1 };
            total += 1;
        }
    }
    total
}

/// Arrays of a function's types, aligned.
struct Memory(Vec<(DType, Vec<usize>, Vec<u64>, usize)>);

impl Memory {
    fn of(function: &Function, values: &[ValueId]) -> Outcome<Self> {
        let mut arrays = Vec::new();
        for value in values {
            let ty = function.tensor(*value);
            let sizes = ty.sizes().ok_or("sizes are known")?;
            let bytes = sizes.iter().product::<usize>() * ty.dtype.size();
            arrays.push((ty.dtype, sizes, vec![0_u64; bytes.div_ceil(8)], bytes));
        }
        Ok(Self(arrays))
    }

    fn bytes(&self, number: usize) -> &[u8] {
        let (_, _, words, bytes) = &self.0[number];
        // SAFETY: the words hold so many bytes.
        unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), *bytes) }
    }

    fn write(&mut self, number: usize, bytes: impl Iterator<Item = u8>) {
        let (_, _, words, length) = &mut self.0[number];
        // SAFETY: the words hold so many bytes.
        let to = unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast::<u8>(), *length) };
        for (to, from) in to.iter_mut().zip(bytes) {
            *to = from;
        }
    }

    fn inputs(&self) -> Outcome<Vec<Input<'_>>> {
        let make = |number: usize| Input::new(self.0[number].0, &self.0[number].1, self.bytes(number));
        Ok((0..self.0.len()).map(make).collect::<Result<_, _>>()?)
    }

    fn outputs(&mut self) -> Outcome<Vec<Output<'_>>> {
        let mut outputs = Vec::new();
        for (dtype, sizes, words, bytes) in &mut self.0 {
            // SAFETY: the words hold so many bytes.
            let bytes = unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast::<u8>(), *bytes) };
            outputs.push(Output::new(*dtype, sizes, bytes)?);
        }
        Ok(outputs)
    }
}

fn best_of(repeats: usize, mut run: impl FnMut() -> Outcome<()>) -> Outcome<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..repeats {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed());
    }
    Ok(best)
}

fn compile(function: &Function) -> Outcome<Executable> {
    let time = best_of(5, || {
        Executable::compile(function)?;
        Ok(())
    })?;
    let executable = Executable::compile(function)?;
    println!("  compiled in {time:.2?}; {}", executable.report());
    Ok(executable)
}

fn run(executable: &Executable, inputs: &Memory, outputs: &mut Memory) -> Outcome<()> {
    executable
        .run(&inputs.inputs()?, &mut outputs.outputs()?, &mut Silent)
        .map_err(|error| format!("{error:?}").into())
}

fn measure_training() -> Outcome<()> {
    println!("softmax regression, 1000 steps of 200 x 784 -> 10, f32");
    let function = softmax_regression()?;
    let executable = compile(&function)?;
    let mut inputs = Memory::of(&function, &function.body.params)?;
    let mut state = 1_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let pixels: Vec<u8> =
        (0..IMAGES * PIXELS).flat_map(|_| (random() as f32 / (1_u64 << 31) as f32).to_ne_bytes()).collect();
    inputs.write(0, pixels.into_iter());
    let labels: Vec<u8> = (0..IMAGES).flat_map(|_| ((random() % 10) as i64).to_ne_bytes()).collect();
    inputs.write(1, labels.into_iter());
    inputs.write(4, 0.01_f32.to_ne_bytes().into_iter());
    inputs.write(5, 1000_i64.to_ne_bytes().into_iter());
    let mut outputs = Memory::of(&function, &function.body.results)?;
    let time = best_of(7, || run(&executable, &inputs, &mut outputs))?;
    println!("  {:.2} ms, {:.2} us a step", time.as_secs_f64() * 1e3, time.as_secs_f64() * 1e3);
    Ok(())
}

fn measure_collatz() -> Outcome<()> {
    let limit = 10_000_i64;
    let native = best_of(20, || {
        std::hint::black_box(collatz_in_rust(std::hint::black_box(limit)));
        Ok(())
    })?;
    println!("collatz below {limit}: {native:.2?} in Rust, total {}", collatz_in_rust(limit));
    for overflow in [Overflow::Wrap, Overflow::Check] {
        let function = collatz(overflow)?;
        let executable = compile(&function)?;
        let mut inputs = Memory::of(&function, &function.body.params)?;
        inputs.write(0, limit.to_ne_bytes().into_iter());
        let mut outputs = Memory::of(&function, &function.body.results)?;
        let time = best_of(20, || run(&executable, &inputs, &mut outputs))?;
        let total = outputs.bytes(0).first_chunk().map(|bytes| i64::from_ne_bytes(*bytes));
        let ratio = time.as_secs_f64() / native.as_secs_f64();
        println!("  {overflow:?}: {time:.2?}, {ratio:.2} of Rust, total {total:?}");
    }
    Ok(())
}

/// `tanh(x * w + b) * mask` with rows `w` and `b`.
fn measure_chain() -> Outcome<()> {
    for rows in [32, 128, 4096] {
        let mut graph = Graph(Builder::new("chain"));
        let x = graph.0.param(Type::known(DType::F32, &[rows, 256]));
        let w = graph.0.param(Type::known(DType::F32, &[256]));
        let b = graph.0.param(Type::known(DType::F32, &[256]));
        let mask = graph.0.param(Type::known(DType::F32, &[rows, 256]));
        let y = graph.binary(BinaryOp::Mul, x, w)?;
        let y = graph.binary(BinaryOp::Add, y, b)?;
        let y = graph.one(Op::Unary(UnaryOp::Tanh, Overflow::Wrap), &[y])?;
        let y = graph.binary(BinaryOp::Mul, y, mask)?;
        let function = graph.0.finish(vec![y]);
        let executable = Executable::compile(&function)?;
        let inputs = Memory::of(&function, &function.body.params)?;
        let mut outputs = Memory::of(&function, &function.body.results)?;
        let time = best_of(200, || run(&executable, &inputs, &mut outputs))?;
        let each = time.as_secs_f64() * 1e9 / (rows * 256) as f64;
        println!("tanh(x * w + b) * mask, {rows} x 256: {time:.2?}, {each:.2} ns an element");
    }
    Ok(())
}

/// A long function without loops: how compile time grows.
fn measure_long_functions() -> Outcome<()> {
    for length in [100, 1000, 5000] {
        let mut graph = Graph(Builder::new("long"));
        let mut array = graph.0.param(Type::known(DType::F64, &[100]));
        let mut number = graph.0.param(Type::scalar(DType::F64));
        for _ in 0..length {
            let total = Op::Reduce { op: ReduceOp::Sum, axes: vec![0], keepdims: false };
            let sum = graph.one(total, &[array])?;
            number = graph.binary(BinaryOp::Add, number, sum)?;
            array = graph.binary(BinaryOp::Mul, array, number)?;
        }
        let function = graph.0.finish(vec![array, number]);
        println!("{} nodes in a row", 3 * length);
        compile(&function)?;
    }
    Ok(())
}

fn main() -> Outcome<()> {
    measure_training()?;
    measure_collatz()?;
    measure_chain()?;
    measure_long_functions()
}

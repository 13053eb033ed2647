//! Compiled graphs against the reference interpreter, with every instruction set.
#![allow(clippy::unwrap_used)]

mod calls;
mod chains;
mod control_flow;
mod faults;
mod fuzz;
mod instructions;
mod joins;
mod lists;
mod ops;
mod products;
mod profiles;
mod reductions;
mod rows;
mod shifts;
mod sizes;
mod sorting;
mod stays;
mod tapes;

use ag_ir::{
    Array, Builder, DType, Failure, Function, Host, HostError, Op, RunError, Type, ValueId, interpret,
};

use crate::isa::Isa;
use crate::memory::AlignedBytes;
use crate::{Executable, Input, ListResult, Output, Profile, ProfiledExecutable};

/// Keeps what is printed.
#[derive(Default)]
pub(crate) struct Recorder {
    pub(crate) printed: Vec<(u32, Vec<Array>)>,
    pub(crate) polls: usize,
}

impl Host for Recorder {
    fn print(&mut self, site: u32, values: &[Array]) -> Result<(), HostError> {
        self.printed.push((site, values.to_vec()));
        Ok(())
    }

    fn poll(&mut self) -> Result<(), HostError> {
        self.polls += 1;
        Ok(())
    }
}

fn aligned(bytes: &[u8]) -> AlignedBytes {
    AlignedBytes::copy_of(bytes).unwrap()
}

/// Runs a function compiled for one instruction set.
pub(crate) fn run_for(
    function: &Function,
    inputs: &[Array],
    host: &mut dyn Host,
    isa: Isa,
) -> Result<Vec<Array>, RunError> {
    let executable = Executable::compile_for(function, isa).unwrap();
    run(&executable, function, inputs, host)
}

pub(crate) fn run(
    executable: &Executable,
    function: &Function,
    inputs: &[Array],
    host: &mut dyn Host,
) -> Result<Vec<Array>, RunError> {
    with_memory(function, inputs, |given, outputs| executable.run(given, outputs, host))
        .map(|(made, ())| made)
}

/// Runs a function that measures itself; tells at most 100 executions one by one.
pub(crate) fn run_profiled(
    function: &Function,
    inputs: &[Array],
    host: &mut dyn Host,
    isa: Isa,
) -> Result<(Vec<Array>, Profile), RunError> {
    let executable = ProfiledExecutable::compile_for(function, isa).unwrap();
    with_memory(function, inputs, |given, outputs| executable.run(given, outputs, host, 100).unwrap())
}

/// Results of a run that is given inputs and memory for the results.
fn with_memory<T>(
    function: &Function,
    inputs: &[Array],
    run: impl FnOnce(&[Input<'_>], &mut [Output<'_>]) -> Result<T, RunError>,
) -> Result<(Vec<Array>, T), RunError> {
    let held: Vec<AlignedBytes> = inputs.iter().map(|input| aligned(&input.bytes)).collect();
    let given: Vec<Input<'_>> = inputs
        .iter()
        .zip(&held)
        .map(|(input, held)| {
            // SAFETY: the bytes are held meanwhile.
            let bytes = unsafe { std::slice::from_raw_parts(held.pointer(), held.len()) };
            Input::new(input.dtype, &input.sizes, bytes).unwrap()
        })
        .collect();
    let mut made: Vec<Made> =
        function.body.results.iter().map(|result| Made::new(function.ty(*result))).collect();
    let mut outputs: Vec<Output<'_>> = made.iter_mut().map(Made::output).collect();
    let told = run(&given, &mut outputs)?;
    drop(outputs);
    Ok((made.into_iter().map(Made::array).collect(), told))
}

/// Memory for a result.
struct Made {
    dtype: DType,
    /// The sizes; for a list, those of each value.
    sizes: Vec<usize>,
    bytes: AlignedBytes,
    list: Option<ListResult>,
    /// The rank, for an array whose sizes the run determines.
    rank: Option<usize>,
}

impl Made {
    fn new(ty: &Type) -> Self {
        let tensor = ty.element().unwrap_or(ty).tensor().unwrap();
        if ty.has_unknown_sizes() {
            let list = Some(ListResult::new(tensor.dtype.size()));
            let rank = Some(tensor.rank());
            return Self { dtype: tensor.dtype, sizes: vec![], bytes: aligned(&[]), list, rank };
        }
        let (dtype, sizes) = (tensor.dtype, tensor.sizes().unwrap());
        let bytes = sizes.iter().product::<usize>() * dtype.size();
        // Garbage, so that elements that are not written are noticed.
        let list = ty.element().map(|_| ListResult::new(bytes));
        Self { dtype, sizes, bytes: aligned(&vec![0xA5; bytes]), list, rank: None }
    }

    fn output(&mut self) -> Output<'_> {
        if let Some(list) = &mut self.list {
            return match self.rank {
                Some(rank) => Output::sized(self.dtype, rank, list).unwrap(),
                None => Output::list(self.dtype, &self.sizes, list).unwrap(),
            };
        }
        let length = self.bytes.len();
        // SAFETY: the bytes are held meanwhile, and nobody else has them.
        let bytes = unsafe { std::slice::from_raw_parts_mut(self.bytes.pointer_mut(), length) };
        Output::new(self.dtype, &self.sizes, bytes).unwrap()
    }

    fn array(mut self) -> Array {
        if let (Some(list), Some(rank)) = (&self.list, self.rank) {
            let sizes = list.sizes(rank).to_vec();
            return Array { dtype: self.dtype, sizes, bytes: list.bytes().to_vec() };
        }
        if let Some(list) = &self.list {
            self.sizes.insert(0, list.length());
            return Array { dtype: self.dtype, sizes: self.sizes, bytes: list.bytes().to_vec() };
        }
        // SAFETY: the bytes are held meanwhile.
        let bytes = unsafe { std::slice::from_raw_parts(self.bytes.pointer(), self.bytes.len()) }.to_vec();
        Array { dtype: self.dtype, sizes: self.sizes, bytes }
    }
}

/// The elements as `f64`.
pub(crate) fn numbers(array: &Array) -> Vec<f64> {
    let chunks = array.bytes.chunks_exact(array.dtype.size());
    chunks
        .map(|bytes| match array.dtype {
            DType::F64 => f64::from_ne_bytes(bytes.try_into().unwrap()),
            DType::F32 => f64::from(f32::from_ne_bytes(bytes.try_into().unwrap())),
            DType::I64 => i64::from_ne_bytes(bytes.try_into().unwrap()) as f64,
            DType::I32 => f64::from(i32::from_ne_bytes(bytes.try_into().unwrap())),
            DType::U8 | DType::Bool => f64::from(bytes[0]),
        })
        .collect()
}

fn is_close(a: f64, b: f64, is_single: bool) -> bool {
    if (a.is_nan() && b.is_nan()) || a == b {
        return true;
    }
    let tolerance = if is_single { 2e-4 } else { 1e-9 };
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs())) && a.is_finite() == b.is_finite()
}

pub(crate) fn assert_same_arrays(got: &[Array], want: &[Array], context: &dyn Fn() -> String) {
    assert_near_arrays(got, want, false, context);
}

/// As [`assert_same_arrays`]; doubles are as near as singles if they may have been computed from such.
fn assert_near_arrays(got: &[Array], want: &[Array], is_single: bool, context: &dyn Fn() -> String) {
    assert_eq!(got.len(), want.len());
    for (number, (got, want)) in got.iter().zip(want).enumerate() {
        assert_eq!((got.dtype, &got.sizes), (want.dtype, &want.sizes), "{}", context());
        if got.dtype.is_float() {
            for (at, (g, w)) in numbers(got).iter().zip(numbers(want)).enumerate() {
                let same = is_close(*g, w, is_single || got.dtype == DType::F32);
                assert!(same, "result {number} element {at}: {g} is not {w}\n{}", context());
            }
        } else {
            assert_eq!(got.bytes, want.bytes, "result {number}\n{}", context());
        }
    }
}

/// What two failures must have in common, as text.
fn describe(error: &RunError) -> String {
    match &error.failure {
        Failure::Check { error: class, message, site, values } => {
            format!("check {class} {message} {site:?} {values:?} {:?}", error.location)
        }
        Failure::Index { index, axis, size } => format!("index {index} {axis} {size} {:?}", error.location),
        Failure::Overflow => format!("overflow {:?}", error.location),
        Failure::NegativePower => format!("negative power {:?}", error.location),
        Failure::Recursion => format!("recursion {:?}", error.location),
        Failure::Fault(words) => format!("fault {words} {:?}", error.location),
        Failure::Host(_) => "host".to_owned(),
        Failure::OutOfMemory { bytes } => format!("memory {bytes}"),
    }
}

/// Runs the function interpreted and compiled, and compares the results. Returns them, or none if the
/// function failed.
pub(crate) fn check(function: &Function, inputs: &[Array]) -> Option<Vec<Array>> {
    check_near(function, inputs, false)
}

/// As [`check`], see [`assert_near_arrays`].
pub(crate) fn check_near(function: &Function, inputs: &[Array], is_single: bool) -> Option<Vec<Array>> {
    let mut expected_host = Recorder::default();
    let expected = interpret(function, inputs, &mut expected_host);
    profiles::check_profiled(function, inputs);
    for isa in Isa::available() {
        let mut host = Recorder::default();
        let got = run_for(function, inputs, &mut host, isa);
        let context = || format!("on {}:\n{}", isa.name(), text(function));
        match (&got, &expected) {
            (Ok(got), Ok(want)) => assert_near_arrays(got, want, is_single, &context),
            (Err(got), Err(want)) => assert_eq!(describe(got), describe(want), "{}", context()),
            (Ok(_), Err(want)) => panic!("should fail with {}\n{}", describe(want), context()),
            (Err(got), Ok(_)) => panic!("fails with {}\n{}", describe(got), context()),
        }
        assert_eq!(host.printed.len(), expected_host.printed.len(), "{}", context());
        for (got, want) in host.printed.iter().zip(&expected_host.printed) {
            assert_eq!(got.0, want.0);
            assert_same_arrays(&got.1, &want.1, &context);
        }
    }
    expected.ok()
}

/// A source of numbers that is the same every time.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// An array of modest numbers, with a few special ones.
    pub(crate) fn array(&mut self, dtype: DType, sizes: &[usize]) -> Array {
        let count: usize = sizes.iter().product();
        let mut bytes = Vec::new();
        for _ in 0..count {
            let float = match self.below(24) {
                0 => f64::NAN,
                1 => f64::INFINITY,
                2 => -0.0,
                3 => f64::NEG_INFINITY,
                _ => self.unit() * 8.0 - 4.0,
            };
            let integer = match self.below(12) {
                0 => self.next().cast_signed(),
                1 => i64::MIN,
                2 => -1,
                _ => self.below(19) as i64 - 9,
            };
            bytes.extend(element(dtype, float, integer));
        }
        Array { dtype, sizes: sizes.to_vec(), bytes }
    }

    /// An array of floats or integers between -2 and 2.
    pub(crate) fn tame(&mut self, dtype: DType, sizes: &[usize]) -> Array {
        let count: usize = sizes.iter().product();
        let mut bytes = Vec::new();
        for _ in 0..count {
            let (float, integer) = (self.unit() * 4.0 - 2.0, self.below(5) as i64 - 2);
            bytes.extend(element(dtype, float, integer));
        }
        Array { dtype, sizes: sizes.to_vec(), bytes }
    }
}

fn element(dtype: DType, float: f64, integer: i64) -> Vec<u8> {
    match dtype {
        DType::F64 => float.to_ne_bytes().to_vec(),
        DType::F32 => (float as f32).to_ne_bytes().to_vec(),
        DType::I64 => integer.to_ne_bytes().to_vec(),
        DType::I32 => (integer as i32).to_ne_bytes().to_vec(),
        DType::U8 => vec![integer as u8],
        DType::Bool => vec![u8::from(integer > 0)],
    }
}

pub(crate) fn i64_array(numbers: &[i64]) -> Array {
    Array {
        dtype: DType::I64,
        sizes: vec![numbers.len()],
        bytes: numbers.iter().flat_map(|number| number.to_ne_bytes()).collect(),
    }
}

pub(crate) fn scalar_i64(number: i64) -> Array {
    Array { dtype: DType::I64, sizes: vec![], bytes: number.to_ne_bytes().to_vec() }
}

/// Emits a node with one result.
pub(crate) fn one(builder: &mut Builder, op: Op, operands: &[ValueId]) -> ValueId {
    builder.emit(op, operands, None).unwrap_or_else(|error| panic!("{error:?}"))[0]
}

pub(crate) fn int(builder: &mut Builder, number: i64) -> ValueId {
    builder.scalar(DType::I64, &number.to_ne_bytes()).unwrap()
}

/// A function of one node.
pub(crate) fn single(op: Op, inputs: &[Array]) -> Option<Function> {
    let mut builder = Builder::new("single");
    let params: Vec<ValueId> =
        inputs.iter().map(|input| builder.param(Type::known(input.dtype, &input.sizes))).collect();
    let results = builder.emit(op, &params, None).ok()?;
    Some(builder.finish(results))
}

/// A function to read, one node a line.
fn text(function: &Function) -> String {
    fn block_text(function: &Function, block: &ag_ir::Block, indent: usize, out: &mut String) {
        let names = |values: &[ValueId]| {
            let each: Vec<String> =
                values.iter().map(|value| format!("%{}: {}", value.0, function.ty(*value))).collect();
            each.join(", ")
        };
        let pad = "  ".repeat(indent);
        out.push_str(&format!("{pad}({}) {{\n", names(&block.params)));
        for node in &block.nodes {
            let op = format!("{:?}", node.op);
            out.push_str(&format!("{pad}  {} = {op} {}\n", names(&node.results), names(&node.operands)));
            for region in &node.regions {
                block_text(function, region, indent + 2, out);
            }
        }
        out.push_str(&format!("{pad}}} -> {}\n", names(&block.results)));
    }
    let mut out = String::new();
    block_text(function, &function.body, 0, &mut out);
    out
}

//! What all tests here do: a program of one row is batched in every way, and has to give what the
//! interpreter gives row by row.

use std::fmt::Write as _;

use ag_grad::{GradientError, Operand, vmap};
use ag_ir::{
    Array, Block, Builder, DType, Dim, Function, Host, HostError, Node, Op, RunError, Type, ValueId,
    interpret, read, verify,
};

/// How many rows there are.
pub(crate) const ROWS: usize = 4;

/// How often loops may go round and functions be called, in all.
const PATIENCE: usize = 100_000;

/// Keeps what is printed, and stops a program that does not end.
#[derive(Default)]
pub(crate) struct Printed(pub(crate) Vec<(u32, Vec<Array>)>, usize);

impl Host for Printed {
    fn print(&mut self, site: u32, values: &[Array]) -> Result<(), HostError> {
        self.0.push((site, values.to_vec()));
        Ok(())
    }

    fn poll(&mut self) -> Result<(), HostError> {
        self.1 += 1;
        if self.1 > PATIENCE { Err(Box::new("it does not end")) } else { Ok(()) }
    }
}

/// How a program is batched.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// Which operands are.
    pub(crate) flags: Vec<bool>,
    /// Whether the type says how many rows there are.
    pub(crate) is_known: bool,
    pub(crate) rows: usize,
}

/// A program with values for each row: of each operand one array for each row.
pub(crate) struct Case {
    pub(crate) function: Function,
    pub(crate) rows: Vec<Vec<Array>>,
}

pub(crate) fn parse(text: &str) -> Function {
    let function = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&function).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    function
}

/// Numbers that look random, from a seed.
pub(crate) fn draw(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 33
}

/// An array of a parameter's type; lists have three values.
pub(crate) fn value(ty: &Type, seed: &mut u64) -> Array {
    let tensor = ty.stacked(3).unwrap();
    let sizes: Vec<usize> = tensor.shape.iter().map(|dim| dim.known().unwrap_or(3)).collect();
    let count: usize = sizes.iter().product();
    let mut bytes = Vec::new();
    for _ in 0..count {
        let number = draw(seed);
        match tensor.dtype {
            DType::Bool => bytes.push((number % 2) as u8),
            DType::U8 => bytes.push((number % 200) as u8),
            DType::I32 => bytes.extend(((number % 7) as i32 - 3).to_ne_bytes()),
            DType::I64 => bytes.extend(((number % 3) as i64).to_ne_bytes()),
            DType::F32 => bytes.extend(((number % 64) as f32 / 16.0 - 1.0).to_ne_bytes()),
            DType::F64 => bytes.extend(((number % 512) as f64 / 128.0 - 1.0).to_ne_bytes()),
        }
    }
    Array { dtype: tensor.dtype, sizes, bytes }
}

impl Case {
    /// A program with made-up values.
    pub(crate) fn new(text: &str) -> Self {
        let function = parse(text);
        let mut seed = 7;
        let rows = function
            .body
            .params
            .iter()
            .map(|param| (0..ROWS).map(|_| value(function.ty(*param), &mut seed)).collect())
            .collect();
        Self { function, rows }
    }

    /// With these values of an operand.
    pub(crate) fn with_integers(mut self, operand: usize, values: &[i64]) -> Self {
        self.rows[operand] = values.iter().map(|value| integer(*value)).collect();
        self
    }

    pub(crate) fn with_floats(mut self, operand: usize, values: &[f64]) -> Self {
        self.rows[operand] = values.iter().map(|value| floats(&[], &[*value])).collect();
        self
    }

    /// What the operands of one row are.
    fn row(&self, way: &Way, row: usize) -> Vec<Array> {
        let pick = |(operand, values): (usize, &Vec<Array>)| {
            values[if way.flags[operand] { row } else { 0 }].clone()
        };
        self.rows.iter().enumerate().map(pick).collect()
    }

    /// The batched program, its operands, and which of its results are batched.
    pub(crate) fn batched(&self, way: &Way) -> Result<(Function, Vec<Array>, Vec<bool>), GradientError> {
        let mut builder = Builder::new("batched");
        let dim = if way.is_known { Dim::Known(way.rows) } else { Dim::Unknown };
        let mut operands = Vec::new();
        let mut inputs = Vec::new();
        for (number, param) in self.function.body.params.iter().enumerate() {
            let ty = self.function.ty(*param);
            let is_batched = way.flags[number];
            let ty = if is_batched { batch_type(ty, dim) } else { ty.clone() };
            operands.push(Operand { value: builder.param(ty.clone()), is_batched });
            let rows = &self.rows[number];
            inputs.push(match ty {
                _ if !is_batched => rows[0].clone(),
                Type::Tensor(_) => first(&stack(rows), way.rows),
                Type::List(_) => swap(&first(&stack(rows), way.rows)),
            });
        }
        let region = graft(&mut builder, &self.function);
        let depth = builder.depth();
        let results = vmap(&mut builder, &region, &operands);
        assert_eq!(builder.depth(), depth);
        let results = results?;
        let (values, flags): (Vec<ValueId>, Vec<bool>) = results.into_iter().unzip();
        let function = builder.finish(values);
        verify(&function).unwrap_or_else(|errors| panic!("{way:?}: {errors:?}\n{function}"));
        Ok((function, inputs, flags))
    }

    /// What each row gives, one after the other.
    pub(crate) fn row_by_row(&self, way: &Way) -> Result<Vec<Vec<Array>>, RunError> {
        (0..way.rows)
            .map(|row| interpret(&self.function, &self.row(way, row), &mut Printed::default()))
            .collect()
    }

    /// Batches in one way and compares; gives whether rows fail.
    fn check_way(&self, way: &Way) -> bool {
        let (function, inputs, flags) =
            self.batched(way).unwrap_or_else(|error| panic!("{way:?}: {error}\n{}", self.function));
        let expected = self.row_by_row(way);
        let got = interpret(&function, &inputs, &mut Printed::default());
        let (expected, got) = match (expected, got) {
            (Ok(expected), Ok(got)) => (expected, got),
            (Err(expected), Err(got)) => {
                assert_eq!(
                    format!("{:?}", expected.failure),
                    format!("{:?}", got.failure),
                    "{way:?}\n{function}"
                );
                return true;
            }
            (expected, got) => panic!("{way:?}: rows {expected:?}\nbatch {got:?}\n{function}"),
        };
        self.compare(way, &flags, &expected, &got);
        let function = ag_optimize::optimize(function);
        let got = interpret(&function, &inputs, &mut Printed::default()).unwrap();
        self.compare(way, &flags, &expected, &got);
        false
    }

    /// Batches in all ways and compares.
    pub(crate) fn check(&self) {
        for way in self.ways() {
            assert!(!self.check_way(&way), "{way:?} fails");
        }
    }

    /// As [`Case::check`], where rows fail in some ways: with the words of the first row that does.
    pub(crate) fn check_failing(&self) {
        let ways = self.ways().into_iter().filter(|way| way.rows > 0);
        let fails = ways.filter(|way| self.check_way(way)).count();
        assert!(fails > 0, "no row fails");
    }

    /// Whether the batch gave what the rows did.
    pub(crate) fn compare(&self, way: &Way, flags: &[bool], expected: &[Vec<Array>], got: &[Array]) {
        for (number, result) in got.iter().enumerate() {
            let is_list = matches!(self.function.ty(self.function.body.results[number]), Type::List(_));
            let result = if is_list && flags[number] { swap(result) } else { result.clone() };
            for (row, values) in expected.iter().enumerate() {
                let own = if flags[number] { part(&result, row) } else { result.clone() };
                assert_eq!(
                    (show(&own), own.dtype),
                    (show(&values[number]), values[number].dtype),
                    "{way:?}: result {number} of row {row}\n{}",
                    self.function
                );
            }
        }
    }

    /// Every choice of batched operands, with a number of rows that is known or not. Lists hold arrays of
    /// known sizes only.
    fn ways(&self) -> Vec<Way> {
        let body = &self.function.body;
        let is_list = |id: &ValueId| matches!(self.function.ty(*id), Type::List(_));
        let has_lists = body.params.iter().chain(&body.results).any(is_list);
        let count = body.params.len();
        let mut all = Vec::new();
        for mask in 0..1_usize << count {
            for (is_known, rows) in
                [(true, ROWS), (true, 1), (true, 0), (false, ROWS), (false, 1), (false, 0)]
            {
                if is_known || !has_lists {
                    let flags = (0..count).map(|number| mask >> number & 1 == 1).collect();
                    all.push(Way { flags, is_known, rows });
                }
            }
        }
        all
    }

    /// The message of the refusal, when all operands are batched.
    pub(crate) fn refusal(&self) -> String {
        let way = Way { flags: vec![true; self.rows.len()], is_known: true, rows: ROWS };
        self.batched(&way).map(|(function, ..)| function.to_string()).unwrap_err().message
    }
}

fn batch_type(ty: &Type, dim: Dim) -> Type {
    match ty {
        Type::Tensor(tensor) => Type::new(tensor.dtype, [&[dim], &tensor.shape[..]].concat()),
        Type::List(element) => Type::list_of(batch_type(element, dim)),
    }
}

/// Puts the body of a finished function into a builder, with its functions; gives the region.
pub(crate) fn graft(builder: &mut Builder, function: &Function) -> Block {
    let first = builder.declare("first");
    builder.define(first, Block::default());
    for _ in 0..tape_count(function) {
        builder.new_tape();
    }
    let mut numbers = Vec::new();
    for callee in &function.functions {
        numbers.push(builder.declare(callee.name.clone()));
    }
    for (number, callee) in numbers.iter().zip(&function.functions) {
        let body = moved(builder, callee, &numbers);
        builder.define(*number, body);
    }
    moved(builder, function, &numbers)
}

/// One more than the highest number of a tape.
fn tape_count(function: &Function) -> u32 {
    let text = function.to_string();
    let digits = |rest: &str| rest.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok();
    text.split("tape=").skip(1).filter_map(digits).max().map_or(0, |last: u32| last + 1)
}

fn moved(builder: &mut Builder, function: &Function, numbers: &[usize]) -> Block {
    let offset = builder.function().values.len() as u32;
    builder.function_mut().values.extend(function.values.iter().cloned());
    let mut body = function.body.clone();
    shift(&mut body, offset, numbers);
    body
}

fn shift(block: &mut Block, offset: u32, numbers: &[usize]) {
    let move_all = |ids: &mut Vec<ValueId>| ids.iter_mut().for_each(|id| id.0 += offset);
    move_all(&mut block.params);
    move_all(&mut block.results);
    for Node { op, operands, results, regions, location } in &mut block.nodes {
        if let Op::Call(call) = op {
            call.callee = numbers[call.callee];
        }
        *location = None;
        move_all(operands);
        move_all(results);
        regions.iter_mut().for_each(|region| shift(region, offset, numbers));
    }
}

pub(crate) fn integer(value: i64) -> Array {
    Array { dtype: DType::I64, sizes: vec![], bytes: value.to_ne_bytes().to_vec() }
}

pub(crate) fn floats(sizes: &[usize], values: &[f64]) -> Array {
    let bytes = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
    Array { dtype: DType::F64, sizes: sizes.to_vec(), bytes }
}

pub(crate) fn stack(rows: &[Array]) -> Array {
    Array {
        dtype: rows[0].dtype,
        sizes: std::iter::once(rows.len()).chain(rows[0].sizes.iter().copied()).collect(),
        bytes: rows.iter().flat_map(|row| row.bytes.clone()).collect(),
    }
}

/// The first rows only.
fn first(array: &Array, rows: usize) -> Array {
    let sizes = [&[rows], &array.sizes[1..]].concat();
    let length = sizes.iter().product::<usize>() * array.dtype.size();
    Array { dtype: array.dtype, sizes, bytes: array.bytes[..length].to_vec() }
}

pub(crate) fn part(array: &Array, row: usize) -> Array {
    let sizes = array.sizes[1..].to_vec();
    let length = sizes.iter().product::<usize>() * array.dtype.size();
    let bytes = array.bytes[row * length..(row + 1) * length].to_vec();
    Array { dtype: array.dtype, sizes, bytes }
}

/// The first two axes in the other order.
fn swap(array: &Array) -> Array {
    let (rows, columns) = (array.sizes[0], array.sizes[1]);
    let length = array.sizes[2..].iter().product::<usize>() * array.dtype.size();
    let mut bytes = Vec::new();
    for column in 0..columns {
        for row in 0..rows {
            let at = (row * columns + column) * length;
            bytes.extend_from_slice(&array.bytes[at..at + length]);
        }
    }
    let sizes = [&[columns, rows], &array.sizes[2..]].concat();
    Array { dtype: array.dtype, sizes, bytes }
}

/// An array in words; NaNs are alike.
pub(crate) fn show(array: &Array) -> String {
    let mut text = format!("{:?}", array.sizes);
    for bytes in array.bytes.chunks(array.dtype.size()) {
        let number = match array.dtype {
            DType::F64 => f64::from_ne_bytes(bytes.try_into().unwrap()),
            DType::F32 => f64::from(f32::from_ne_bytes(bytes.try_into().unwrap())),
            DType::I64 => i64::from_ne_bytes(bytes.try_into().unwrap()) as f64,
            DType::I32 => f64::from(i32::from_ne_bytes(bytes.try_into().unwrap())),
            DType::U8 | DType::Bool => f64::from(bytes[0]),
        };
        let _ = write!(text, " {number:?}");
    }
    text
}

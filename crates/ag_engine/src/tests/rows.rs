//! Loops whose rows run side by side: what each row's own loop gives, and the failure of the first row that fails.

use ag_ir::{
    Array, BinaryOp, Builder, CompareOp, DType, Dim, Function, Op, Overflow, Store, Type, UnaryOp, ValueId,
};

use super::{Random, check, i64_array, int, one};
use crate::Executable;

const CHECKED: Op = Op::Binary(BinaryOp::Add, Overflow::Check);

/// A loop over rows being built:
///
/// ```text
/// for row in range(n):
///     x, most, count = xs[row], steps[row], counts[row]
///     y, z, k = x, 1, 0
///     while k < most and |y| < limit:
///         y, z = …, …
///         k, count = k + 1, count + 1        # both may leave 64 bits
///     ys[row], zs[row], counts[row] = y, z, count
/// ```
struct Rows {
    builder: Builder,
    random: Random,
    dtype: DType,
    /// Numbers of the row that ops may take.
    values: Vec<ValueId>,
}

impl Rows {
    fn op(&mut self, op: Op, operands: &[ValueId]) -> ValueId {
        one(&mut self.builder, op, operands)
    }

    fn float(&mut self, number: f64) -> ValueId {
        let bytes = match self.dtype {
            DType::F32 => (number as f32).to_ne_bytes().to_vec(),
            _ => number.to_ne_bytes().to_vec(),
        };
        self.builder.scalar(self.dtype, &bytes).unwrap()
    }

    fn pick(&mut self) -> ValueId {
        *self.random.pick(&self.values)
    }

    /// A number of others.
    fn number(&mut self) -> ValueId {
        let (a, b) = (self.pick(), self.pick());
        match self.random.below(9) {
            0 => {
                let op = *self.random.pick(&[UnaryOp::Neg, UnaryOp::Abs, UnaryOp::Floor, UnaryOp::Sqrt]);
                self.op(Op::Unary(op, Overflow::Wrap), &[a])
            }
            1 => {
                let test = self.op(Op::Compare(CompareOp::Lt), &[a, b]);
                self.op(Op::Select, &[test, b, a])
            }
            2 => {
                let test = self.op(Op::Compare(CompareOp::Ge), &[a, b]);
                self.builder.open();
                let half = self.float(0.5);
                let made = self.op(Op::Binary(BinaryOp::Mul, Overflow::Wrap), &[a, half]);
                let then = self.builder.close(vec![made]);
                self.builder.open();
                let otherwise = self.builder.close(vec![b]);
                let emitted = self.builder.emit_with_regions(Op::If, &[test], vec![then, otherwise], None);
                emitted.unwrap()[0]
            }
            _ => {
                use BinaryOp::{Add, Div, Maximum, Minimum, Mul, Sub};
                let op = *self.random.pick(&[Add, Sub, Mul, Div, Add, Sub, Mul, Maximum, Minimum]);
                self.op(Op::Binary(op, Overflow::Wrap), &[a, b])
            }
        }
    }

    fn numbers(&mut self, count: usize) {
        for _ in 0..count {
            let made = self.number();
            self.values.push(made);
        }
    }

    /// The loop of one row.
    fn row(&mut self, x: ValueId, most: ValueId, count: ValueId) -> Vec<ValueId> {
        let (zero, unit, limit) = (int(&mut self.builder, 0), int(&mut self.builder, 1), self.float(1e6));
        let dtype = Type::scalar(self.dtype);
        let types = [dtype.clone(), dtype, Type::scalar(DType::I64), Type::scalar(DType::I64)];
        let z = self.pick();
        self.builder.open();
        let params: Vec<ValueId> = types.iter().map(|ty| self.builder.param(ty.clone())).collect();
        let is_left = self.op(Op::Compare(CompareOp::Lt), &[params[2], most]);
        let size = self.op(Op::Unary(UnaryOp::Abs, Overflow::Wrap), &[params[0]]);
        let is_small = self.op(Op::Compare(CompareOp::Lt), &[size, limit]);
        let goes_on = self.op(Op::Binary(BinaryOp::BitAnd, Overflow::Wrap), &[is_left, is_small]);
        let test = self.builder.close(vec![goes_on]);
        self.builder.open();
        let params: Vec<ValueId> = types.iter().map(|ty| self.builder.param(ty.clone())).collect();
        let outside = self.values.clone();
        self.values.extend(&params[..2]);
        let length = 1 + self.random.below(6);
        self.numbers(length);
        // Rows of a loop that divides run side by side.
        let operands = [self.values[self.values.len() - 1], self.pick()];
        let y = self.op(Op::Binary(BinaryOp::Div, Overflow::Wrap), &operands);
        self.values.push(y);
        // A result that is another carry, a number from outside or the same as the other result, too.
        let z_next = self.pick();
        self.values = outside;
        let k = self.op(CHECKED, &[params[2], unit]);
        let counted = self.op(CHECKED, &[params[3], unit]);
        let body = self.builder.close(vec![y, z_next, k, counted]);
        let emitted =
            self.builder.emit_with_regions(Op::While, &[x, z, zero, count], vec![test, body], None).unwrap();
        self.values.extend(&emitted[..2]);
        self.numbers(2);
        let last = self.values[self.values.len() - 1];
        vec![last, emitted[1], emitted[3]]
    }
}

/// The loop over `rows` rows: as many as an array has, if that is known in the run only.
fn loop_over_rows(seed: u64, rows: Dim) -> Function {
    let mut random = Random(seed);
    let dtype = *random.pick(&[DType::F64, DType::F32]);
    let mut made = Rows { builder: Builder::new("rows"), random, dtype, values: Vec::new() };
    let array = |dtype| Type::new(dtype, vec![rows]);
    let arrays = [DType::I64, DType::I64, dtype, dtype].map(|dtype| made.builder.param(array(dtype)));
    let outer = made.builder.param(Type::scalar(dtype));
    let [start, step] = [0, 1].map(|bound| int(&mut made.builder, bound));
    let (stop, sizes) = match rows.known() {
        Some(rows) => (int(&mut made.builder, rows as i64), Vec::new()),
        None => {
            let size = one(&mut made.builder, Op::Size(0), &arrays[..1]);
            (size, vec![size])
        }
    };
    let bounds = [start, stop, step];
    let empty = made.float(0.0);
    let none = int(&mut made.builder, 0);
    let inits = [empty, empty, none].map(|value| {
        let operands = [&[value], &sizes[..]].concat();
        one(&mut made.builder, Op::Broadcast(vec![rows]), &operands)
    });
    made.builder.open();
    let row = made.builder.param(Type::scalar(DType::I64));
    let all: Vec<ValueId> = [dtype, dtype, DType::I64].map(|dtype| made.builder.param(array(dtype))).to_vec();
    let gather = Op::Gather { axis: 0, count: 1 };
    let [most, count, x, w] = arrays.map(|array| one(&mut made.builder, gather.clone(), &[array, row]));
    made.values = vec![x, w, outer];
    made.numbers(2);
    let results = made.row(x, most, count);
    let scatter = Op::Scatter { axis: 0, count: 1, store: Store::Replace };
    let written = all
        .into_iter()
        .zip(results)
        .map(|(all, value)| one(&mut made.builder, scatter.clone(), &[all, value, row]))
        .collect();
    let body = made.builder.close(written);
    let operands = [&bounds[..], &inits[..]].concat();
    let results = made.builder.emit_with_regions(Op::For, &operands, vec![body], None).unwrap();
    made.builder.finish(results)
}

fn floats(function: &Function, random: &mut Random, rows: usize) -> [Array; 3] {
    let dtype = function.tensor(function.body.params[2]).dtype;
    [&[rows][..], &[rows], &[]].map(|sizes| random.tame(dtype, sizes))
}

const COUNTS: [usize; 6] = [24, 100, 255, 256, 257, 700];

#[test]
fn rows_run_side_by_side_as_alone() {
    for seed in 0..60 {
        println!("seed {seed}");
        let rows = COUNTS[seed as usize % COUNTS.len()];
        let function = loop_over_rows(seed, Dim::Known(rows));
        let kernels = Executable::compile(&function).unwrap().report();
        assert!(kernels.contains(" 4 kernels"), "three arrays are filled, and rows run: {kernels}");
        let mut random = Random(seed + 1000);
        let [x, w, outer] = floats(&function, &mut random, rows);
        // Some rows go on for long when the others of their block have left.
        let most: Vec<i64> =
            (0..rows).map(|_| if random.below(150) == 0 { 400 } else { random.below(9) as i64 }).collect();
        let counts: Vec<i64> = (0..rows as i64).collect();
        check(&function, &[i64_array(&most), i64_array(&counts), x, w, outer]);
    }
}

#[test]
fn as_many_rows_as_there_are_run_side_by_side() {
    for seed in 200..240 {
        println!("seed {seed}");
        let function = loop_over_rows(seed, Dim::Unknown);
        let kernels = Executable::compile(&function).unwrap().report();
        assert!(kernels.contains(" 4 kernels"), "three arrays are filled, and rows run: {kernels}");
        let mut random = Random(seed + 1000);
        for rows in [0, 1, 23, 24, 255, 256, 257, 700] {
            let [x, w, outer] = floats(&function, &mut random, rows);
            let most: Vec<i64> = (0..rows)
                .map(|_| if random.below(150) == 0 { 400 } else { random.below(9) as i64 })
                .collect();
            check(&function, &[i64_array(&most), i64_array(&vec![0; rows]), x, w, outer]);
        }
    }
}

/// The rows are those of the first array. Another that is shorter has all rows up to its end.
#[test]
fn the_first_row_that_an_array_lacks_is_told() {
    for (seed, shorter) in (300..308).zip([0, 1, 23, 100, 255, 256, 290, 299]) {
        println!("seed {seed}");
        let (rows, function) = (300, loop_over_rows(seed, Dim::Unknown));
        let mut random = Random(seed);
        let [x, w, outer] = floats(&function, &mut random, rows);
        let short = floats(&function, &mut random, shorter);
        let (most, counts) = (i64_array(&vec![5; rows]), i64_array(&vec![0; rows]));
        let few = i64_array(&vec![0; shorter]);
        check(&function, &[most.clone(), few.clone(), x.clone(), w.clone(), outer.clone()]);
        check(&function, &[most.clone(), counts.clone(), short[0].clone(), w.clone(), outer.clone()]);
        check(&function, &[most.clone(), counts.clone(), x.clone(), short[1].clone(), outer.clone()]);
        check(&function, &[most, few, short[0].clone(), w, outer.clone()]);
        check(&function, &[i64_array(&vec![5; shorter]), counts, x.clone(), x, outer]);
    }
}

#[test]
fn the_first_row_that_fails_is_told() {
    for seed in 100..120 {
        println!("seed {seed}");
        let rows = 300;
        let function = loop_over_rows(seed, [Dim::Known(rows), Dim::Unknown][seed as usize % 2]);
        let mut random = Random(seed);
        let [x, w, outer] = floats(&function, &mut random, rows);
        let most = vec![5; rows];
        let mut counts = vec![0; rows];
        for _ in 0..random.below(3) {
            counts[random.below(rows)] = i64::MAX - 2;
        }
        check(&function, &[i64_array(&most), i64_array(&counts), x, w, outer]);
    }
}

/// `for row in range(n): y = x[row]; y += w[row]; out[row] = y` needs no `while`.
#[test]
fn rows_without_loops() {
    let rows = 500;
    let mut builder = Builder::new("rows");
    let x = builder.param(Type::known(DType::F64, &[rows]));
    let out = builder.param(Type::known(DType::F64, &[rows]));
    let bounds = [3, rows as i64 - 1, 1].map(|bound| int(&mut builder, bound));
    builder.open();
    let row = builder.param(Type::scalar(DType::I64));
    let all = builder.param(Type::known(DType::F64, &[rows]));
    let y = one(&mut builder, Op::Gather { axis: 0, count: 1 }, &[x, row]);
    let y = one(&mut builder, Op::Binary(BinaryOp::Add, Overflow::Wrap), &[y, y]);
    let scatter = Op::Scatter { axis: 0, count: 1, store: Store::Replace };
    let written = one(&mut builder, scatter, &[all, y, row]);
    let body = builder.close(vec![written]);
    let operands = [&bounds[..], &[out]].concat();
    let results = builder.emit_with_regions(Op::For, &operands, vec![body], None).unwrap();
    let function = builder.finish(results);
    assert!(Executable::compile(&function).unwrap().report().contains(" 1 kernels"));
    let mut random = Random(5);
    check(&function, &[random.tame(DType::F64, &[rows]), random.tame(DType::F64, &[rows])]);
}

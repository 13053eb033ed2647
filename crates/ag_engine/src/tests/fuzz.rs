//! Random structured programs: the plan's decisions about memory must never change a result.
//!
//! Programs have nested loops, branches, recursive functions, arrays that are carried, swapped, updated in
//! place and seen through views, scalars that index them, lists, arrays of unknown sizes, and tapes.

mod lists;
mod sizes;
mod tapes;

use ag_ir::{
    Array, BinaryOp, Builder, Call, CompareOp, DType, DotAxes, Function, Op, Overflow, ReduceOp, Store, Type,
    UnaryOp, ValueId, known_shape,
};

use super::{Random, assert_same_arrays, check, int, one};

const ADD: Op = Op::Binary(BinaryOp::Add, Overflow::Wrap);

/// Values in scope, by kind. All matrices are `f64[4, 4]`, all vectors `f64[4]`; lists are of numbers or of
/// rows, which are vectors; sized arrays are `f64[?]`, and tables are `f64[?, 4]`.
#[derive(Clone, Default)]
struct Scope {
    matrices: Vec<ValueId>,
    vectors: Vec<ValueId>,
    floats: Vec<ValueId>,
    ints: Vec<ValueId>,
    /// Functions whose bodies enclose this place, each with the number of calls that may still nest.
    callees: Vec<(usize, ValueId)>,
    numbers: Vec<ValueId>,
    rows: Vec<ValueId>,
    sized: Vec<ValueId>,
    tables: Vec<ValueId>,
}

fn matrix() -> Type {
    Type::known(DType::F64, &[4, 4])
}

fn vector() -> Type {
    Type::known(DType::F64, &[4])
}

struct Writer {
    builder: Builder,
    random: Random,
    /// Nodes left to write.
    budget: usize,
    /// The number of tapes.
    tapes: u32,
}

impl Writer {
    fn one(&mut self, op: Op, operands: &[ValueId]) -> ValueId {
        one(&mut self.builder, op, operands)
    }

    /// An index that is mostly in range.
    fn index(&mut self, scope: &Scope) -> ValueId {
        let given = *self.random.pick(&scope.ints);
        if self.random.below(200) == 0 {
            return given;
        }
        let four = int(&mut self.builder, 4);
        self.one(Op::Binary(BinaryOp::Mod, Overflow::Wrap), &[given, four])
    }

    /// Keeps numbers from growing, so that digits are compared, not infinities.
    fn tame(&mut self, value: ValueId) -> ValueId {
        let op = *self.random.pick(&[UnaryOp::Sin, UnaryOp::Tanh, UnaryOp::Arctan]);
        self.one(Op::Unary(op, Overflow::Wrap), &[value])
    }

    fn matrix_node(&mut self, scope: &Scope) -> ValueId {
        let x = *self.random.pick(&scope.matrices);
        let y = *self.random.pick(&scope.matrices);
        match self.random.below(14) {
            0 => self.one(ADD, &[x, y]),
            1 => {
                let row = *self.random.pick(&scope.vectors);
                self.one(Op::Binary(BinaryOp::Sub, Overflow::Wrap), &[x, row])
            }
            2 => {
                let scale = *self.random.pick(&scope.floats);
                self.one(Op::Binary(BinaryOp::Mul, Overflow::Wrap), &[x, scale])
            }
            3 => self.one(Op::Transpose(vec![1, 0]), &[x]),
            4 | 5 => {
                let axes = DotAxes {
                    left_batch: vec![],
                    right_batch: vec![],
                    left_contract: vec![self.random.below(2)],
                    right_contract: vec![self.random.below(2)],
                };
                let y = if self.random.below(2) == 0 { self.one(Op::Transpose(vec![1, 0]), &[y]) } else { y };
                let product = self.one(Op::Dot(axes), &[x, y]);
                if self.random.below(2) == 0 {
                    return self.tame(product);
                }
                self.added(product, scope)
            }
            6 | 7 => {
                let (row, at) = (*self.random.pick(&scope.vectors), self.index(scope));
                let op = self.scatter(1);
                self.one(op, &[x, row, at])
            }
            8 => {
                let (value, i, j) = (*self.random.pick(&scope.floats), self.index(scope), self.index(scope));
                let op = self.scatter(2);
                self.one(op, &[x, value, i, j])
            }
            9 => {
                let slice =
                    Op::Slice { start: vec![1, 0], size: ag_ir::known_shape(&[2, 4]), step: vec![2, 1] };
                let part = self.one(slice, &[y]);
                self.one(Op::UpdateSlice { start: vec![3, 0], step: vec![-1, 1] }, &[x, part])
            }
            10 => {
                let start = int(&mut self.builder, 1);
                let part = self.one(Op::DynamicSlice { axis: 0, size: 2 }, &[y, start]);
                let axis = 0;
                let zero = int(&mut self.builder, 0);
                self.one(Op::DynamicUpdateSlice { axis }, &[x, part, zero])
            }
            11 => {
                let flat = self.one(Op::Reshape(known_shape(&[16])), &[x]);
                let sum = self.one(Op::Cumulative { op: ReduceOp::Sum, axis: 0 }, &[flat]);
                let sum = self.tame(sum);
                self.one(Op::Reshape(known_shape(&[4, 4])), &[sum])
            }
            12 => {
                let column = *self.random.pick(&scope.vectors);
                let column = self.one(Op::Reshape(known_shape(&[4, 1])), &[column]);
                let wide = self.one(Op::Broadcast(known_shape(&[4, 4])), &[column]);
                self.one(ADD, &[wide, x])
            }
            _ => {
                let test = self.one(Op::Compare(CompareOp::Lt), &[x, y]);
                let sum = self.one(ADD, &[x, y]);
                self.one(Op::Select, &[test, x, sum])
            }
        }
    }

    /// A product, possibly transposed, added to an array, sometimes twice. The array also has other uses, so
    /// that the sum is an array of its own.
    fn added(&mut self, product: ValueId, scope: &Scope) -> ValueId {
        let mut total = *self.random.pick(&scope.matrices);
        for _ in 0..1 + self.random.below(2) {
            let turned = if self.random.below(2) == 0 {
                self.one(Op::Transpose(vec![1, 0]), &[product])
            } else {
                let (row, column) = (*self.random.pick(&scope.vectors), *self.random.pick(&scope.vectors));
                let axes = DotAxes {
                    left_batch: vec![],
                    right_batch: vec![],
                    left_contract: vec![],
                    right_contract: vec![],
                };
                self.one(Op::Dot(axes), &[row, column])
            };
            let operands = if self.random.below(2) == 0 { [total, turned] } else { [turned, total] };
            total = self.one(ADD, &operands);
        }
        self.builder.emit(Op::Print { site: 4 }, &[total], None).unwrap();
        self.tame(total)
    }

    /// An element is replaced, or added to.
    fn scatter(&mut self, count: usize) -> Op {
        let store = if self.random.below(2) == 0 { Store::Replace } else { Store::Add };
        Op::Scatter { axis: 0, count, store }
    }

    fn vector_node(&mut self, scope: &Scope) -> ValueId {
        let x = *self.random.pick(&scope.vectors);
        let m = *self.random.pick(&scope.matrices);
        match self.random.below(7) {
            0 => {
                let y = *self.random.pick(&scope.vectors);
                self.one(ADD, &[x, y])
            }
            1 => {
                let axis = self.random.below(2);
                let sum = self.one(Op::Reduce { op: ReduceOp::Sum, axes: vec![axis], keepdims: false }, &[m]);
                self.tame(sum)
            }
            2 | 3 => {
                let at = self.index(scope);
                self.one(Op::Gather { axis: 0, count: 1 }, &[m, at])
            }
            4 => {
                let at = self.index(scope);
                let value = *self.random.pick(&scope.floats);
                self.one(Op::Scatter { axis: 0, count: 1, store: Store::Replace }, &[x, value, at])
            }
            5 => self.tame(x),
            _ => {
                let slice =
                    Op::Slice { start: vec![2, 0], size: ag_ir::known_shape(&[1, 4]), step: vec![1, 1] };
                let row = self.one(slice, &[m]);
                self.one(Op::Reshape(known_shape(&[4])), &[row])
            }
        }
    }

    fn scalar_node(&mut self, scope: &mut Scope) {
        match self.random.below(4) {
            0 => {
                let (m, i, j) = (*self.random.pick(&scope.matrices), self.index(scope), self.index(scope));
                scope.floats.push(self.one(Op::Gather { axis: 0, count: 2 }, &[m, i, j]));
            }
            1 => {
                let m = *self.random.pick(&scope.matrices);
                let sum = self.one(Op::Reduce { op: ReduceOp::Sum, axes: vec![0, 1], keepdims: false }, &[m]);
                let sum = self.tame(sum);
                scope.floats.push(sum);
            }
            2 => {
                let (a, b) = (*self.random.pick(&scope.ints), *self.random.pick(&scope.ints));
                let op = *self.random.pick(&[BinaryOp::Add, BinaryOp::Mul, BinaryOp::Sub]);
                let overflow = *self.random.pick(&[Overflow::Wrap, Overflow::Wrap, Overflow::Check]);
                scope.ints.push(self.one(Op::Binary(op, overflow), &[a, b]));
            }
            _ => {
                let (a, b) = (*self.random.pick(&scope.floats), *self.random.pick(&scope.floats));
                scope.floats.push(self.one(Op::Binary(BinaryOp::Mul, Overflow::Wrap), &[a, b]));
            }
        }
    }

    /// Some nodes, and what is in scope after them.
    fn block(&mut self, scope: &mut Scope, depth: usize) {
        let length = 1 + self.random.below(5);
        for _ in 0..length {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            match self.random.below(22) {
                21 => self.taped(scope, depth),
                16..=20 => self.sized_node(scope),
                12..=14 => self.list_node(scope),
                15 => self.stacked(scope),
                0..=4 => {
                    let made = self.matrix_node(scope);
                    scope.matrices.push(made);
                }
                5 | 6 => {
                    let made = self.vector_node(scope);
                    scope.vectors.push(made);
                }
                7 => self.scalar_node(scope),
                8 => {
                    let shown = [*self.random.pick(&scope.matrices), *self.random.pick(&scope.floats)];
                    self.builder.emit(Op::Print { site: 1 }, &shown, None).unwrap();
                }
                9 if depth > 0 => self.branch(scope, depth),
                10 if !scope.callees.is_empty() => self.call_again(scope),
                10 if depth > 1 => self.called(scope, depth),
                _ if depth > 0 => self.looped(scope, depth),
                _ => {}
            }
        }
    }

    /// Values that a region yields: two matrices, a vector, a float, three lists, two arrays of unknown size,
    /// and a table.
    fn chosen(&mut self, scope: &Scope) -> Vec<ValueId> {
        // The latest values are likely to be made inside.
        let mut late = |from: &[ValueId]| {
            let near = self.random.below(from.len().min(3));
            from[from.len() - 1 - near]
        };
        vec![
            late(&scope.matrices),
            late(&scope.matrices),
            late(&scope.vectors),
            late(&scope.floats),
            late(&scope.numbers),
            late(&scope.numbers),
            late(&scope.rows),
            late(&scope.sized),
            late(&scope.sized),
            late(&scope.tables),
        ]
    }

    fn add_results(&mut self, scope: &mut Scope, results: &[ValueId]) {
        scope.matrices.extend(&results[..2]);
        scope.vectors.push(results[2]);
        scope.floats.push(results[3]);
        scope.numbers.extend(&results[4..6]);
        scope.rows.push(results[6]);
        scope.sized.extend(&results[7..9]);
        scope.tables.push(results[9]);
    }

    fn branch(&mut self, scope: &mut Scope, depth: usize) {
        let (a, b) = (*self.random.pick(&scope.floats), *self.random.pick(&scope.floats));
        let test = self.one(Op::Compare(CompareOp::Lt), &[a, b]);
        let mut regions = Vec::new();
        for _ in 0..2 {
            let mut inside = scope.clone();
            self.builder.open();
            self.block(&mut inside, depth - 1);
            let results = self.chosen(&inside);
            regions.push(self.builder.close(results));
        }
        let results = self.builder.emit_with_regions(Op::If, &[test], regions, None).unwrap();
        self.add_results(scope, &results);
    }

    fn call(&mut self, callee: usize, left: ValueId, scope: &mut Scope) {
        let operands = [vec![left], self.chosen(scope)].concat();
        let mut results = vec![matrix(), matrix(), vector(), Type::scalar(DType::F64)];
        results.extend([lists::numbers(), lists::numbers(), lists::rows()]);
        results.extend([sizes::sized(), sizes::sized(), sizes::table()]);
        let call = Call { callee, results };
        let results = self.builder.emit(Op::Call(call), &operands, None).unwrap();
        self.add_results(scope, &results);
    }

    /// A recursive call.
    fn call_again(&mut self, scope: &mut Scope) {
        let (callee, left) = *self.random.pick(&scope.callees);
        let step = int(&mut self.builder, 1);
        let less = self.one(Op::Binary(BinaryOp::Sub, Overflow::Wrap), &[left, step]);
        self.call(callee, less, scope);
    }

    /// A function, and a call of it. Its body may use all that is in scope here.
    fn called(&mut self, scope: &mut Scope, depth: usize) {
        let number = self.builder.declare("called");
        let mut inside = scope.clone();
        self.builder.open();
        let left = self.builder.param(Type::scalar(DType::I64));
        self.open_region(&mut inside);
        let zero = int(&mut self.builder, 0);
        let goes_on = self.one(Op::Compare(CompareOp::Gt), &[left, zero]);
        let mut regions = Vec::new();
        for is_end in [false, true] {
            let mut inside = inside.clone();
            self.builder.open();
            if !is_end {
                inside.callees.push((number, left));
                self.block(&mut inside, depth - 1);
                let (tape, kind) = self.new_tape();
                self.push(tape, kind, &inside);
                self.call_again(&mut inside);
                self.pop(tape, kind, &mut inside);
                self.block(&mut inside, depth - 1);
            }
            let results = self.chosen(&inside);
            regions.push(self.builder.close(results));
        }
        let results = self.builder.emit_with_regions(Op::If, &[goes_on], regions, None).unwrap();
        let body = self.builder.close(results);
        self.builder.define(number, body);
        let count = self.random.below(3) as i64;
        let count = int(&mut self.builder, count);
        self.call(number, count, scope);
    }

    fn carries(&mut self, scope: &Scope) -> (Vec<ValueId>, Scope) {
        let inits = self.chosen(scope);
        let mut inside = scope.clone();
        (inits, {
            inside.floats.truncate(4);
            inside
        })
    }

    fn open_region(&mut self, inside: &mut Scope) {
        for _ in 0..2 {
            inside.matrices.push(self.builder.param(matrix()));
        }
        inside.vectors.push(self.builder.param(vector()));
        inside.floats.push(self.builder.param(Type::scalar(DType::F64)));
        for _ in 0..2 {
            inside.numbers.push(self.builder.param(lists::numbers()));
        }
        inside.rows.push(self.builder.param(lists::rows()));
        for _ in 0..2 {
            inside.sized.push(self.builder.param(sizes::sized()));
        }
        inside.tables.push(self.builder.param(sizes::table()));
    }

    fn looped(&mut self, scope: &mut Scope, depth: usize) {
        let (inits, mut inside) = self.carries(scope);
        if self.random.below(3) == 0 {
            self.while_loop(scope, inits, inside, depth);
            return;
        }
        let count = self.random.below(4) as i64;
        let bounds = [0, count, 1].map(|number| int(&mut self.builder, number));
        self.builder.open();
        inside.ints.push(self.builder.param(Type::scalar(DType::I64)));
        self.open_region(&mut inside);
        self.block(&mut inside, depth - 1);
        let results = self.chosen(&inside);
        let region = self.builder.close(results);
        let operands = [&bounds[..], &inits].concat();
        let results = self.builder.emit_with_regions(Op::For, &operands, vec![region], None).unwrap();
        self.add_results(scope, &results);
    }

    /// `k = 0; while k < limit and x[0, 0] < 0.9: k += 1; ...`
    fn while_loop(&mut self, scope: &mut Scope, mut inits: Vec<ValueId>, mut inside: Scope, depth: usize) {
        inits.push(int(&mut self.builder, 0));
        let mut regions = Vec::new();
        for is_body in [false, true] {
            self.builder.open();
            let first = inside.matrices.len();
            let lists = (inside.numbers.len(), inside.rows.len());
            let sizes = (inside.sized.len(), inside.tables.len());
            self.open_region(&mut inside);
            let counter = self.builder.param(Type::scalar(DType::I64));
            let matrix = inside.matrices[first];
            let results = if is_body {
                inside.ints.push(counter);
                self.block(&mut inside, depth - 1);
                let step = int(&mut self.builder, 1);
                let next = self.one(ADD, &[counter, step]);
                let mut results = self.chosen(&inside);
                results.push(next);
                results
            } else {
                let limit = int(&mut self.builder, 3);
                let more = self.one(Op::Compare(CompareOp::Lt), &[counter, limit]);
                let zero = int(&mut self.builder, 0);
                let corner = self.one(Op::Gather { axis: 0, count: 2 }, &[matrix, zero, zero]);
                let bound = self.builder.scalar(DType::F64, &0.9_f64.to_ne_bytes()).unwrap();
                let small = self.one(Op::Compare(CompareOp::Lt), &[corner, bound]);
                vec![self.one(Op::Binary(BinaryOp::BitAnd, Overflow::Wrap), &[more, small])]
            };
            regions.push(self.builder.close(results));
            if !is_body {
                inside.matrices.truncate(first);
                inside.vectors.pop();
                inside.floats.pop();
                inside.numbers.truncate(lists.0);
                inside.rows.truncate(lists.1);
                inside.sized.truncate(sizes.0);
                inside.tables.truncate(sizes.1);
            }
        }
        let results = self.builder.emit_with_regions(Op::While, &inits, regions, None).unwrap();
        self.add_results(scope, &results);
    }
}

/// A random function and inputs for it.
fn program(seed: u64) -> (Function, Vec<Array>) {
    let mut writer = Writer { builder: Builder::new("fuzz"), random: Random(seed), budget: 50, tapes: 0 };
    let mut scope = Scope::default();
    for _ in 0..2 {
        scope.matrices.push(writer.builder.param(matrix()));
        scope.vectors.push(writer.builder.param(vector()));
        scope.floats.push(writer.builder.param(Type::scalar(DType::F64)));
        scope.ints.push(writer.builder.param(Type::scalar(DType::I64)));
        scope.numbers.push(writer.builder.param(lists::numbers()));
        scope.rows.push(writer.builder.param(lists::rows()));
        scope.sized.push(writer.builder.param(sizes::sized()));
        scope.tables.push(writer.builder.param(sizes::table()));
    }
    for _ in 0..4 {
        writer.block(&mut scope, 3);
    }
    let mut results = writer.chosen(&scope);
    results.extend(writer.chosen(&scope));
    results.push(*writer.random.pick(&scope.ints));
    let function = writer.builder.finish(results);
    let inputs = function
        .body
        .params
        .iter()
        .map(|param| {
            let length = writer.random.below(4);
            let ty = function.ty(*param).stacked(length).unwrap();
            let sizes: Vec<usize> = ty.shape.iter().map(|dim| dim.known().unwrap_or(length)).collect();
            writer.random.tame(ty.dtype, &sizes)
        })
        .collect();
    (function, inputs)
}

/// The passes' own random functions have no such tapes, calls and loops.
fn check_optimized(function: Function, inputs: &[Array], expected: Option<Vec<Array>>) {
    let text = function.to_string();
    let optimized = ag_optimize::optimize(function);
    let results = check(&optimized, inputs);
    assert_eq!(results.is_some(), expected.is_some(), "{text}becomes\n{optimized}");
    if let (Some(results), Some(expected)) = (results, expected) {
        assert_same_arrays(&results, &expected, &|| format!("{text}becomes\n{optimized}"));
    }
}

#[test]
fn random_programs_agree_with_the_interpreter() {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let count: u64 = number("AUTOGRAPH_FUZZ").unwrap_or(150);
    let first = number("AUTOGRAPH_FUZZ_FIRST").unwrap_or(0);
    let (mut finished, mut with_calls) = (0, 0);
    for seed in first..first + count {
        // Shown when the test fails.
        println!("seed {seed}");
        let (function, inputs) = program(seed);
        ag_ir::verify(&function).unwrap_or_else(|errors| panic!("{errors:?}\n{function}"));
        with_calls += usize::from(!function.functions.is_empty());
        let results = check(&function, &inputs);
        finished += usize::from(results.is_some());
        check_optimized(function, &inputs, results);
        assert_eq!(crate::lists::LIVE_BYTES.get(), 0, "a list is never freed");
    }
    assert!(with_calls * 10 > count as usize, "{with_calls} of {count} programs have calls");
    // If all programs failed, the test would check nothing.
    assert!(finished * 2 > count as usize, "{finished} of {count} programs ran to their end");
}

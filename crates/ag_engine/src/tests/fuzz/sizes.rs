//! Arrays of unknown size in random programs: masked, grown, cut, fitted to each other, and some that do
//! not fit.

use ag_ir::{
    BinaryOp, CompareOp, DType, Dim, DotAxes, ListOp, Op, Overflow, ReduceOp, Type, ValueId, WithShape,
};

use super::{ADD, Scope, Writer};
use crate::tests::int;

const MUL: Op = Op::Binary(BinaryOp::Mul, Overflow::Wrap);
const SUB: Op = Op::Binary(BinaryOp::Sub, Overflow::Wrap);

/// Arrays do not grow beyond this: one that is doubled in loops in loops would.
const LONGEST: i64 = 12;

/// `f64[?]`.
pub(super) fn sized() -> Type {
    Type::new(DType::F64, vec![Dim::Unknown])
}

/// `f64[?, 4]`.
pub(super) fn table() -> Type {
    Type::new(DType::F64, vec![Dim::Unknown, Dim::Known(4)])
}

impl Writer {
    /// One or some nodes on arrays of unknown size.
    pub(super) fn sized_node(&mut self, scope: &mut Scope) {
        let made = match self.random.below(4) {
            0 => return self.table_node(scope),
            1 => return self.sized_to_others(scope),
            2 => self.changed_sizes(scope),
            _ => self.sized_elements(scope),
        };
        scope.sized.push(made);
    }

    fn sum_over(&mut self, x: ValueId, axis: usize) -> ValueId {
        let sum = self.one(Op::Reduce { op: ReduceOp::Sum, axes: vec![axis], keepdims: false }, &[x]);
        self.tame(sum)
    }

    /// The true places of `x < c`.
    fn places(&mut self, x: ValueId, scope: &Scope) -> ValueId {
        let bound = *self.random.pick(&scope.floats);
        let test = self.one(Op::Compare(CompareOp::Lt), &[x, bound]);
        self.one(Op::Nonzero, &[test])
    }

    /// An array of the size of another.
    fn fitted(&mut self, y: ValueId, x: ValueId) -> ValueId {
        let size = self.one(Op::Size(0), &[x]);
        let total = self.sum_over(y, 0);
        self.one(Op::Broadcast(vec![Dim::Unknown]), &[total, size])
    }

    /// The last elements of an array, backwards now and then.
    fn cut(&mut self, x: ValueId, axis: usize) -> ValueId {
        let size = self.one(Op::Size(axis), &[x]);
        let (zero, one) = (int(&mut self.builder, 0), int(&mut self.builder, 1));
        let most = int(&mut self.builder, LONGEST);
        let less = self.one(SUB, &[size, most]);
        let start = self.one(Op::Binary(BinaryOp::Maximum, Overflow::Wrap), &[less, zero]);
        if self.random.below(3) > 0 {
            return self.one(Op::SliceRange { axis }, &[x, start, size, one]);
        }
        let minus_one = int(&mut self.builder, -1);
        let (last, stop) = (self.one(ADD, &[size, minus_one]), self.one(ADD, &[start, minus_one]));
        self.one(Op::SliceRange { axis }, &[x, last, stop, minus_one])
    }

    /// An array of as many elements as another, element by element.
    fn sized_elements(&mut self, scope: &Scope) -> ValueId {
        let (x, y) = (*self.random.pick(&scope.sized), *self.random.pick(&scope.sized));
        let scale = *self.random.pick(&scope.floats);
        match self.random.below(9) {
            0 => self.one(MUL, &[x, scale]),
            1 => {
                let square = self.one(MUL, &[x, x]);
                let less = self.one(SUB, &[square, x]);
                self.tame(less)
            }
            2 | 3 => {
                let other = self.fitted(y, x);
                let total = self.one(ADD, &[x, other]);
                self.tame(total)
            }
            4 => {
                let running = self.one(Op::Cumulative { op: ReduceOp::Sum, axis: 0 }, &[x]);
                self.tame(running)
            }
            5 => {
                let order = self.one(Op::ArgSort(0), &[x]);
                self.one(Op::Gather { axis: 0, count: 1 }, &[x, order])
            }
            6 => {
                let places = self.places(x, scope);
                let op = self.scatter(1);
                let made = self.one(op, &[x, scale, places]);
                self.tame(made)
            }
            7 => {
                let test = self.one(Op::Compare(CompareOp::Lt), &[x, scale]);
                self.one(Op::Select, &[test, x, scale])
            }
            // Fails unless they happen to be of one size, and so is seldom.
            _ if self.random.below(6) == 0 => self.one(ADD, &[x, y]),
            _ => self.tame(x),
        }
    }

    /// An array of another size.
    fn changed_sizes(&mut self, scope: &Scope) -> ValueId {
        let (x, y) = (*self.random.pick(&scope.sized), *self.random.pick(&scope.sized));
        match self.random.below(8) {
            0 | 1 => {
                let places = self.places(x, scope);
                self.one(Op::Gather { axis: 0, count: 1 }, &[x, places])
            }
            2 => {
                let joined = self.one(Op::Concatenate(0), &[x, y]);
                self.cut(joined, 0)
            }
            3 | 4 => {
                let row = *self.random.pick(&scope.vectors);
                let joined = self.one(Op::Concatenate(0), &[x, row]);
                if self.random.below(3) == 0 { joined } else { self.cut(joined, 0) }
            }
            5 => {
                let count = int(&mut self.builder, self.random.below(6) as i64);
                let numbers = self.one(Op::IotaTo(DType::F64), &[count]);
                self.tame(numbers)
            }
            6 => {
                let numbers = *self.random.pick(&scope.numbers);
                let made = self.one(Op::List(ListOp::Stack { size: None }), &[numbers]);
                self.cut(made, 0)
            }
            _ => self.cut(x, 0),
        }
    }

    /// Tables of unknown height.
    fn table_node(&mut self, scope: &mut Scope) {
        let (t, x) = (*self.random.pick(&scope.tables), *self.random.pick(&scope.sized));
        let row = *self.random.pick(&scope.vectors);
        let minus_one = int(&mut self.builder, -1);
        match self.random.below(8) {
            0 => {
                let column = self.one(Op::Reshape(vec![Dim::Unknown, Dim::Known(1)]), &[x, minus_one]);
                scope.tables.push(self.one(MUL, &[column, row]));
            }
            1 => {
                let total = self.one(ADD, &[t, row]);
                let made = self.tame(total);
                scope.tables.push(made);
            }
            2 => {
                let sums = self.sum_over(t, 1);
                scope.sized.push(sums);
            }
            3 => {
                let sums = self.sum_over(t, 0);
                scope.vectors.push(sums);
            }
            4 => {
                let joined = self.one(Op::Concatenate(0), &[t, t]);
                let made = self.cut(joined, 0);
                scope.tables.push(made);
            }
            5 => {
                let sums = self.sum_over(t, 1);
                let places = self.places(sums, scope);
                scope.tables.push(self.one(Op::Gather { axis: 0, count: 1 }, &[t, places]));
            }
            6 => {
                let axes = DotAxes {
                    left_batch: vec![],
                    right_batch: vec![],
                    left_contract: vec![1],
                    right_contract: vec![0],
                };
                let product = self.one(Op::Dot(axes), &[t, row]);
                let made = self.tame(product);
                scope.sized.push(made);
            }
            _ => {
                let flat = self.one(Op::Reshape(vec![Dim::Unknown]), &[t, minus_one]);
                let made = self.cut(flat, 0);
                scope.sized.push(made);
            }
        }
    }

    /// An index of an array that is not empty.
    fn inside(&mut self, x: ValueId, scope: &Scope) -> ValueId {
        let given = *self.random.pick(&scope.ints);
        let size = self.one(Op::Size(0), &[x]);
        self.one(Op::Binary(BinaryOp::Mod, Overflow::Wrap), &[given, size])
    }

    /// Makes values of known size from sized arrays, and updates sized arrays at indices.
    fn sized_to_others(&mut self, scope: &mut Scope) {
        let x = *self.random.pick(&scope.sized);
        let row = *self.random.pick(&scope.vectors);
        match self.random.below(7) {
            5 => {
                let joined = self.one(Op::Concatenate(0), &[x, row]);
                let (at, value) = (self.inside(joined, scope), *self.random.pick(&scope.floats));
                let op = self.scatter(1);
                let made = self.one(op, &[joined, value, at]);
                let made = self.cut(made, 0);
                scope.sized.push(made);
                scope.floats.push(self.one(Op::Gather { axis: 0, count: 1 }, &[joined, at]));
            }
            6 => {
                let table = *self.random.pick(&scope.tables);
                let column = self.one(Op::Reshape(vec![Dim::Known(1), Dim::Known(4)]), &[row]);
                let joined = self.one(Op::Concatenate(0), &[table, column]);
                let at = self.inside(joined, scope);
                scope.vectors.push(self.one(Op::Gather { axis: 0, count: 1 }, &[joined, at]));
                let op = self.scatter(1);
                let made = self.one(op, &[joined, row, at]);
                let made = self.cut(made, 0);
                scope.tables.push(made);
            }
            0 | 1 => {
                let joined = self.one(Op::Concatenate(0), &[x, row]);
                let [zero, one, four] = [0, 1, 4].map(|number| int(&mut self.builder, number));
                let first = self.one(Op::SliceRange { axis: 0 }, &[joined, zero, four, one]);
                let shape = WithShape { shape: vec![Dim::Known(4)], message: "four".into() };
                scope.vectors.push(self.one(Op::WithShape(shape), &[first]));
            }
            2 => {
                let total = self.sum_over(x, 0);
                scope.floats.push(total);
            }
            3 => {
                let size = self.one(Op::Size(0), &[x]);
                scope.ints.push(size);
                self.builder.emit(Op::Print { site: 2 }, &[x, size], None).unwrap();
            }
            _ => {
                let shape = WithShape { shape: vec![Dim::Unknown], message: "never".into() };
                let open = self.one(Op::WithShape(shape), &[row]);
                scope.sized.push(open);
                let list = self.one(Op::List(ListOp::Unstack), &[x]);
                scope.numbers.push(list);
            }
        }
    }
}

//! Lists in random programs: carried, aliased, made in loops, changed while another still has them.

use ag_ir::{BinaryOp, ListOp, Op, Overflow, ReduceOp, Type, ValueId};

use super::{Scope, Writer, vector};
use crate::tests::int;

/// Lists do not grow beyond this: a list that is doubled in loops in loops would.
const LONGEST: i64 = 12;

/// `list<f64[]>`.
pub(super) fn numbers() -> Type {
    Type::list_of(Type::scalar(ag_ir::DType::F64))
}

/// `list<f64[4]>`.
pub(super) fn rows() -> Type {
    Type::list_of(vector())
}

impl Writer {
    /// One or two nodes on a list.
    pub(super) fn list_node(&mut self, scope: &mut Scope) {
        if self.random.below(2) == 0 {
            let value = *self.random.pick(&scope.floats);
            let list = *self.random.pick(&scope.numbers);
            let (made, read) = self.changed(list, value, scope);
            scope.numbers.extend(made);
            scope.floats.extend(read);
        } else {
            // A value that is made here may be made in the list's memory.
            let is_new = self.random.below(2) == 0;
            let value = if is_new { self.vector_node(scope) } else { *self.random.pick(&scope.vectors) };
            if is_new && self.random.below(3) == 0 {
                scope.vectors.push(value);
            }
            let list = *self.random.pick(&scope.rows);
            if self.random.below(5) == 0 {
                self.window(list, value, scope);
                return;
            }
            let (made, read) = self.changed(list, value, scope);
            scope.rows.extend(made);
            scope.vectors.extend(read);
            if self.random.below(4) == 0 {
                let matrix = *self.random.pick(&scope.matrices);
                scope.rows.push(self.one(Op::List(ListOp::Unstack), &[matrix]));
            }
        }
    }

    /// A list made of a list and a value, or a value read from it.
    fn changed(
        &mut self,
        list: ValueId,
        value: ValueId,
        scope: &Scope,
    ) -> (Option<ValueId>, Option<ValueId>) {
        let other = self.random.below(2) == 0;
        match self.random.below(13) {
            0..=2 => (Some(self.appended(list, value)), None),
            3 => {
                let longer = self.appended(list, value);
                // Sometimes what was appended to lives on, sometimes it does not.
                let from = if other { longer } else { self.appended(longer, value) };
                let popped = self.builder.emit(Op::List(ListOp::Pop), &[from], None).unwrap();
                (Some(popped[0]), Some(popped[1]))
            }
            4 => {
                let longer = self.appended(list, value);
                let at = self.place(longer, scope);
                (None, Some(self.one(Op::List(ListOp::Get), &[longer, at])))
            }
            5 => {
                let longer = self.appended(list, value);
                let at = self.place(longer, scope);
                (Some(self.one(Op::List(ListOp::Set), &[longer, at, value])), None)
            }
            6 => {
                let at = *self.random.pick(&scope.ints);
                let made = self.one(Op::List(ListOp::Insert), &[list, at, value]);
                (Some(self.shortened(made)), None)
            }
            7 => {
                let longer = self.appended(list, value);
                let at = self.place(longer, scope);
                (Some(self.one(Op::List(ListOp::Delete), &[longer, at])), None)
            }
            8 => {
                let joined = if other { list } else { self.appended(list, value) };
                let made = self.one(Op::List(ListOp::Concatenate), &[list, joined]);
                (Some(self.shortened(made)), None)
            }
            9 => (Some(self.one(Op::List(ListOp::Reverse), &[list])), None),
            12 => (Some(self.one(Op::List(ListOp::Zeros), &[list])), None),
            10 => {
                let ty = self.builder.function().ty(value).clone();
                let values = vec![value; self.random.below(3)];
                (Some(self.one(Op::List(ListOp::Make(ty)), &values)), None)
            }
            _ => {
                // Fails most of the time, and so is seldom.
                if self.random.below(8) > 0 {
                    return (Some(list), None);
                }
                let at = *self.random.pick(&scope.ints);
                (None, Some(self.one(Op::List(ListOp::Get), &[list, at])))
            }
        }
    }

    /// A value is read or popped, the list changes or does not, and then the value is used.
    fn window(&mut self, list: ValueId, value: ValueId, scope: &mut Scope) {
        let mut longer = self.appended(list, value);
        let read = if self.random.below(2) == 0 {
            let popped = self.builder.emit(Op::List(ListOp::Pop), &[longer], None).unwrap();
            longer = popped[0];
            popped[1]
        } else {
            let at = self.place(longer, scope);
            self.one(Op::List(ListOp::Get), &[longer, at])
        };
        let doubled = self.one(super::ADD, &[read, read]);
        if self.random.below(2) == 0 {
            longer = self.one(Op::List(ListOp::Append), &[longer, doubled]);
        }
        if self.random.below(3) == 0 {
            let zero = int(&mut self.builder, 0);
            let first = self.one(Op::List(ListOp::Insert), &[longer, zero, value]);
            longer = self.one(Op::List(ListOp::Delete), &[first, zero]);
        }
        let sum = self.one(super::ADD, &[read, value]);
        let tamed = self.tame(sum);
        longer = self.one(Op::List(ListOp::Append), &[longer, tamed]);
        scope.vectors.push(tamed);
        scope.rows.push(self.shortened(longer));
    }

    fn appended(&mut self, list: ValueId, value: ValueId) -> ValueId {
        let made = self.one(Op::List(ListOp::Append), &[list, value]);
        if self.random.below(3) == 0 { self.shortened(made) } else { made }
    }

    /// An index of a list that is not empty.
    fn place(&mut self, list: ValueId, scope: &Scope) -> ValueId {
        let given = *self.random.pick(&scope.ints);
        let length = self.one(Op::List(ListOp::Length), &[list]);
        self.one(Op::Binary(BinaryOp::Mod, Overflow::Wrap), &[given, length])
    }

    /// The last values of a list, backwards now and then.
    fn shortened(&mut self, list: ValueId) -> ValueId {
        let length = self.one(Op::List(ListOp::Length), &[list]);
        let (zero, one) = (int(&mut self.builder, 0), int(&mut self.builder, 1));
        let most = int(&mut self.builder, LONGEST);
        let less = self.one(Op::Binary(BinaryOp::Sub, Overflow::Wrap), &[length, most]);
        let start = self.one(Op::Binary(BinaryOp::Maximum, Overflow::Wrap), &[less, zero]);
        if self.random.below(3) > 0 {
            return self.one(Op::List(ListOp::Slice), &[list, start, length, one]);
        }
        let minus_one = int(&mut self.builder, -1);
        let last = self.one(Op::Binary(BinaryOp::Add, Overflow::Wrap), &[length, minus_one]);
        let stop = self.one(Op::Binary(BinaryOp::Add, Overflow::Wrap), &[start, minus_one]);
        self.one(Op::List(ListOp::Slice), &[list, last, stop, minus_one])
    }

    /// What a list holds as an array: two rows of it, and their sum.
    pub(super) fn stacked(&mut self, scope: &mut Scope) {
        let (list, value) = (*self.random.pick(&scope.rows), *self.random.pick(&scope.vectors));
        let one_longer = self.one(Op::List(ListOp::Append), &[list, value]);
        let longer = self.one(Op::List(ListOp::Append), &[one_longer, value]);
        if self.random.below(2) == 0 {
            let table = self.one(Op::List(ListOp::Stack { size: None }), &[longer]);
            if self.random.below(2) == 0 {
                scope.rows.push(longer);
            }
            scope.tables.push(table);
            return;
        }
        let [zero, one, two] = [0, 1, 2].map(|number| int(&mut self.builder, number));
        let pair = self.one(Op::List(ListOp::Slice), &[longer, zero, two, one]);
        let array = self.one(Op::List(ListOp::Stack { size: Some(2) }), &[pair]);
        if self.random.below(2) == 0 {
            // The array outlives a change of the list.
            let changed = self.one(Op::List(ListOp::Append), &[pair, value]);
            scope.rows.push(changed);
        }
        let sum = Op::Reduce { op: ReduceOp::Sum, axes: vec![0], keepdims: false };
        let sum = self.one(sum, &[array]);
        let tamed = self.tame(sum);
        scope.vectors.push(tamed);
    }
}

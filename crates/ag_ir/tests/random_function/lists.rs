//! Random ops of lists.

use ag_ir::{BinaryOp, ListOp, Op, Overflow, Type, ValueId};

use super::Maker;

impl Maker<'_> {
    /// A value of any type: lists are made when there is none.
    pub(super) fn of_any_type(&mut self, ty: &Type) -> ValueId {
        let element = match ty {
            Type::Tensor(tensor) if tensor.has_unknown_sizes() => return self.of_open_type(tensor),
            Type::Tensor(tensor) => return self.of_type(tensor),
            Type::List(element) => element,
        };
        let fitting: Vec<ValueId> =
            self.in_scope().into_iter().filter(|value| self.builder.function().ty(*value) == ty).collect();
        if fitting.is_empty() || self.choices.below(6) == 5 {
            let make = Op::List(ListOp::Make(Type::clone(element)));
            return self.emit(make, &[]).unwrap();
        }
        fitting[fitting.len() - 1 - self.choices.below(fitting.len())]
    }

    /// A list that is there, or one made for the purpose, and what it holds.
    fn some_list(&mut self) -> (ValueId, Type) {
        let lists: Vec<ValueId> = self
            .in_scope()
            .into_iter()
            .filter(|value| self.builder.function().ty(*value).element().is_some())
            .collect();
        if lists.is_empty() || self.choices.below(4) == 3 {
            let value = self.any();
            let element: Type = self.type_of(value).into();
            let values = vec![value; self.choices.below(4)];
            return (self.emit(Op::List(ListOp::Make(element.clone())), &values).unwrap(), element);
        }
        let list = lists[lists.len() - 1 - self.choices.below(lists.len())];
        let element = self.builder.function().ty(list).element().cloned().unwrap();
        (list, element)
    }

    /// A node on a list. Outside of loops only, lists may double.
    pub(super) fn list(&mut self, depth: usize) {
        let (list, element) = self.some_list();
        let value = self.of_any_type(&element);
        let index = self.integer_in_range(list);
        match self.choices.below(13) {
            0 | 1 => self.emit(Op::List(ListOp::Append), &[list, value]),
            2 => self.emit(Op::List(ListOp::Pop), &[list]),
            3 => self.emit(Op::List(ListOp::Get), &[list, index]),
            4 => self.emit(Op::List(ListOp::Set), &[list, index, value]),
            5 => self.emit(Op::List(ListOp::Insert), &[list, index, value]),
            6 => self.emit(Op::List(ListOp::Delete), &[list, index]),
            7 if depth == 0 => self.emit(Op::List(ListOp::Concatenate), &[list, list]),
            8 => {
                let (start, step) = (self.integer(0), self.integer(2));
                self.emit(Op::List(ListOp::Slice), &[list, start, index, step])
            }
            9 => self.emit(Op::List(ListOp::Reverse), &[list]),
            10 => {
                let size = self.choices.below(3);
                self.emit(Op::List(ListOp::Stack { size: Some(size) }), &[list])
            }
            11 => self.emit(Op::List(ListOp::Zeros), &[list]),
            _ => {
                let array = self.any();
                self.emit(Op::List(ListOp::Unstack), &[array])
            }
        };
    }

    /// An index that is in range unless the list is empty.
    fn integer_in_range(&mut self, list: ValueId) -> ValueId {
        let length = self.emit(Op::List(ListOp::Length), &[list]).unwrap();
        let number = self.choices.below(5) as i64;
        let number = self.integer(number);
        self.emit(Op::Binary(BinaryOp::Mod, Overflow::Wrap), &[number, length]).unwrap()
    }
}

//! Random ops on arrays whose sizes only the run knows.

use ag_ir::{
    BinaryOp, CompareOp, DType, Dim, DotAxes, ListOp, Op, Overflow, ReduceOp, TensorType, UnaryOp, ValueId,
    WithShape,
};

use super::Maker;

impl Maker<'_> {
    fn has_open_type(&self, value: ValueId) -> bool {
        self.builder.function().ty(value).has_unknown_sizes()
    }

    /// An array of a type with unknown sizes: one that is there, or one made for the purpose.
    pub(super) fn of_open_type(&mut self, ty: &TensorType) -> ValueId {
        let fitting: Vec<ValueId> = self
            .in_scope()
            .into_iter()
            .filter(|value| self.builder.function().ty(*value).tensor() == Some(ty))
            .collect();
        if fitting.is_empty() || self.choices.below(6) == 5 {
            let sizes: Vec<usize> =
                ty.shape.iter().map(|dim| dim.known().unwrap_or_else(|| self.choices.below(4))).collect();
            let constant = self.constant(&TensorType::known(ty.dtype, &sizes));
            return self.with_shape(constant, ty.shape.clone());
        }
        fitting[fitting.len() - 1 - self.choices.below(fitting.len())]
    }

    fn with_shape(&mut self, value: ValueId, shape: Vec<Dim>) -> ValueId {
        let op = Op::WithShape(WithShape { shape, message: "of another size".into() });
        self.emit(op, &[value]).unwrap()
    }

    /// An array with an unknown size.
    fn open_array(&mut self) -> ValueId {
        let open: Vec<ValueId> =
            self.in_scope().into_iter().filter(|value| self.has_open_type(*value)).collect();
        if !open.is_empty() && self.choices.below(4) != 3 {
            return open[open.len() - 1 - self.choices.below(open.len())];
        }
        let count = self.choices.below(4) as i64;
        let count = self.integer(count);
        match self.choices.below(3) {
            0 => {
                let dtype = self.choices.one_of(&[DType::I64, DType::F64]);
                self.emit(Op::IotaTo(dtype), &[count]).unwrap()
            }
            1 => {
                let scalar = TensorType::scalar(self.choices.one_of(&DType::ALL));
                let x = self.of_type(&scalar);
                self.emit(Op::Broadcast(vec![Dim::Unknown]), &[x, count]).unwrap()
            }
            _ => {
                let shape = self.choices.one_of(&[vec![3], vec![2, 3], vec![0], vec![1, 3]]);
                let dtype = self.choices.one_of(&DType::ALL);
                let x = self.of_type(&TensorType::known(dtype, &shape));
                let mut open = self.type_of(x).shape;
                open[0] = Dim::Unknown;
                self.with_shape(x, open)
            }
        }
    }

    /// A node on such an array, or one that makes one. Outside of loops only, arrays may double.
    pub(super) fn sized(&mut self, depth: usize) {
        let x = self.open_array();
        let ty = self.type_of(x);
        let axis = self.choices.below(ty.rank());
        match self.choices.below(16) {
            0 => {
                let op = self.choices.one_of(UnaryOp::ALL);
                self.emit(Op::Unary(op, Overflow::Wrap), &[x])
            }
            1..=3 => {
                let y = if self.choices.below(2) == 0 { x } else { self.of_dtype(ty.dtype) };
                let op = self.choices.one_of(BinaryOp::ALL);
                self.emit(Op::Binary(op, Overflow::Wrap), &[x, y])
            }
            4 => {
                let y = self.of_dtype(ty.dtype);
                let test = self.emit(Op::Compare(CompareOp::Le), &[x, y]);
                test.and_then(|test| self.emit(Op::Nonzero, &[test]))
            }
            5 => self.emit(Op::Size(axis), &[x]),
            6 => {
                let op = self.choices.one_of(ReduceOp::ALL);
                self.emit(Op::Reduce { op, axes: vec![axis], keepdims: false }, &[x])
            }
            7 => self.emit(Op::Transpose((0..ty.rank()).rev().collect()), &[x]),
            8 => {
                let bounds = [0, 1, 1].map(|number| self.integer(number));
                self.emit(Op::SliceRange { axis }, &[&[x], &bounds[..]].concat())
            }
            9 => {
                let left = self.integer(-1);
                self.emit(Op::Reshape(vec![Dim::Unknown]), &[x, left])
            }
            10 => {
                let shape = self.choices.one_of(&[vec![3], vec![2, 3], vec![1], vec![1, 3]]);
                let op = WithShape { shape: ag_ir::known_shape(&shape), message: "no".into() };
                self.emit(Op::WithShape(op), &[x])
            }
            11 if depth == 0 => self.emit(Op::Concatenate(axis), &[x, x]),
            12 => {
                let index = self.integer(0);
                self.emit(Op::Gather { axis, count: 1 }, &[x, index])
            }
            13 => {
                let list = self.emit(Op::List(ListOp::Unstack), &[x]);
                list.and_then(|list| self.emit(Op::List(ListOp::Stack { size: None }), &[list]))
            }
            14 => self.emit(Op::ArgSort(axis), &[x]),
            _ => {
                let (left, right) = (vec![ty.rank() - 1], vec![0]);
                let axes = DotAxes {
                    left_batch: vec![],
                    right_batch: vec![],
                    left_contract: left,
                    right_contract: right,
                };
                self.emit(Op::Dot(axes), &[x, x])
            }
        };
    }
}

//! Tapes in random programs: values that one loop, or the way down a recursion, pushes are popped by another
//! loop, or on the way up.

use ag_ir::{DType, Op, TapePop, Type, ValueId};

use super::{Scope, Writer, lists, matrix, sizes, vector};
use crate::tests::int;

/// The kind of values on a tape.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Matrix,
    Vector,
    Float,
    Int,
    Numbers,
    Rows,
    Sized,
    Table,
}

const KINDS: [Kind; 8] =
    [Kind::Matrix, Kind::Vector, Kind::Float, Kind::Int, Kind::Numbers, Kind::Rows, Kind::Sized, Kind::Table];

impl Kind {
    fn ty(self) -> Type {
        match self {
            Self::Matrix => matrix(),
            Self::Vector => vector(),
            Self::Float => Type::scalar(DType::F64),
            Self::Int => Type::scalar(DType::I64),
            Self::Numbers => lists::numbers(),
            Self::Rows => lists::rows(),
            Self::Sized => sizes::sized(),
            Self::Table => sizes::table(),
        }
    }

    fn of(self, scope: &mut Scope) -> &mut Vec<ValueId> {
        match self {
            Self::Matrix => &mut scope.matrices,
            Self::Vector => &mut scope.vectors,
            Self::Float => &mut scope.floats,
            Self::Int => &mut scope.ints,
            Self::Numbers => &mut scope.numbers,
            Self::Rows => &mut scope.rows,
            Self::Sized => &mut scope.sized,
            Self::Table => &mut scope.tables,
        }
    }
}

impl Writer {
    /// The number of a tape, which are not one after the other, and what will be on it.
    pub(super) fn new_tape(&mut self) -> (u32, Kind) {
        self.tapes += 1;
        (self.tapes * 7 % 31 + self.tapes * 31, *self.random.pick(&KINDS))
    }

    /// Puts one of the last values on a tape.
    pub(super) fn push(&mut self, tape: u32, kind: Kind, scope: &Scope) {
        let mut scope = scope.clone();
        let values = kind.of(&mut scope);
        let mut value = values[values.len() - 1 - self.random.below(values.len().min(3))];
        // A value that is made here may be made on the tape.
        let is_new = matches!(kind, Kind::Vector | Kind::Matrix) && self.random.below(2) == 0;
        if is_new {
            value = self.tame(value);
        }
        self.builder.emit(Op::TapePush(tape), &[value], None).unwrap();
        if is_new && self.random.below(2) == 0 {
            self.builder.emit(Op::Print { site: 6 }, &[value], None).unwrap();
        }
    }

    pub(super) fn pop(&mut self, tape: u32, kind: Kind, scope: &mut Scope) {
        let popped = self.one(Op::TapePop(TapePop { tape, ty: kind.ty() }), &[]);
        kind.of(scope).push(popped);
    }

    /// A loop that puts values on a tape, something else, perhaps saving the tape, and a loop that takes them
    /// off.
    pub(super) fn taped(&mut self, scope: &mut Scope, depth: usize) {
        let (tape, kind) = self.new_tape();
        if depth == 0 {
            self.push(tape, kind, scope);
            self.pop(tape, kind, scope);
            return;
        }
        // Now and then more than a chunk has room for.
        let count = if self.random.below(4) == 0 { 600 } else { self.random.below(4) as i64 };
        for is_forward in [true, false] {
            let operands = [0, count, 1].map(|number| int(&mut self.builder, number));
            let inits = self.chosen(scope);
            let mut inside = scope.clone();
            self.builder.open();
            inside.ints.push(self.builder.param(Type::scalar(DType::I64)));
            self.open_region(&mut inside);
            if is_forward {
                self.push(tape, kind, &inside);
            } else {
                self.pop(tape, kind, &mut inside);
            }
            if count < 600 {
                self.block(&mut inside, depth - 1);
            }
            let results = self.chosen(&inside);
            let region = self.builder.close(results);
            let operands = [&operands[..], &inits].concat();
            let results = self.builder.emit_with_regions(Op::For, &operands, vec![region], None).unwrap();
            self.add_results(scope, &results);
            self.block(scope, depth - 1);
            if is_forward && self.random.below(3) == 0 {
                let bytes = self.one(Op::TapeSave(tape), &[]);
                self.builder.emit(Op::TapeLoad(tape), &[bytes], None).unwrap();
            }
        }
    }
}

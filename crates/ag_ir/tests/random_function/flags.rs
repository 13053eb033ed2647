//! Random loops with flags, as a `break` makes them, and branches on one condition.

use ag_ir::{BinaryOp, Block, CompareOp, Constant, DType, Op, Overflow, TensorType, Type, UnaryOp, ValueId};

use super::Maker;

impl Maker<'_> {
    fn truth(&mut self, truth: bool) -> ValueId {
        let bytes = vec![u8::from(truth)];
        self.emit(Op::Constant(Constant { dtype: DType::Bool, sizes: vec![], bytes: bytes.into() }), &[])
            .unwrap()
    }

    fn opposite(&mut self, condition: ValueId) -> ValueId {
        self.emit(Op::Unary(UnaryOp::LogicalNot, Overflow::Wrap), &[condition]).unwrap()
    }

    /// A region that yields what `make` makes in it.
    fn yielding(&mut self, make: impl FnOnce(&mut Self) -> ValueId) -> Block {
        self.builder.open();
        self.scopes.push(Vec::new());
        let value = make(self);
        self.scopes.pop();
        self.builder.close(vec![value])
    }

    fn chosen(
        &mut self,
        condition: ValueId,
        then: impl FnOnce(&mut Self) -> ValueId,
        otherwise: impl FnOnce(&mut Self) -> ValueId,
    ) -> ValueId {
        let regions = vec![self.yielding(then), self.yielding(otherwise)];
        self.emit_with_regions(Op::If, &[condition], regions).unwrap()
    }

    /// Two branches on one condition, with nodes between them.
    pub(super) fn twin_branches(&mut self, depth: usize) {
        let test = self.of_type(&TensorType::scalar(DType::Bool));
        self.branch_on(test, depth);
        for _ in 0..self.choices.below(3) {
            self.node(depth + 1);
        }
        let test = if self.choices.below(2) == 0 { test } else { self.opposite(test) };
        self.branch_on(test, depth);
    }

    /// A `while` that ends, with a flag that mostly ends it too.
    pub(super) fn flagged(&mut self, depth: usize) {
        let (others, mut types) = self.carries();
        let limit = self.choices.below(5) as i64;
        let start = self.choices.below(3) == 0;
        let carries = [vec![self.truth(true), self.truth(start), self.integer(0)], others].concat();
        let condition = Type::scalar(DType::Bool);
        types.splice(0..0, [condition.clone(), condition, Type::scalar(DType::I64)]);

        self.builder.open();
        let params: Vec<ValueId> = types.iter().map(|ty| self.builder.param(ty.clone())).collect();
        let test = self.builder.close(vec![params[0]]);

        let mut body = self.region(&types, &types, depth);
        let params = body.params.clone();
        let mut results = std::mem::take(&mut body.results);
        self.builder.reopen(body);
        self.scopes.push(params.clone());
        let event = results[0];
        results[1] = match self.choices.below(4) {
            0 => event,
            1 => params[1],
            _ => self.chosen(event, |maker| maker.truth(!start), |_| params[1]),
        };
        let one = self.integer(1);
        results[2] = self.emit(Op::Binary(BinaryOp::Add, Overflow::Wrap), &[params[2], one]).unwrap();
        let is_as_at_start = if start { results[1] } else { self.opposite(results[1]) };
        let count = results[2];
        let is_below = |maker: &mut Self| {
            let end = maker.integer(limit);
            maker.emit(Op::Compare(CompareOp::Lt), &[count, end]).unwrap()
        };
        results[0] = match self.choices.below(5) {
            0 => is_below(self),
            _ => self.chosen(is_as_at_start, is_below, |_| is_as_at_start),
        };
        self.scopes.pop();
        let body = self.builder.close(results);
        self.emit_with_regions(Op::While, &carries, vec![test, body]);
    }
}

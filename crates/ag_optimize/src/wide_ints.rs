//! Python ints that have more than 64 bits on the way to a result that has fewer.
//!
//! ```text
//! %2 = mul %0, %1 checked          h * 31 fails where it leaves 64 bits, but
//! %3 = add %2, %c checked     →    %4 = mul_add_mod %0, %1, %c, %m
//! %4 = mod %3, %m                  has 128 bits for it
//! %5 = mul %0, %1 checked          a mask that is not negative takes the low bits,
//! %6 = bitand %5, %mask       →    %5 = mul %0, %1; %6 = bitand %5, %mask
//!                                  which do not depend on those that are lost
//! ```
//!
//! A mask of 2**63 and more has the bits of a negative int64. That it is one without a sign is said by `checked`,
//! which has no other meaning for `bitand`.
//!
//! - A remainder of sums, differences and products is the remainder of such of their remainders. So a product of
//!   products is reduced after each of them.
//! - Only ints that nothing else needs are changed: another use may be told of the failure.

use std::collections::HashMap;

use ag_ir::{BinaryOp, Block, Constant, DType, Function, Node, Op, Overflow, Type, UnaryOp, ValueId};

pub(crate) fn run(function: &mut Function) {
    let mut uses = HashMap::new();
    count_uses(&function.body, &mut uses);
    let mut body = std::mem::take(&mut function.body);
    let mut wide = Wide { function, uses, literals: HashMap::new(), made: Vec::new(), steps: HashMap::new() };
    wide.block(&mut body);
    function.body = body;
}

fn count_uses(block: &Block, uses: &mut HashMap<ValueId, usize>) {
    for node in &block.nodes {
        for operand in &node.operands {
            *uses.entry(*operand).or_default() += 1;
        }
        node.regions.iter().for_each(|region| count_uses(region, uses));
    }
    for result in &block.results {
        *uses.entry(*result).or_default() += 1;
    }
}

struct Wide<'a> {
    function: &'a mut Function,
    uses: HashMap<ValueId, usize>,
    /// The ints that are literals.
    literals: HashMap<ValueId, i64>,
    /// The nodes of the block so far; none where a node has become part of another.
    made: Vec<Option<Node>>,
    /// Where those nodes of this block are that compute an int for one other node.
    steps: HashMap<ValueId, usize>,
}

impl Wide<'_> {
    fn block(&mut self, block: &mut Block) {
        let (outer_made, outer_steps) = (std::mem::take(&mut self.made), std::mem::take(&mut self.steps));
        for mut node in std::mem::take(&mut block.nodes) {
            node.regions.iter_mut().for_each(|region| self.block(region));
            self.node(&mut node);
            self.note(&node);
            self.made.push(Some(node));
        }
        block.nodes = std::mem::replace(&mut self.made, outer_made).into_iter().flatten().collect();
        self.steps = outer_steps;
    }

    fn is_int(&self, value: ValueId) -> bool {
        self.function.ty(value).is_scalar() && self.function.dtype_of(value) == Some(DType::I64)
    }

    /// Notes a node that later ones may change.
    fn note(&mut self, node: &Node) {
        let [result] = node.results[..] else { return };
        match &node.op {
            Op::Constant(constant) if self.is_int(result) => {
                if let Ok(bytes) = constant.bytes[..].try_into() {
                    self.literals.insert(result, i64::from_ne_bytes(bytes));
                }
            }
            Op::Binary(..) | Op::Unary(..) if self.is_int(result) && self.uses.get(&result) == Some(&1) => {
                self.steps.insert(result, self.made.len());
            }
            _ => {}
        }
    }

    fn node(&mut self, node: &mut Node) {
        let (Op::Binary(op, overflow), [x, by]) = (&node.op, &node.operands[..]) else { return };
        let (op, overflow, x, by) = (*op, *overflow, *x, *by);
        if !self.is_int(x) || !self.is_int(by) {
            return;
        }
        let known = |value: ValueId| self.literals.get(&value).copied();
        match op {
            BinaryOp::BitAnd if overflow == Overflow::Check && known(by).is_some() => self.take_low_bits(x),
            BinaryOp::BitAnd if known(by).is_some_and(|mask| mask >= 0) => self.take_low_bits(x),
            BinaryOp::BitAnd if known(x).is_some_and(|mask| mask >= 0) => self.take_low_bits(by),
            BinaryOp::Mod if known(by).is_some_and(|m| m > 0 && m & (m - 1) == 0) => self.take_low_bits(x),
            BinaryOp::Mod if self.has_product(x) => {
                if let Some(form) = self.form(x, by, node) {
                    (node.op, node.operands) = (Op::MulAddMod, form.to_vec());
                }
            }
            _ => {}
        }
    }

    /// The op and the operands of an int that only one node needs.
    fn step(&self, value: ValueId) -> Option<(&Op, &[ValueId])> {
        let node = self.made[*self.steps.get(&value)?].as_ref()?;
        Some((&node.op, &node.operands))
    }

    /// Lets an int lose what is above its low 64 bits.
    fn take_low_bits(&mut self, value: ValueId) {
        let Some(at) = self.steps.get(&value).copied() else { return };
        let Some(node) = &mut self.made[at] else { return };
        let whole = match &mut node.op {
            Op::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, overflow) => {
                *overflow = Overflow::Wrap;
                2
            }
            // The number of places is needed as a whole.
            Op::Binary(BinaryOp::ShiftLeft, overflow) => {
                *overflow = Overflow::Wrap;
                1
            }
            Op::Binary(BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor, _) => 2,
            Op::Unary(UnaryOp::BitNot, _) => 1,
            Op::Unary(UnaryOp::Neg, overflow) => {
                *overflow = Overflow::Wrap;
                1
            }
            _ => 0,
        };
        let operands = node.operands[..whole].to_vec();
        operands.into_iter().for_each(|operand| self.take_low_bits(operand));
    }

    /// Whether an int is made of products, which soon leave 64 bits.
    fn has_product(&self, value: ValueId) -> bool {
        match self.step(value) {
            Some((Op::Binary(BinaryOp::Mul, Overflow::Check), _)) => true,
            Some((Op::Binary(BinaryOp::Pow, Overflow::Check), [_, exponent])) => {
                self.literals.get(exponent) == Some(&2)
            }
            Some((Op::Binary(BinaryOp::Add | BinaryOp::Sub, Overflow::Check), [x, y])) => {
                self.has_product(*x) || self.has_product(*y)
            }
            Some((Op::Unary(UnaryOp::Neg, Overflow::Check), [x])) => self.has_product(*x),
            _ => false,
        }
    }

    /// `[a, b, c, m]` with `value % m == (a * b + c) % m`, for an int that has a product. The nodes that made it
    /// are taken away.
    fn form(&mut self, value: ValueId, m: ValueId, like: &Node) -> Option<[ValueId; 4]> {
        let at = self.steps.remove(&value)?;
        let node = self.made[at].take()?;
        let (x, y) = (node.operands[0], node.operands.last().copied()?);
        Some(match &node.op {
            Op::Binary(BinaryOp::Mul, _) => {
                [self.reduced(x, m, like), self.reduced(y, m, like), self.literal(0, like), m]
            }
            Op::Binary(BinaryOp::Pow, _) => {
                let x = self.reduced(x, m, like);
                [x, x, self.literal(0, like), m]
            }
            Op::Binary(BinaryOp::Add, _) => {
                let (product, other) = if self.has_product(y) { (y, x) } else { (x, y) };
                let other = self.reduced(other, m, like);
                match self.product(product, m, like) {
                    Some([a, b]) => [a, b, other, m],
                    None => [self.reduced(product, m, like), self.literal(1, like), other, m],
                }
            }
            Op::Binary(BinaryOp::Sub, _) => {
                let (x, y) = (self.reduced(x, m, like), self.reduced(y, m, like));
                [y, self.literal(-1, like), x, m]
            }
            _ => [self.reduced(x, m, like), self.literal(-1, like), self.literal(0, like), m],
        })
    }

    /// The factors of an int that is a product.
    fn product(&mut self, value: ValueId, m: ValueId, like: &Node) -> Option<[ValueId; 2]> {
        let Some((Op::Binary(BinaryOp::Mul, Overflow::Check), [x, y])) = self.step(value) else {
            return None;
        };
        let (x, y) = (*x, *y);
        let at = self.steps.remove(&value)?;
        self.made[at] = None;
        Some([self.reduced(x, m, like), self.reduced(y, m, like)])
    }

    /// An int of 64 bits that has the remainder of another: itself, if it has no product.
    fn reduced(&mut self, value: ValueId, m: ValueId, like: &Node) -> ValueId {
        if !self.has_product(value) {
            return value;
        }
        let Some(operands) = self.form(value, m, like) else { return value };
        self.emit(Op::MulAddMod, operands.to_vec(), like)
    }

    fn literal(&mut self, number: i64, like: &Node) -> ValueId {
        let constant =
            Constant { dtype: DType::I64, sizes: Vec::new(), bytes: number.to_ne_bytes().to_vec().into() };
        self.emit(Op::Constant(constant), Vec::new(), like)
    }

    fn emit(&mut self, op: Op, operands: Vec<ValueId>, like: &Node) -> ValueId {
        let result = self.function.new_value(Type::scalar(DType::I64));
        let node = Node { op, operands, results: vec![result], ..like.clone() };
        self.made.push(Some(node));
        result
    }
}

//! What follows from a condition: `not a` is true, so `a` is false; `a and b` is true, so both are.

use std::collections::HashMap;

use ag_ir::{BinaryOp, Block, DType, Function, Node, Op, UnaryOp, ValueId};

/// How many values are looked at for one condition.
const MOST: usize = 64;

/// How a `bool[]` is made, as far as something follows from it.
#[derive(Clone, Copy, Debug)]
enum Maker {
    Literal(bool),
    Not(ValueId),
    And([ValueId; 2]),
    Or([ValueId; 2]),
    /// A result of an `if`: the condition, and what its branches yield.
    Branch(ValueId, [ValueId; 2]),
}

/// How the conditions of a function are made.
#[derive(Debug, Default)]
pub(crate) struct Truths {
    makers: HashMap<ValueId, Maker>,
}

impl Truths {
    /// Looks at a block and all that is inside it.
    pub(crate) fn of(block: &Block, function: &Function) -> Self {
        let mut truths = Self::default();
        truths.add(block, function);
        truths
    }

    fn add(&mut self, block: &Block, function: &Function) {
        for node in &block.nodes {
            node.regions.iter().for_each(|region| self.add(region, function));
            self.add_node(node, function);
        }
    }

    fn add_node(&mut self, node: &Node, function: &Function) {
        for (number, result) in node.results.iter().enumerate() {
            let is_condition =
                function.ty(*result).tensor().is_some_and(|ty| ty.dtype == DType::Bool && ty.is_scalar());
            if !is_condition {
                continue;
            }
            let maker = match (&node.op, &node.operands[..]) {
                (Op::Constant(constant), _) => Maker::Literal(constant.bytes.first() != Some(&0)),
                (Op::Unary(UnaryOp::LogicalNot, _), [a]) => Maker::Not(*a),
                (Op::Binary(BinaryOp::BitAnd, _), [a, b]) => Maker::And([*a, *b]),
                (Op::Binary(BinaryOp::BitOr, _), [a, b]) => Maker::Or([*a, *b]),
                (Op::If, [condition]) => Maker::Branch(
                    *condition,
                    [0, 1].map(|region: usize| node.regions[region].results[number]),
                ),
                _ => continue,
            };
            self.makers.insert(*result, maker);
        }
    }

    /// The truth of a literal.
    pub(crate) fn literal(&self, value: ValueId) -> Option<bool> {
        match self.makers.get(&value) {
            Some(Maker::Literal(truth)) => Some(*truth),
            _ => None,
        }
    }

    /// The condition that this one is, or is the opposite of; and whether it is the same.
    pub(crate) fn plain(&self, mut value: ValueId) -> (ValueId, bool) {
        let mut is_same = true;
        while let Some(Maker::Not(opposite)) = self.makers.get(&value) {
            (value, is_same) = (*opposite, !is_same);
        }
        (value, is_same)
    }

    /// What else is known where a condition has this truth.
    pub(crate) fn implied(&self, value: ValueId, truth: bool) -> HashMap<ValueId, bool> {
        let mut known = HashMap::new();
        let mut open = vec![(value, truth)];
        while let Some((value, truth)) = open.pop()
            && known.len() < MOST
        {
            known.insert(value, truth);
            match self.makers.get(&value) {
                Some(Maker::Not(opposite)) => open.push((*opposite, !truth)),
                Some(Maker::And(both)) if truth => open.extend(both.map(|one| (one, true))),
                Some(Maker::Or(both)) if !truth => open.extend(both.map(|one| (one, false))),
                Some(Maker::Branch(condition, yields)) => {
                    let is_possible = [0, 1].map(|region| {
                        let is_then = region == 0;
                        let yielded = if yields[region] == *condition {
                            Some(is_then)
                        } else {
                            self.literal(yields[region])
                        };
                        yielded != Some(!truth)
                    });
                    match is_possible {
                        [true, false] => open.extend([(*condition, true), (yields[0], truth)]),
                        [false, true] => open.extend([(*condition, false), (yields[1], truth)]),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        known
    }
}

//! Strength reduction: a cheaper op that gives the same bits.
//!
//! ```text
//! %1: i64[] = constant 2                         %1: i64[] = constant 2
//! %2: i64[] = mod %0, %1                    →    %4: i64[] = constant 1
//! %3: i64[] = floor_div %0, %1                   %2: i64[] = bit_and %0, %4
//!                                                %5: i64[] = constant 1
//!                                                %3: i64[] = shift_right %0, %5
//! ```
//!
//! Python's `//` and `%` round down, which is what shifting and masking do with negative numbers in
//! two's complement; C's do not.

use std::collections::HashMap;

use ag_ir::{BinaryOp, Block, Constant, DType, Function, Node, Op, Overflow, Type, ValueId};

pub(crate) fn run(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    Reduction { function, powers: HashMap::new() }.block(&mut body);
    function.body = body;
}

struct Reduction<'a> {
    function: &'a mut Function,
    /// Scalar constants that are a power of two, with the exponent.
    powers: HashMap<ValueId, u32>,
}

impl Reduction<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut kept = Vec::with_capacity(block.nodes.len());
        for mut node in std::mem::take(&mut block.nodes) {
            node.regions.iter_mut().for_each(|region| self.block(region));
            if let Op::Constant(constant) = &node.op
                && let Some(power) = exponent(constant)
            {
                self.powers.insert(node.results[0], power);
            }
            if let Some(made) = self.reduce(&mut node) {
                kept.push(made);
            }
            kept.push(node);
        }
        block.nodes = kept;
    }

    /// Replaces a division by a power of two; gives the constant that the new op needs.
    fn reduce(&mut self, node: &mut Node) -> Option<Node> {
        let Op::Binary(op, _) = node.op else { return None };
        let power = *self.powers.get(node.operands.get(1)?)?;
        let dtype = self.function.ty(node.operands[1]).dtype;
        let (cheaper, operand) = match op {
            BinaryOp::FloorDiv => (BinaryOp::ShiftRight, i64::from(power)),
            BinaryOp::Mod => (BinaryOp::BitAnd, (1_i64 << power) - 1),
            _ => return None,
        };
        let literal = scalar(dtype, operand)?;
        let constant = self.function.new_value(Type::scalar(dtype));
        node.op = Op::Binary(cheaper, Overflow::Wrap);
        node.operands[1] = constant;
        Some(Node {
            op: Op::Constant(literal),
            operands: Vec::new(),
            results: vec![constant],
            regions: Vec::new(),
            location: node.location,
        })
    }
}

/// The exponent of a scalar integer constant that is a power of two.
fn exponent(constant: &Constant) -> Option<u32> {
    let value = match (constant.dtype, &*constant.bytes) {
        (DType::U8, [byte]) => i64::from(*byte),
        (DType::I32, bytes) => i64::from(i32::from_ne_bytes(bytes.try_into().ok()?)),
        (DType::I64, bytes) => i64::from_ne_bytes(bytes.try_into().ok()?),
        _ => return None,
    };
    (constant.sizes.is_empty() && value > 0 && value.count_ones() == 1).then(|| value.trailing_zeros())
}

fn scalar(dtype: DType, value: i64) -> Option<Constant> {
    let bytes: Vec<u8> = match dtype {
        DType::U8 => u8::try_from(value).ok()?.to_ne_bytes().to_vec(),
        DType::I32 => i32::try_from(value).ok()?.to_ne_bytes().to_vec(),
        DType::I64 => value.to_ne_bytes().to_vec(),
        _ => return None,
    };
    Some(Constant { dtype, sizes: Vec::new(), bytes: bytes.into() })
}

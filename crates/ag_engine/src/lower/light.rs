//! Which steps are *light*: a few instructions, so that reading a clock between two would take longer than they do.

use ag_ir::{Op, Type, ValueId};

use super::part::Part;
use crate::lists::CELL_BYTES;
use crate::plan::Plan;
use crate::plan::ids::{BODY, BlockId};
use crate::plan::step::Step;
use crate::plan::tree::Tree;

/// The most bytes that a light step copies.
const FEW_BYTES: usize = 256;

/// What is known of steps of a function.
#[derive(Clone, Copy)]
pub(super) struct Steps<'p> {
    pub(super) plan: &'p Plan,
    pub(super) tree: &'p Tree<'p>,
    /// Which functions of the graph are light, by their number; the main one is none of them.
    pub(super) functions: &'p [bool],
}

/// Which of the functions that a graph calls do nothing but light steps, those of functions that they call
/// included.
pub(crate) fn light_functions(parts: &[Part<'_>]) -> Vec<bool> {
    let mut light = vec![true; parts.len().saturating_sub(1)];
    loop {
        let steps = |part: &'_ Part<'_>| {
            // A function that calls itself is light unless something else in it is not.
            let functions = &light;
            (0..part.plan.steps[BODY].len())
                .all(|index| Steps { plan: &part.plan, tree: &part.tree, functions }.is_light(BODY, index))
        };
        let next: Vec<bool> =
            parts[1..].iter().zip(&light).map(|(part, is_light)| *is_light && steps(part)).collect();
        if next == light {
            return light;
        }
        light = next;
    }
}

impl Steps<'_> {
    /// Whether a step is a few instructions, or a branch, a loop or a function of such.
    pub(super) fn is_light(self, block: BlockId, index: usize) -> bool {
        let node = self.tree.node(block, index);
        let is_few = |value: &ValueId| self.bytes(*value) <= FEW_BYTES;
        match &self.plan.steps[block][index] {
            Step::Nothing
            | Step::Scalar
            | Step::Constant(_)
            | Step::View { .. }
            | Step::SliceView { .. }
            | Step::Element { .. }
            | Step::CellElement(_)
            | Step::Size(_)
            | Step::Check(_) => true,
            Step::StoreElement { copied, bytes, .. } => copied.is_none() && *bytes <= FEW_BYTES,
            Step::CellStore { copied, index, .. } => copied.is_none() && index.bytes <= FEW_BYTES,
            Step::List(step) => {
                step.copied.is_none() && step.element.depth == 0 && step.element.bytes <= FEW_BYTES
            }
            Step::Tape { .. } => {
                let mut values = node.operands.iter().chain(&node.results);
                matches!(node.op, Op::TapePush(_) | Op::TapePop(_))
                    && values.all(|value| !self.is_in_cell(*value) && is_few(value))
            }
            Step::Kernel(_) => {
                matches!(node.op, Op::Keep(_)) && !self.tree.function.ty(node.operands[0]).is_scalar()
            }
            Step::Contents(_) => false,
            Step::Call(donated) => {
                let callee = if let Op::Call(call) = &node.op { Some(call.callee) } else { None };
                donated.iter().all(|donated| donated.copied.is_none())
                    && callee.and_then(|callee| self.functions.get(callee)).is_some_and(|is_light| *is_light)
            }
            Step::Loop(plan) if !plan.copies.is_empty() => false,
            Step::If | Step::Loop(_) => self.tree.blocks[block].regions[index]
                .iter()
                .all(|region| (0..self.plan.steps[*region].len()).all(|index| self.is_light(*region, index))),
        }
    }

    /// Whether a value is in a cell, whose sizes only the run knows.
    pub(super) fn is_in_cell(self, value: ValueId) -> bool {
        let ty = self.tree.function.ty(value);
        ty.has_unknown_sizes() || matches!(ty, Type::List(_))
    }

    fn bytes(self, value: ValueId) -> usize {
        let Some(tensor) = self.tree.function.ty(value).tensor() else { return CELL_BYTES };
        tensor.sizes().map_or(CELL_BYTES, |sizes| sizes.iter().product::<usize>() * tensor.dtype.size())
    }
}

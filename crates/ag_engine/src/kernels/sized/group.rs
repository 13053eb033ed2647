//! Groups of element-wise nodes (fusions): a recipe from which a tile program is made for given sizes.
//!
//! If the sizes are known the plan makes the program, else the run does. An element-wise op commutes with
//! broadcasting, so all nodes of a group run in the shape of its result, whatever the sizes of the values
//! between.

use ag_ir::{Failure, LocationId};

use super::fit::{Fit, Fitted};
use crate::kernels::chains::Linked;
use crate::kernels::elementwise::{Sides, TileFn};
use crate::kernels::instructions::{FailureKind, Instruction, Source};
use crate::kernels::layout::{broadcast_strides, dense_strides};
use crate::kernels::load::Load;
use crate::kernels::tile::TileProgram;
use crate::kernels::view::View;

/// Where a node of the group gets an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A value from outside of the group (a fusion input).
    Leaf(usize),
    /// The result of an earlier node of the group.
    Member(usize),
}

/// A value from outside of the group.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// The number of the kernel operand in whose memory it is.
    pub(crate) operand: usize,
    /// Size of an element.
    pub(crate) element_size: usize,
    /// Whether the operand is a scalar.
    pub(crate) is_scalar: bool,
    /// How it is read; none if the operand is read as it is.
    pub(crate) view: Option<View>,
}

/// A node of the group.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// The loop that computes it.
    pub(crate) function: TileFn,
    /// Its other loops.
    pub(crate) sides: [Sides; 2],
    /// What it does in a chain, if it can be in one.
    pub(crate) linked: Option<Linked>,
    /// Operands; unused ones repeat the first.
    pub(crate) sources: [Origin; 3],
    /// How many operands there are.
    pub(crate) arity: usize,
    /// Sizes of the operands' elements.
    pub(crate) source_sizes: [usize; 3],
    /// How it can fail.
    pub(crate) failure: Option<FailureKind>,
    /// The source location of the node.
    pub(crate) location: Option<LocationId>,
}

/// A group: its nodes in order, the last gives the result.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    /// Values from outside.
    pub(crate) leaves: Vec<Leaf>,
    /// The nodes.
    pub(crate) members: Vec<Member>,
    /// The number of kernel operands; the result is the operand after them.
    pub(crate) operand_count: usize,
    /// Size of an element of the result.
    pub(crate) result_size: usize,
}

/// A tile program under construction.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    /// The register or memory that each leaf is read from.
    pub(crate) sources: Vec<Source>,
    /// Leaves that are copied to registers.
    pub(crate) loads: Vec<Load>,
    instructions: Vec<Instruction>,
    register_count: usize,
    free: Vec<usize>,
    /// Registers of the nodes' results.
    made: Vec<(usize, usize)>,
}

impl Group {
    /// Starts a program for leaves with these views and a result of these sizes.
    pub(crate) fn assemble(&self, views: &[View], result: &[usize]) -> Assembly {
        let mut assembly = Assembly::default();
        assembly.add_leaves(self, views, result);
        for number in 0..self.members.len() {
            assembly.add_member(self, number, number + 1 == self.members.len());
        }
        assembly
    }

    /// A program for two values of the group, each a leaf or a node's result, in the place of its own result.
    pub(crate) fn assemble_two(&self, views: &[View], result: &[usize], wanted: [Origin; 2]) -> TileProgram {
        let mut assembly = Assembly::default();
        assembly.add_leaves(self, views, result);
        for number in 0..self.members.len() {
            assembly.add_member(self, number, false);
        }
        let factors = wanted.map(|origin| assembly.source(&origin));
        self.program(assembly, result, false).making(factors)
    }

    /// Finishes the program.
    pub(crate) fn program(&self, assembly: Assembly, result: &[usize], is_in_place: bool) -> TileProgram {
        TileProgram::new(
            result,
            assembly.instructions,
            assembly.loads,
            assembly.register_count,
            (self.operand_count, self.result_size),
            is_in_place,
        )
    }
}

impl Assembly {
    /// Leaves come first: their registers are filled before the first instruction.
    fn add_leaves(&mut self, group: &Group, views: &[View], result: &[usize]) {
        let dense = dense_strides(result);
        for (leaf, view) in group.leaves.iter().zip(views) {
            let strides = broadcast_strides(&view.sizes, &view.strides, result);
            let steps = strides.iter().zip(&dense).zip(result);
            let is_dense = view.offset == 0 && !leaf.is_scalar && { steps }
                .all(|((stride, dense), size)| stride == dense || *size == 1);
            self.add_leaf(leaf, view, strides, is_dense);
        }
    }

    /// Where a value is.
    fn source(&self, from: &Origin) -> Source {
        match from {
            Origin::Leaf(leaf) => self.sources[*leaf],
            Origin::Member(other) => {
                let made = self.made.iter().find(|(member, _)| member == other);
                Source::Register(made.map_or(0, |(_, register)| *register))
            }
        }
    }

    fn add_leaf(&mut self, leaf: &Leaf, view: &View, strides: Vec<isize>, is_dense: bool) {
        if is_dense {
            self.sources.push(Source::Memory(leaf.operand));
            return;
        }
        let register = self.register_count;
        self.register_count += 1;
        let (operand, element_size) = (leaf.operand, leaf.element_size);
        self.loads.push(Load { operand, register, element_size, offset: view.offset, strides });
        self.sources.push(Source::Register(register));
    }

    fn add_member(&mut self, group: &Group, number: usize, is_last: bool) {
        let member = &group.members[number];
        let sources = [0, 1, 2].map(|place| self.source(&member.sources[place]));
        let target = (!is_last).then(|| {
            self.free.pop().unwrap_or_else(|| {
                self.register_count += 1;
                self.register_count - 1
            })
        });
        // A value of the group is used once, here; its register is free for the next instruction,
        // but not for this one.
        for from in &member.sources[..member.arity] {
            if let Origin::Member(other) = from
                && let Some(at) = self.made.iter().position(|(member, _)| member == other)
            {
                self.free.push(self.made.swap_remove(at).1);
            }
        }
        if let Some(register) = target {
            self.made.push((number, register));
        }
        let failure = member.failure.map(|kind| (kind, member.location));
        let Member { function, sides, linked, source_sizes, .. } = *member;
        self.instructions.push(Instruction {
            function,
            sides,
            linked,
            sources,
            source_sizes,
            target,
            failure,
        });
    }
}

/// The sizes of a group's result.
///
/// # Errors
/// If the sizes of a node's operands do not broadcast: the failure, and the node's location.
fn sizes_of_group(group: &Group, leaves: &[Vec<usize>]) -> Result<Vec<usize>, (Failure, Option<LocationId>)> {
    let mut made: Vec<Vec<usize>> = Vec::with_capacity(group.members.len());
    for member in &group.members {
        let operands = [0, 1, 2].map(|place| match member.sources[place] {
            Origin::Leaf(leaf) => leaves[leaf].as_slice(),
            Origin::Member(other) => made[other].as_slice(),
        });
        let sizes = ag_ir::broadcast_sizes(&operands[..member.arity]);
        made.push(sizes.map_err(|failure| (failure, member.location))?);
    }
    Ok(made.pop().unwrap_or_default())
}

impl Fit for Group {
    fn fit(
        &self,
        sizes: &[&[usize]],
        _: &dyn Fn(usize) -> i64,
    ) -> Result<Fitted, (Failure, Option<LocationId>)> {
        let view_of = |leaf: &Leaf| leaf.view.clone().unwrap_or_else(|| View::dense(sizes[leaf.operand]));
        let views: Vec<View> = self.leaves.iter().map(view_of).collect();
        let leaves: Vec<Vec<usize>> = views.iter().map(|view| view.sizes.clone()).collect();
        let result = sizes_of_group(self, &leaves)?;
        let program = self.program(self.assemble(&views, &result), &result, false);
        Ok(Fitted { result: Some(result), kernel: Box::new(program), scratch: 0 })
    }
}

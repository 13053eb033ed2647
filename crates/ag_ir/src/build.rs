//! The builder: emits nodes into the innermost open block, inferring their types.

mod functions;
mod inline;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use self::functions::Pending;

use crate::function::{Block, Function, LocationId, Node, ValueId};
use crate::infer::{InferError, RegionTypes, infer};
use crate::op::{Constant, Op};
use crate::types::{DType, Type};

/// Builds a function node by node.
///
/// Blocks are opened and closed like parentheses: the function's own block is open from the start,
/// and a region is opened with [`Builder::open`], filled, and taken out with [`Builder::close`] to
/// be given to [`Builder::emit`].
#[derive(Clone, Debug)]
pub struct Builder {
    function: Function,
    open: Vec<Block>,
    functions: Vec<Pending>,
    tapes: u32,
    /// Values that constants give.
    literals: BTreeSet<ValueId>,
    lengths: BTreeSet<ValueId>,
}

/// Nodes that [`Builder::take_out`] has removed from an open block.
#[derive(Debug)]
pub struct TakenOut {
    depth: usize,
    start: usize,
    /// The nodes.
    pub nodes: Vec<Node>,
}

/// A state of a builder to which it can be rolled back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    depth: usize,
    nodes: usize,
    params: usize,
    values: usize,
    functions: usize,
}

impl Builder {
    /// A builder of a function with this name, without parameters yet.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self {
            function: Function { name: name.into(), ..Function::default() },
            open: vec![Block::default()],
            functions: Vec::new(),
            tapes: 0,
            literals: BTreeSet::new(),
            lengths: BTreeSet::new(),
        }
    }

    /// The function so far; its body is empty until [`Builder::finish`].
    #[must_use]
    pub const fn function(&self) -> &Function {
        &self.function
    }

    /// The function so far, to add locations and names to.
    pub const fn function_mut(&mut self) -> &mut Function {
        &mut self.function
    }

    /// How many blocks are open, the function's own included.
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether the nodes emitted into the open blocks do nothing but compute results: they have no effects,
    /// cannot fail, and end.
    #[must_use]
    pub fn is_pure(&self) -> bool {
        let nodes = self.open.iter().flat_map(|block| &block.nodes);
        nodes.into_iter().all(|node| node.is_pure(&self.function))
    }

    /// Whether `value` may replace `before` as the version of one array that a failure reports: no node of
    /// the innermost block fails after the last use of `before`, and the node that uses it fails before it
    /// writes.
    #[must_use]
    pub fn follows(&self, value: ValueId, before: ValueId) -> bool {
        for node in self.open.iter().rev().take(1).flat_map(|block| block.nodes.iter().rev()) {
            if node.results.contains(&value) && uses(node, before) {
                return true;
            }
            // A node with regions, or a call, may have written to the memory when it fails.
            let is_simple = node.regions.is_empty() && !matches!(node.op, Op::Call(_));
            if is_simple && node.operands.contains(&before) {
                return true;
            }
            if !node.is_pure(&self.function) {
                return false;
            }
        }
        false
    }

    /// The node in the open blocks that gives a value.
    #[must_use]
    pub fn defining(&self, value: ValueId) -> Option<&Node> {
        let nodes = self.open.iter().rev().flat_map(|block| block.nodes.iter().rev());
        nodes.into_iter().find(|node| node.results.contains(&value))
    }

    /// Whether a value is known to be that of a constant.
    #[must_use]
    pub fn is_literal(&self, value: ValueId) -> bool {
        self.literals.contains(&value)
    }

    fn innermost(&mut self) -> &mut Block {
        if self.open.is_empty() {
            self.open.push(Block::default());
        }
        let last = self.open.len() - 1;
        &mut self.open[last]
    }

    /// Adds a parameter to the innermost open block.
    pub fn param(&mut self, ty: Type) -> ValueId {
        let value = self.function.new_value(ty);
        self.innermost().params.push(value);
        value
    }

    /// Adds a parameter to the function itself, whatever block is open.
    pub fn function_param(&mut self, ty: Type) -> ValueId {
        let value = self.function.new_value(ty);
        match self.open.first_mut() {
            Some(body) => body.params.push(value),
            None => self.innermost().params.push(value),
        }
        value
    }

    /// Reopens a closed region, to add to it.
    pub fn reopen(&mut self, region: Block) {
        self.open.push(region);
    }

    /// Emits a node without regions.
    ///
    /// # Errors
    /// If the operands do not fit the op.
    pub fn emit(
        &mut self,
        op: Op,
        operands: &[ValueId],
        location: Option<LocationId>,
    ) -> Result<Vec<ValueId>, InferError> {
        self.emit_with_regions(op, operands, Vec::new(), location)
    }

    /// Emits a node with regions.
    ///
    /// # Errors
    /// If operands or regions do not fit, or the function has no such value, as after a
    /// [`Builder::roll_back`]; the regions are then lost.
    pub fn emit_with_regions(
        &mut self,
        op: Op,
        operands: &[ValueId],
        regions: Vec<Block>,
        location: Option<LocationId>,
    ) -> Result<Vec<ValueId>, InferError> {
        let of_regions = regions.iter().flat_map(|block| block.params.iter().chain(&block.results));
        self.require_values(operands.iter().chain(of_regions))?;
        let types: Vec<&Type> = operands.iter().map(|value| self.function.ty(*value)).collect();
        let region_types: Vec<RegionTypes> =
            regions.iter().map(|block| region_types(&self.function, block)).collect();
        let inferred = infer(&op, &types, &region_types)?;
        let results: Vec<ValueId> = inferred.into_iter().map(|ty| self.function.new_value(ty)).collect();
        let node = Node { op, operands: operands.to_vec(), results: results.clone(), regions, location };
        self.push(node);
        Ok(results)
    }

    fn require_values<'a>(&self, mut values: impl Iterator<Item = &'a ValueId>) -> Result<(), InferError> {
        match values.find(|value| value.0 as usize >= self.function.values.len()) {
            Some(value) => Err(InferError(format!("%{} is no value of the graph", value.0))),
            None => Ok(()),
        }
    }

    /// Emits a literal scalar; the bytes are the element in native order.
    ///
    /// # Errors
    /// Never for bytes of the dtype's size.
    pub fn scalar(&mut self, dtype: DType, bytes: &[u8]) -> Result<ValueId, InferError> {
        let constant = Constant { dtype, sizes: vec![], bytes: bytes.into() };
        Ok(self.emit(Op::Constant(constant), &[], None)?[0])
    }

    /// Opens a block inside the innermost one.
    pub fn open(&mut self) {
        self.open.push(Block::default());
    }

    /// Closes the innermost block and returns it as a region with these results.
    pub fn close(&mut self, results: Vec<ValueId>) -> Block {
        let mut block = self.open.pop().unwrap_or_default();
        block.results = results;
        block
    }

    /// Declares a tape; returns its number.
    pub const fn new_tape(&mut self) -> u32 {
        self.tapes += 1;
        self.tapes - 1
    }

    /// The body of a declared function, empty until it is defined.
    #[must_use]
    pub fn body(&self, number: usize) -> Option<&Block> {
        self.functions.get(number).map(|pending| &pending.body)
    }

    /// The name of a declared function.
    #[must_use]
    pub fn name_of(&self, number: usize) -> Option<Arc<str>> {
        self.functions.get(number).map(|pending| Arc::clone(&pending.name))
    }

    /// Adds a finished node, whose results are already values of the function.
    pub fn push(&mut self, node: Node) {
        if matches!(node.op, Op::Constant(_)) {
            self.literals.extend(&node.results);
        }
        self.innermost().nodes.push(node);
    }

    /// Removes nodes from an open block, to be returned with [`Builder::put_back`]: those from the node that
    /// binds `first` to the node that binds `last`, both included; without `last`, all from the first on.
    /// None if no open block binds them in this order.
    pub fn take_out(&mut self, first: ValueId, last: Option<ValueId>) -> Option<TakenOut> {
        let binds = |node: &Node, value: ValueId| node.results.contains(&value);
        for (depth, block) in self.open.iter_mut().enumerate().rev() {
            let Some(start) = block.nodes.iter().rposition(|node| binds(node, first)) else { continue };
            let end = match last {
                Some(last) => start + block.nodes[start..].iter().position(|node| binds(node, last))? + 1,
                None => block.nodes.len(),
            };
            return Some(TakenOut { depth, start, nodes: block.nodes.drain(start..end).collect() });
        }
        None
    }

    /// Whether the removed nodes belong to the innermost open block.
    #[must_use]
    pub const fn is_innermost(&self, taken: &TakenOut) -> bool {
        taken.depth + 1 == self.open.len()
    }

    /// Returns removed nodes, which may have been changed, to their place.
    pub fn put_back(&mut self, taken: TakenOut) {
        if let Some(block) = self.open.get_mut(taken.depth) {
            block.nodes.splice(taken.start..taken.start, taken.nodes);
        }
    }

    /// Notes that all values from this number on were made for a derivative.
    pub fn mark_derivative(&mut self, first: usize) {
        for value in self.function.values.iter_mut().skip(first) {
            value.is_derivative = true;
        }
    }

    /// Notes that a value is the lengths of lists that an array has room for: the size of the array depends
    /// on them.
    pub fn note_lengths(&mut self, value: ValueId) {
        self.lengths.insert(value);
    }

    /// Whether a value, or what it is a copy of, was noted by [`Builder::note_lengths`].
    #[must_use]
    pub fn is_lengths(&self, value: ValueId) -> bool {
        self.lengths.contains(&value)
    }

    /// Copies a block with new values for those that it binds; also returns the new value of each.
    #[must_use]
    pub fn copy(&mut self, block: &Block) -> (Block, BTreeMap<ValueId, ValueId>) {
        self.copy_with(block, BTreeMap::new())
    }

    /// As [`Builder::copy`], with other values for some of those of the blocks around it.
    #[must_use]
    pub fn copy_with(
        &mut self,
        block: &Block,
        mut renamed: BTreeMap<ValueId, ValueId>,
    ) -> (Block, BTreeMap<ValueId, ValueId>) {
        let mut block = block.clone();
        let mut copies = Vec::new();
        functions::bound_in(&block, &mut |id| {
            let value = self.function.values[id.0 as usize].clone();
            self.function.values.push(value);
            let last = self.function.values.len() - 1;
            let copy = ValueId(u32::try_from(last).unwrap_or(u32::MAX));
            renamed.insert(id, copy);
            if self.lengths.contains(&id) {
                copies.push(copy);
            }
        });
        functions::renumber(&mut block, &mut |id| renamed.get(id).copied().unwrap_or(*id));
        self.lengths.extend(copies);
        (block, renamed)
    }

    /// The current state, to return to with [`Builder::roll_back`].
    #[must_use]
    pub fn mark(&self) -> Mark {
        let innermost = self.open.last();
        Mark {
            depth: self.open.len(),
            nodes: innermost.map_or(0, |block| block.nodes.len()),
            params: innermost.map_or(0, |block| block.params.len()),
            values: self.function.values.len(),
            functions: self.functions.len(),
        }
    }

    /// Declares a function, so that calls of it can be emitted; returns its number.
    pub fn declare(&mut self, name: impl Into<Arc<str>>) -> usize {
        self.functions.push(Pending { name: name.into(), body: Block::default() });
        self.functions.len() - 1
    }

    /// Defines the body of a declared function: a block that was opened, filled and closed inside the block
    /// that first calls it. The body may use values of the blocks around it.
    pub fn define(&mut self, number: usize, body: Block) {
        if let Some(pending) = self.functions.get_mut(number) {
            pending.body = body;
        }
    }

    /// Discards everything emitted and opened since the mark was made.
    pub fn roll_back(&mut self, mark: Mark) {
        self.open.truncate(mark.depth);
        let innermost = self.innermost();
        innermost.nodes.truncate(mark.nodes);
        innermost.params.truncate(mark.params);
        // A nested block may have added parameters to the function itself.
        let values = mark.values;
        if let Some(body) = self.open.first_mut() {
            body.params.retain(|param| (param.0 as usize) < values);
        }
        self.function.values.truncate(values);
        self.literals.retain(|literal| (literal.0 as usize) < values);
        self.lengths.retain(|value| (value.0 as usize) < values);
        self.functions.truncate(mark.functions);
    }

    /// The finished function with these results.
    #[must_use]
    pub fn finish(mut self, results: Vec<ValueId>) -> Function {
        self.function.body = self.close(results);
        functions::split(&mut self.function, self.functions);
        self.function
    }
}

pub(crate) fn region_types(function: &Function, block: &Block) -> RegionTypes {
    let types = |values: &[ValueId]| values.iter().map(|value| function.ty(*value).clone()).collect();
    RegionTypes { params: types(&block.params), results: types(&block.results) }
}

/// Whether a node, or one in its regions, has a value as an operand.
fn uses(node: &Node, value: ValueId) -> bool {
    let is_inside = |block: &Block| block.nodes.iter().any(|inner| uses(inner, value));
    node.operands.contains(&value) || node.regions.iter().any(is_inside)
}

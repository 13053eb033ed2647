//! All blocks of a function, nested regions included, in one table: parents, positions, last uses.
//!
//! Positions (program points) number the nodes in the order of the text: those of a node's regions lie
//! between its start and its end. The live range of memory is an interval of positions.

use std::collections::HashMap;

use ag_ir::{Block, Function, Node, Op, ValueId};
use cranelift_codegen::entity::PrimaryMap;

use super::ids::{BODY, BlockId};
use crate::values::ValueMap;

/// A block and where it stands.
#[derive(Debug)]
pub(crate) struct BlockEntry<'f> {
    /// The block.
    pub(crate) block: &'f Block,
    /// The block and node that it is a region of.
    pub(crate) parent: Option<(BlockId, usize)>,
    /// Whether it is a region of a loop.
    pub(crate) is_in_loop: bool,
    /// The regions of each node.
    pub(crate) regions: Vec<Vec<BlockId>>,
    /// Position of each node.
    pub(crate) starts: Vec<usize>,
    /// Position after each node's regions.
    pub(crate) ends: Vec<usize>,
}

/// All blocks, and where values are defined and used.
#[derive(Debug)]
pub(crate) struct Tree<'f> {
    /// The function.
    pub(crate) function: &'f Function,
    /// The blocks.
    pub(crate) blocks: PrimaryMap<BlockId, BlockEntry<'f>>,
    /// The block that defines each value.
    defined_in: ValueMap<BlockId>,
    /// The node that makes each value; none for parameters.
    made_by: ValueMap<Option<usize>>,
    /// The last node of a block in which a value is used, there or in a region of it;
    /// `usize::MAX` for the block's results.
    last_use: HashMap<(BlockId, ValueId), usize>,
    /// Whether each sum is made alone, in the order of the graph.
    pub(crate) keeps_order: bool,
}

impl<'f> Tree<'f> {
    /// The table without uses; see [`Self::add_use`].
    pub(crate) fn new(function: &'f Function) -> Self {
        let mut tree = Self {
            function,
            blocks: PrimaryMap::new(),
            defined_in: ValueMap::of(function, BODY),
            made_by: ValueMap::of(function, None),
            last_use: HashMap::new(),
            keeps_order: false,
        };
        let mut position = 0;
        tree.enter(&function.body, None, false, &mut position);
        tree
    }

    fn enter(
        &mut self,
        block: &'f Block,
        parent: Option<(BlockId, usize)>,
        is_in_loop: bool,
        position: &mut usize,
    ) -> BlockId {
        let id = self.blocks.push(BlockEntry {
            block,
            parent,
            is_in_loop,
            regions: Vec::new(),
            starts: Vec::new(),
            ends: Vec::new(),
        });
        for param in &block.params {
            self.defined_in[*param] = id;
        }
        for (index, node) in block.nodes.iter().enumerate() {
            for result in &node.results {
                self.defined_in[*result] = id;
                self.made_by[*result] = Some(index);
            }
            *position += 1;
            self.blocks[id].starts.push(*position);
            let is_loop = matches!(node.op, Op::While | Op::For);
            let regions = node
                .regions
                .iter()
                .map(|region| self.enter(region, Some((id, index)), is_loop, position))
                .collect();
            self.blocks[id].regions.push(regions);
            *position += 1;
            self.blocks[id].ends.push(*position);
        }
        id
    }

    /// The node that makes a value; none if it is a parameter.
    pub(crate) fn maker(&self, value: ValueId) -> Option<(BlockId, usize)> {
        self.made_by[value].map(|index| (self.defined_in[value], index))
    }

    /// A node.
    pub(crate) fn node(&self, block: BlockId, index: usize) -> &'f Node {
        &self.blocks[block].block.nodes[index]
    }

    /// The block that defines a value.
    pub(crate) fn defining_block(&self, value: ValueId) -> BlockId {
        self.defined_in[value]
    }

    /// Notes that node `index` of a block uses a value; `usize::MAX` stands for the end of the block.
    pub(crate) fn add_use(&mut self, value: ValueId, block: BlockId, index: usize) {
        let definition = self.defining_block(value);
        let (mut block, mut index) = (block, index);
        loop {
            let last = self.last_use.entry((block, value)).or_insert(index);
            *last = (*last).max(index);
            if block == definition {
                return;
            }
            let Some(parent) = self.blocks[block].parent else { return };
            (block, index) = parent;
        }
    }

    /// The last node of a block in which a value is used, there or in a region of it; `usize::MAX` for the
    /// block's results.
    pub(crate) fn last_use(&self, value: ValueId, block: BlockId) -> Option<usize> {
        self.last_use.get(&(block, value)).copied()
    }

    /// Whether a block or its regions use a value.
    pub(crate) fn is_used_in(&self, value: ValueId, block: BlockId) -> bool {
        self.last_use.contains_key(&(block, value))
    }

    /// Whether a value may still be read after node `index` of a block has run.
    pub(crate) fn is_live_after(&self, value: ValueId, block: BlockId, index: usize) -> bool {
        let definition = self.defining_block(value);
        let (mut block, mut index) = (block, index);
        loop {
            if self.last_use.get(&(block, value)).is_some_and(|last| *last > index) {
                return true;
            }
            if block == definition {
                return false;
            }
            // The value's block does not enclose this one, so it cannot be read here.
            let Some(parent) = self.blocks[block].parent else { return false };
            if self.blocks[block].is_in_loop && self.last_use.contains_key(&(block, value)) {
                return true;
            }
            (block, index) = parent;
        }
    }

    /// The position up to which memory allocated in `home` must be kept, if it is used at `position` within
    /// `block`: the end of the outermost loop between the two.
    pub(crate) fn end_of_use(&self, home: BlockId, block: BlockId, position: usize) -> usize {
        let (mut current, mut end) = (block, position);
        while current != home {
            let Some((parent, index)) = self.blocks[current].parent else { break };
            if self.blocks[current].is_in_loop {
                end = end.max(self.blocks[parent].ends[index]);
            }
            current = parent;
        }
        end
    }
}

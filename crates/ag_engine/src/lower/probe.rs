//! What is measured of a graph, and of the function whose code is being generated.

use ag_ir::{Block, Function, Op};
use cranelift_codegen::entity::EntityRef;
use cranelift_frontend::Variable;

use super::cold_call::ColdCalls;
use crate::plan::ids::BlockId;
use crate::plan::tree::Tree;
use crate::profile::layout::{BlockNumber, Count, Layout};
use crate::profile::meter::Meter;

/// What is measured of a graph.
pub(crate) struct Measured {
    /// The units so far.
    pub(crate) layout: Layout,
    /// Where they are measured.
    pub(crate) meter: *mut Meter,
    /// Which functions that the graph calls are light.
    pub(crate) light: Vec<bool>,
    /// The functions that code calls to measure.
    pub(crate) calls: Option<&'static ColdCalls>,
}

impl Measured {
    /// Nothing yet of a graph of so many blocks.
    pub(crate) fn new(blocks: usize, meter: *mut Meter) -> Self {
        Self { layout: Layout::new(blocks), meter, light: Vec::new(), calls: None }
    }
}

/// How many blocks a graph has.
pub(crate) fn blocks_of(function: &Function) -> usize {
    fn inside(block: &Block) -> usize {
        1 + block.nodes.iter().flat_map(|node| &node.regions).map(inside).sum::<usize>()
    }
    std::iter::once(function).chain(&function.functions).map(|one| inside(&one.body)).sum()
}

/// The measuring of one function of a graph.
pub(crate) struct Probe {
    pub(super) measured: Measured,
    /// The number of the function.
    pub(super) function: usize,
    /// The number of its first block.
    first_block: BlockNumber,
    /// Within a unit, the registers that count blocks; blocks without one are counted in memory.
    pub(super) registers: Option<Vec<(BlockId, Variable)>>,
}

impl Probe {
    pub(super) fn new(mut measured: Measured, function: usize, tree: &Tree<'_>) -> Self {
        let layout = &mut measured.layout;
        let first_block = layout.blocks_before(function);
        layout.types.push(std::collections::HashMap::new());
        layout.blocks.push(tree.blocks.len());
        for (block, entry) in tree.blocks.iter() {
            let at = |block: BlockId| first_block + block.index();
            for (index, regions) in entry.regions.iter().enumerate() {
                match (&tree.node(block, index).op, &regions[..]) {
                    (Op::If, [then, otherwise]) => {
                        layout.counts[at(*otherwise)] = Count::Rest(at(block), at(*then));
                    }
                    (Op::While, [test, body]) => {
                        layout.counts[at(*test)] = Count::Both(at(block), at(*body));
                    }
                    _ => {}
                }
            }
        }
        Self { measured, function, first_block, registers: None }
    }

    pub(super) fn measured(self) -> Measured {
        self.measured
    }

    /// The number of a block among all of the graph.
    pub(super) fn number(&self, block: BlockId) -> BlockNumber {
        self.first_block + block.index()
    }
}

//! Walking a graph: its functions, their blocks, and the nodes in those, read only.
//!
//! ```text
//! for function in walk::functions(&graph) {
//!     for inside in walk::blocks(function) {
//!         for node in &inside.block.nodes {
//!             node.op.name(); node.op.attributes(); node.operands; node.results;
//!             node.span(function); node.says(&graph);
//!         }
//!     }
//! }
//! ```
//!
//! - [`Op::attributes`](crate::Op::attributes) gives the attributes of an op;
//!   [`Op::operand_names`](crate::Op::operand_names) and [`Op::region_names`](crate::Op::region_names) the
//!   names of its operands and regions.
//! - The function has the types of its values; unknown sizes have the names that
//!   [`size_names`](crate::size_names()) gives them.
//! - Nodes with the effect [`Effect::Host`](crate::Effect::Host), and checks with a site, run code of the
//!   host. The graph describes in words what the host does there.

use crate::function::{Block, Function, Node, SourceLocation};
use crate::op::{Attribute, Op};

/// A block and the node that it belongs to.
#[derive(Clone, Debug)]
pub struct BlockInside<'a> {
    /// The block.
    pub block: &'a Block,
    /// The node whose region it is and the number of the region; none for the function's own block.
    pub region_of: Option<(&'a Node, usize)>,
}

/// The functions of a graph: the main one, and those that it calls by their number.
pub fn functions(graph: &Function) -> impl Iterator<Item = &Function> {
    std::iter::once(graph).chain(&graph.functions)
}

/// The blocks of a function in the order of the text, each before the blocks inside it.
#[must_use]
pub fn blocks(function: &Function) -> Vec<BlockInside<'_>> {
    let mut found = Vec::new();
    add_blocks(&function.body, None, &mut found);
    found
}

fn add_blocks<'a>(block: &'a Block, region_of: Option<(&'a Node, usize)>, found: &mut Vec<BlockInside<'a>>) {
    found.push(BlockInside { block, region_of });
    for node in &block.nodes {
        for (number, region) in node.regions.iter().enumerate() {
            add_blocks(region, Some((node, number)), found);
        }
    }
}

impl Node {
    /// The place in the user's program.
    #[must_use]
    pub fn span<'a>(&self, function: &'a Function) -> Option<&'a SourceLocation> {
        function.locations.get(self.location?.0 as usize)
    }

    /// The calls of the user's functions that led there, innermost first: the callers' places.
    pub fn callers<'a>(&self, function: &'a Function) -> impl Iterator<Item = &'a SourceLocation> {
        let places = &function.locations;
        std::iter::successors(self.location, |inner| {
            let caller = places.get(inner.0 as usize)?.caller?;
            // A place is called from one with a lower number; others would go round in circles.
            (caller.0 < inner.0).then_some(caller)
        })
        .skip(1)
        .filter_map(|number| places.get(number.0 as usize))
    }

    /// The host's number for what it does, or raises, at this node.
    #[must_use]
    pub fn site(&self) -> Option<u32> {
        let attributes = self.op.attributes();
        let site = attributes.iter().find(|attribute| attribute.name == "site")?;
        match site.value {
            Attribute::Number(number) => u32::try_from(number).ok(),
            Attribute::Absent
            | Attribute::Flag(_)
            | Attribute::Numbers(_)
            | Attribute::Integers(_)
            | Attribute::Sizes(_)
            | Attribute::Text(_)
            | Attribute::DType(_)
            | Attribute::Array(_)
            | Attribute::Type(_)
            | Attribute::Types(_) => None,
        }
    }

    /// What the host does, or raises, in words: `print('x =', {0})`, where `{0}` stands for the first value
    /// that it gets. The values are all operands, or for a check those after the first.
    #[must_use]
    pub fn says<'a>(&self, graph: &'a Function) -> Option<&'a str> {
        graph.sites.get(self.site()? as usize).map(AsRef::as_ref)
    }

    /// Whether its results come from code outside of the graph, so that no other process can run it.
    #[must_use]
    pub const fn is_callback(&self) -> bool {
        matches!(self.op, Op::Callback(_))
    }
}

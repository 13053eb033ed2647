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
//! - What an op is of its kind, [`Op::attributes`](crate::Op::attributes) says; the names of its operands and
//!   regions, [`Op::operand_names`](crate::Op::operand_names) and
//!   [`Op::region_names`](crate::Op::region_names).
//! - The types of values are those of the function; sizes that only the run knows have the names that
//!   [`size_names`](crate::size_names()) gives them.
//! - What runs outside of the graph is its host's: nodes of effect [`Effect::Host`](crate::Effect::Host), and
//!   checks with a site. What the host does there, the graph says in words.

use crate::function::{Block, Function, Node, SourceLocation};
use crate::op::{Attribute, Op};

/// A block, and where it is.
#[derive(Clone, Debug)]
pub struct BlockInside<'a> {
    /// The block.
    pub block: &'a Block,
    /// The node whose region it is and the number of the region; none of the function's own block.
    pub region_of: Option<(&'a Node, usize)>,
}

/// The functions of a graph: the main one, and those that it calls by their number.
pub fn functions(graph: &Function) -> impl Iterator<Item = &Function> {
    std::iter::once(graph).chain(&graph.functions)
}

/// The blocks of a function in the order of the text, each before those in it.
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

    /// The number of what its host does, or raises.
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

    /// What its host does, or raises, in words: `print('x =', {0})`, where `{0}` stands for the first value
    /// that it is handed. The values are all operands, but of a check those after the first.
    #[must_use]
    pub fn says<'a>(&self, graph: &'a Function) -> Option<&'a str> {
        graph.sites.get(self.site()? as usize).map(AsRef::as_ref)
    }

    /// Whether its results are what code outside of the graph gives: no other process can run it.
    #[must_use]
    pub const fn is_callback(&self) -> bool {
        matches!(self.op, Op::Callback(_))
    }
}

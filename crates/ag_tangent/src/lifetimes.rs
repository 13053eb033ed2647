//! Where a variable is met for the last time, so that nothing has to be known of it any more.
//!
//! ```text
//! a_1 = a[0]          # may be a view of `a`
//! x = a_1 * x         # the last place of `a_1`, also in a loop: each iteration binds it before it is read
//! ```

use std::collections::{BTreeMap, BTreeSet};

use ag_syntax::tree::{Name, StmtKind};

use crate::program::{Block, Head, Node, Op, OpKind, Over};
use crate::seen_writes::operands;
use crate::tidy::read_by_functions;
use crate::variables::{read_by, read_in};

/// By the place of a statement, the variables that nothing meets after it.
pub(crate) type Ends = BTreeMap<usize, Vec<Name>>;

/// Finds where variables are met for the last time.
///
/// # Arguments
///
/// * `result`: what the function returns, which is read at its end.
pub(crate) fn last_met(block: &Block, result: Option<&Name>) -> Ends {
    let mut search = Search::default();
    search.stays.extend(result.cloned());
    search.block(block);
    search.ends()
}

/// The statements between which a variable is met, by their numbers in the order of the text.
struct Life {
    first: usize,
    last: usize,
    /// The number of the block that binds it, if it is bound once, and met first there.
    block: Option<usize>,
    is_bound: bool,
}

/// A block: the numbers and places of its statements, and the number of what follows it.
#[derive(Default)]
struct Part {
    statements: Vec<(usize, Option<usize>)>,
    end: usize,
}

#[derive(Default)]
struct Search {
    lives: BTreeMap<Name, Life>,
    blocks: Vec<Part>,
    /// The number of the next statement.
    next: usize,
    /// The variables that are read where the text does not say it.
    stays: BTreeSet<Name>,
}

impl Search {
    fn block(&mut self, block: &Block) {
        let index = self.blocks.len();
        self.blocks.push(Part::default());
        for node in block {
            let number = self.next;
            self.next += 1;
            self.blocks[index].statements.push((number, place(node)));
            let read = read_at(node);
            if let Node::Plain { stmt, .. }
            | Node::With { header: stmt, .. }
            | Node::Finally { stmt, .. }
            | Node::Op(Op { forward: stmt, .. }) = node
            {
                self.stays.extend(read_by_functions(std::slice::from_ref(stmt)));
            }
            let is_step = matches!(node, Node::Plain { .. } | Node::Op(_));
            for name in &read {
                self.meet(name, number);
            }
            for name in node.binds() {
                let is_new = is_step && !read.contains(&name);
                let life = self.meet(&name, number);
                let is_first = !life.is_bound && life.first == number;
                life.block = (is_new && is_first).then_some(index);
                life.is_bound = true;
            }
            node.blocks().into_iter().for_each(|inner| self.block(inner));
        }
        self.blocks[index].end = self.next;
    }

    fn meet(&mut self, name: &Name, number: usize) -> &mut Life {
        let new = Life { first: number, last: number, block: None, is_bound: false };
        let life = self.lives.entry(name.clone()).or_insert(new);
        life.last = number;
        life
    }

    fn ends(self) -> Ends {
        let mut ends = Ends::new();
        for (name, life) in self.lives {
            let Some(block) = life.block.map(|index| &self.blocks[index]) else { continue };
            let starts = |(number, _): &(usize, Option<usize>)| *number <= life.last;
            let after = block.statements.partition_point(starts);
            let is_inside = life.last < block.end && !self.stays.contains(&name);
            let last = after.checked_sub(1).and_then(|index| block.statements[index].1);
            if let (true, Some(place)) = (is_inside, last) {
                ends.entry(place).or_default().push(name);
            }
        }
        ends
    }
}

/// The place of a statement, if it has one.
pub(crate) fn place(node: &Node) -> Option<usize> {
    match node {
        Node::Plain { site, .. } => Some(*site),
        Node::Op(op) => Some(op.site),
        Node::If(choice) => Some(choice.site),
        Node::Loop(looped) => Some(looped.site),
        Node::Again(again) => Some(again.site),
        Node::With { .. } | Node::Finally { .. } | Node::Exit { .. } | Node::Injected { .. } => None,
    }
}

/// The variables that a statement reads or writes to, those of its blocks left out.
pub(crate) fn read_at(node: &Node) -> BTreeSet<Name> {
    let mut read = BTreeSet::new();
    match node {
        Node::Plain { stmt, .. } => read.extend(read_by(stmt)),
        Node::With { header, .. } => {
            if let StmtKind::With { items, .. } = &header.kind {
                read.extend(items.iter().flat_map(|item| read_in(&item.context)));
            }
        }
        Node::Op(op) => {
            read.extend(read_by(&op.forward));
            read.extend(operands(op));
            read.extend(op.writes().cloned());
            if let OpKind::Call { copied, written, .. } = &op.kind {
                read.extend(copied.iter().chain(written).cloned());
            }
        }
        Node::If(choice) => read.extend(read_in(&choice.test)),
        Node::Loop(looped) => match &looped.head {
            Head::While(test) => read.extend(read_in(test)),
            Head::For { iter, over, .. } => {
                read.extend(read_in(iter));
                if let Over::Items { base, .. } = over {
                    read.insert(base.clone());
                }
            }
        },
        Node::Injected { pairs, body, .. } => {
            read.extend(pairs.iter().map(|(variable, _)| variable.clone()));
            read.extend(body.iter().flat_map(read_by));
        }
        Node::Finally { .. } | Node::Exit { .. } | Node::Again(_) => {}
    }
    read
}

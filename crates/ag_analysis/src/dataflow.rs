//! The data-flow solver for all analyses: a fixed point over bit sets, united where paths meet.
//!
//! A problem is a graph, a direction and a transfer function for each node. Chains of nodes (one predecessor,
//! one successor) are treated as one block, so straight-line code costs one set, however long it is. Blocks
//! are visited in reverse post-order, so the work is near linear: as many rounds as loops are nested, plus
//! one.
//!
//! Facts are not stored for each node: [`Solution::walk`] visits every node once and passes the facts to a
//! callback.

use crate::bit_set::BitSet;

/// Edges between nodes `0..len`.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    successors: Vec<Vec<u32>>,
    predecessors: Vec<Vec<u32>>,
}

impl Graph {
    /// Adds a node without edges.
    pub fn add_node(&mut self) -> u32 {
        self.successors.push(Vec::new());
        self.predecessors.push(Vec::new());
        u32::try_from(self.successors.len() - 1).unwrap_or(u32::MAX)
    }

    /// Adds an edge, unless it exists.
    pub fn add_edge(&mut self, from: u32, to: u32) {
        let (ahead, back) = (&mut self.successors[from as usize], &mut self.predecessors[to as usize]);
        let is_there = if ahead.len() <= back.len() { ahead.contains(&to) } else { back.contains(&from) };
        if !is_there {
            ahead.push(to);
            back.push(from);
        }
    }

    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// Whether there are no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// The successors of a node.
    #[must_use]
    pub fn successors(&self, node: u32) -> &[u32] {
        &self.successors[node as usize]
    }

    /// The predecessors of a node.
    #[must_use]
    pub fn predecessors(&self, node: u32) -> &[u32] {
        &self.predecessors[node as usize]
    }
}

/// The direction in which facts flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the entry on.
    Forward,
    /// From the exit back.
    Backward,
}

/// A program point: before or after a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Before the node runs.
    Before,
    /// After the node has run.
    After,
}

/// A data-flow problem.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a, T> {
    /// The graph.
    pub graph: &'a Graph,
    /// The direction in which facts flow.
    pub direction: Direction,
    /// The node where facts start: the entry or the exit.
    pub boundary: u32,
    /// The facts there.
    pub initial: &'a BitSet,
    /// The transfer function: updates a set for a node.
    pub transfer: T,
}

/// The fixed point of a [`Problem`].
#[derive(Debug)]
pub struct Solution<'a, T> {
    problem: Problem<'a, T>,
    blocks: Vec<Vec<u32>>,
    starts: Vec<BitSet>,
}

impl<'a, T: Fn(u32, &mut BitSet)> Problem<'a, T> {
    fn ahead(&self, node: u32) -> &'a [u32] {
        match self.direction {
            Direction::Forward => self.graph.successors(node),
            Direction::Backward => self.graph.predecessors(node),
        }
    }

    fn back(&self, node: u32) -> &'a [u32] {
        match self.direction {
            Direction::Forward => self.graph.predecessors(node),
            Direction::Backward => self.graph.successors(node),
        }
    }

    /// All nodes in reverse post-order from the boundary, then the unreachable ones.
    fn order(&self) -> Vec<u32> {
        let mut is_seen = vec![false; self.graph.len()];
        let mut finished = Vec::with_capacity(self.graph.len());
        let all = 0..u32::try_from(self.graph.len()).unwrap_or(u32::MAX);
        let mut parts = Vec::new();
        for root in std::iter::once(self.boundary).chain(all) {
            let mut stack = Vec::new();
            if !std::mem::replace(&mut is_seen[root as usize], true) {
                stack.push((root, 0_usize));
            }
            while let Some((node, next)) = stack.last_mut() {
                if let Some(child) = self.ahead(*node).get(*next) {
                    *next += 1;
                    if !std::mem::replace(&mut is_seen[*child as usize], true) {
                        stack.push((*child, 0));
                    }
                } else {
                    finished.push(*node);
                    stack.pop();
                }
            }
            if !finished.is_empty() {
                parts.extend(finished.drain(..).rev());
            }
        }
        parts
    }

    /// Chains of nodes in reverse post-order of their first nodes.
    fn blocks(&self) -> Vec<Vec<u32>> {
        let continues = |node: u32| match self.back(node) {
            [only] => node != self.boundary && self.ahead(*only).len() == 1 && *only != node,
            _ => false,
        };
        let mut is_taken = vec![false; self.graph.len()];
        let mut blocks = Vec::new();
        let order = self.order();
        // A cycle of nodes with one predecessor each has no first node; the second round cuts it.
        for may_cut in [false, true] {
            for first in &order {
                if is_taken[*first as usize] || (continues(*first) && !may_cut) {
                    continue;
                }
                let mut block = vec![*first];
                is_taken[*first as usize] = true;
                while let [next] = self.ahead(block[block.len() - 1]) {
                    if is_taken[*next as usize] || !continues(*next) {
                        break;
                    }
                    is_taken[*next as usize] = true;
                    block.push(*next);
                }
                blocks.push(block);
            }
        }
        blocks
    }

    /// Iterates to the fixed point.
    #[must_use]
    pub fn solve(self) -> Solution<'a, T> {
        let blocks = self.blocks();
        let mut block_of = vec![0_usize; self.graph.len()];
        for (index, block) in blocks.iter().enumerate() {
            block_of[block[0] as usize] = index;
        }
        let start = |block: &Vec<u32>| {
            if block[0] == self.boundary { self.initial.clone() } else { self.initial.emptied() }
        };
        let mut starts: Vec<BitSet> = blocks.iter().map(start).collect();
        let mut is_waiting = vec![true; blocks.len()];
        let mut first_waiting = 0;
        while first_waiting < blocks.len() {
            let from = std::mem::replace(&mut first_waiting, blocks.len());
            for index in from..blocks.len() {
                if !std::mem::replace(&mut is_waiting[index], false) {
                    continue;
                }
                let mut set = starts[index].clone();
                for node in &blocks[index] {
                    (self.transfer)(*node, &mut set);
                }
                for next in self.ahead(blocks[index][blocks[index].len() - 1]) {
                    let next = block_of[*next as usize];
                    if starts[next].union_with(&set) {
                        is_waiting[next] = true;
                        if next <= index {
                            first_waiting = first_waiting.min(next);
                        }
                    }
                }
            }
        }
        Solution { problem: self, blocks, starts }
    }
}

impl<T: Fn(u32, &mut BitSet)> Solution<'_, T> {
    /// Calls `see` with the facts before and after every node.
    pub fn walk(&self, mut see: impl FnMut(u32, Point, &BitSet)) {
        let (first, second) = match self.problem.direction {
            Direction::Forward => (Point::Before, Point::After),
            Direction::Backward => (Point::After, Point::Before),
        };
        for (block, start) in self.blocks.iter().zip(&self.starts) {
            let mut set = start.clone();
            for node in block {
                see(*node, first, &set);
                (self.problem.transfer)(*node, &mut set);
                see(*node, second, &set);
            }
        }
    }
}

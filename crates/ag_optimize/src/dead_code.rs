//! Dead code: nodes, results and carries that nobody needs are dropped.
//!
//! ```text
//! function f(%0: f64[], %1: i64[]) {
//!   %2: f64[] = exp %0                        // not used: dropped
//!   %3: f64[3] = constant [1.0, 2.0, 3.0]
//!   %4: f64[] = gather %3, %1 axis=0          // not used, but may fail: kept
//!   %5: f64[], %6: f64[] = for %1, %1, %1, %0, %0 body(%7: i64[], %8: f64[], %9: f64[]) {
//!     %10: f64[] = neg %8
//!     %11: f64[] = sin %9                     // only for the next iteration's %9: dropped,
//!     yield %10, %11                          // and so are %9 and %6
//!   }
//!   return %5
//! }
//! ```
//!
//! - A node stays if it has an effect, may fail or may run forever, whether used or not.
//! - A value is live if a node that stays needs it. A carry is live if its result is, or if an
//!   iteration needs it for something else than itself.

use ag_ir::{Block, Function, Node, Op, ValueId};

pub(crate) fn run(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let mut liveness = Liveness { function, is_live: vec![false; function.values.len()], count: 0 };
    for result in &body.results {
        liveness.mark(*result);
    }
    liveness.nodes(&body);
    liveness.sweep(&mut body);
    function.body = body;
}

struct Liveness<'a> {
    function: &'a Function,
    is_live: Vec<bool>,
    /// How many values are live, to see whether a round found more.
    count: usize,
}

impl Liveness<'_> {
    fn is_live(&self, id: ValueId) -> bool {
        self.is_live[id.0 as usize]
    }

    fn mark(&mut self, id: ValueId) {
        let slot = &mut self.is_live[id.0 as usize];
        self.count += usize::from(!*slot);
        *slot = true;
    }

    fn stays(&self, node: &Node) -> bool {
        node.results.iter().any(|result| self.is_live(*result)) || !node.is_pure(self.function)
    }

    fn nodes(&mut self, block: &Block) {
        for node in block.nodes.iter().rev() {
            if self.stays(node) {
                self.node(node);
            }
        }
    }

    fn node(&mut self, node: &Node) {
        match node.op {
            Op::If => {
                self.mark(node.operands[0]);
                for region in &node.regions {
                    for (result, inner) in node.results.iter().zip(&region.results) {
                        if self.is_live(*result) {
                            self.mark(*inner);
                        }
                    }
                    self.nodes(region);
                }
            }
            Op::While | Op::For => self.iteration(node),
            _ => node.operands.iter().for_each(|operand| self.mark(*operand)),
        }
    }

    /// An iteration's needs are needs of the iteration before, so this goes round until no more
    /// come up.
    fn iteration(&mut self, node: &Node) {
        let Some(body) = node.regions.last() else { return };
        for bound in &node.operands[..first_carry(node)] {
            self.mark(*bound);
        }
        if let (Op::While, Some(test)) = (&node.op, node.regions.first()) {
            test.results.iter().for_each(|result| self.mark(*result));
        }
        loop {
            let before = self.count;
            for carry in 0..node.results.len() {
                if self.is_carried(node, carry) {
                    self.mark(node.operands[first_carry(node) + carry]);
                    self.mark(body.results[carry]);
                }
            }
            node.regions.iter().for_each(|region| self.nodes(region));
            if self.count == before {
                return;
            }
        }
    }

    /// Whether a carry of a loop is needed.
    fn is_carried(&self, node: &Node, carry: usize) -> bool {
        let is_read = node.regions.iter().any(|region| {
            let offset = region.params.len() - node.results.len();
            self.is_live(region.params[offset + carry])
        });
        is_read || self.is_live(node.results[carry])
    }

    fn sweep(&self, block: &mut Block) {
        block.nodes.retain(|node| self.stays(node));
        for node in &mut block.nodes {
            match node.op {
                Op::If => {
                    let keep: Vec<bool> = node.results.iter().map(|id| self.is_live(*id)).collect();
                    for region in &mut node.regions {
                        retain(&mut region.results, 0, &keep);
                    }
                    retain(&mut node.results, 0, &keep);
                }
                Op::While | Op::For => self.sweep_carries(node),
                _ => {}
            }
            for region in &mut node.regions {
                self.sweep(region);
            }
        }
    }

    fn sweep_carries(&self, node: &mut Node) {
        let keep: Vec<bool> = (0..node.results.len()).map(|carry| self.is_carried(node, carry)).collect();
        let first = first_carry(node);
        retain(&mut node.operands, first, &keep);
        retain(&mut node.results, 0, &keep);
        let is_while = node.op == Op::While;
        for (number, region) in node.regions.iter_mut().enumerate() {
            let offset = region.params.len() - keep.len();
            retain(&mut region.params, offset, &keep);
            if !(is_while && number == 0) {
                retain(&mut region.results, 0, &keep);
            }
        }
    }
}

/// The operand of a loop that is its first carry.
fn first_carry(node: &Node) -> usize {
    node.operands.len() - node.results.len()
}

/// Keeps, from `offset` on, the items for which `keep` says so.
fn retain(items: &mut Vec<ValueId>, offset: usize, keep: &[bool]) {
    let mut position = 0;
    items.retain(|_| {
        position += 1;
        position <= offset || keep[position - 1 - offset]
    });
}

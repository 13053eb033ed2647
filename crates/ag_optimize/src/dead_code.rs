//! Dead code elimination: drops nodes, results and carries that nobody needs.
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

use std::collections::BTreeSet;

use ag_ir::{Block, Function, Node, Op, TapePop, ValueId};

pub(crate) fn run(function: &mut Function) {
    run_with(function, None);
}

/// Runs the pass; only the values on these tapes are needed.
pub(crate) fn run_with_tapes(function: &mut Function, live: &BTreeSet<u32>) {
    run_with(function, Some(live.clone()));
}

fn run_with(function: &mut Function, live_tapes: Option<BTreeSet<u32>>) {
    let mut body = std::mem::take(&mut function.body);
    let mut liveness = Liveness::new(function, live_tapes);
    liveness.all(&body);
    liveness.sweep(&mut body);
    function.body = body;
}

/// The liveness analysis: which values are needed.
pub(crate) struct Liveness<'a> {
    function: &'a Function,
    is_live: Vec<bool>,
    /// The number of live values, to see whether a round found more.
    count: usize,
    /// The tapes of which a value is needed, as far as they have been found; none if all tapes count as
    /// needed.
    live_tapes: Option<BTreeSet<u32>>,
}

impl<'a> Liveness<'a> {
    fn new(function: &'a Function, live_tapes: Option<BTreeSet<u32>>) -> Self {
        Self { function, is_live: vec![false; function.values.len()], count: 0, live_tapes }
    }

    /// The tapes of which a value is needed, including `found`; values pushed on other tapes are not needed.
    pub(crate) fn of_tapes(function: &'a Function, found: BTreeSet<u32>) -> BTreeSet<u32> {
        let mut liveness = Self::new(function, Some(found));
        liveness.all(&function.body);
        liveness.live_tapes.unwrap_or_default()
    }
}

impl Liveness<'_> {
    fn all(&mut self, body: &Block) {
        for result in &body.results {
            self.mark(*result);
        }
        self.nodes(body);
    }

    fn is_live(&self, id: ValueId) -> bool {
        self.is_live[id.0 as usize]
    }

    fn mark(&mut self, id: ValueId) {
        let slot = &mut self.is_live[id.0 as usize];
        self.count += usize::from(!*slot);
        *slot = true;
    }

    fn stays(&self, node: &Node) -> bool {
        node.results.iter().any(|result| self.is_live(*result))
            || self.has_effect(node)
            || node.may_fail(self.function)
            || node.may_not_end()
    }

    fn has_effect(&self, node: &Node) -> bool {
        let Some(live) = &self.live_tapes else { return node.has_effect() };
        let has_own = match &node.op {
            Op::TapePush(tape) | Op::TapeSave(tape) | Op::TapeLoad(tape) => live.contains(tape),
            Op::TapePop(pop) => live.contains(&pop.tape),
            op => op.has_effect(),
        };
        has_own || node.regions.iter().any(|region| region.nodes.iter().any(|node| self.has_effect(node)))
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
            Op::TapePop(TapePop { tape, .. }) | Op::TapeSave(tape) => {
                let is_live = self.is_live(node.results[0]);
                if let Some(live) = &mut self.live_tapes
                    && is_live
                    && live.insert(tape)
                {
                    self.count += 1;
                }
            }
            _ => node.operands.iter().for_each(|operand| self.mark(*operand)),
        }
    }

    /// The values that an iteration needs are needed from the iteration before, so this repeats until no more
    /// are found.
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

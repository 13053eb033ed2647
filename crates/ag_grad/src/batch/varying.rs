//! Finds the values that differ between rows.
//!
//! ```text
//! %1: f64[] = mul %0, %0                                  // differs if %0 does
//! %2: f64[], %3: i64[] = while %1, %n test { … %0 … }     // a test of rows: both differ, as rows
//!                                                         // end at different times
//! tape_push %1 tape=0                                     // all of tape 0 differs
//! ```
//!
//! - The set of such values only grows: loops, recursion and tapes are visited until nothing new is found (a
//!   fixed point).
//! - A function is analysed once for each pattern of batched operands: an [`Instance`]. Values that it
//!   captures from inside the batched region count as operands.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ag_ir::{Block, Builder, Effect, Function, Node, Op, Scope, TapePop, ValueId};

use super::turns::Turns;

/// A function with some of its operands batched. The first one is the region itself, without a callee.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Instance {
    pub(super) callee: Option<usize>,
    pub(super) params: Vec<bool>,
    pub(super) captures: Vec<bool>,
}

/// The values that differ between rows, in each instance.
#[derive(Clone, Debug, Default)]
pub(super) struct Varying {
    /// The functions that are called, by number.
    pub(super) bodies: BTreeMap<usize, Rc<Block>>,
    /// The values that functions capture from inside the region.
    pub(super) captures: BTreeMap<usize, Vec<ValueId>>,
    /// The tapes that functions push on and pop, their callees included; only for functions with any.
    pub(super) tapes_of: BTreeMap<usize, (BTreeSet<u32>, BTreeSet<u32>)>,
    /// The order of branches.
    pub(super) turns: Turns,
    /// Whether the region prints or calls the host.
    pub(super) has_effects: bool,
    pub(super) instances: Vec<Instance>,
    numbers: BTreeMap<Instance, usize>,
    values: BTreeSet<(usize, ValueId)>,
    tapes: BTreeSet<u32>,
}

impl Varying {
    /// Analyses a region and the functions that it calls.
    pub(super) fn of(builder: &Builder, region: &Block, operands: &[bool]) -> Self {
        let mut found = Self::default();
        found.survey(builder, region);
        found.find_turns(region);
        let whole = Instance { params: operands.to_vec(), ..Instance::default() };
        found.number(&whole);
        loop {
            let before = (found.instances.len(), found.values.len(), found.tapes.len());
            for instance in 0..found.instances.len() {
                found.instance(builder.function(), instance, region);
            }
            if before == (found.instances.len(), found.values.len(), found.tapes.len()) {
                return found;
            }
        }
    }

    /// Whether lists that an inner batch has stored as arrays have other lengths in other rows, so that the
    /// arrays have other sizes.
    pub(super) fn has_other_lengths(&self, builder: &Builder) -> bool {
        self.values.iter().any(|(_, value)| builder.is_lengths(*value))
    }

    /// Whether a value differs between rows.
    pub(super) fn is_batched(&self, instance: usize, value: ValueId) -> bool {
        self.values.contains(&(instance, value))
    }

    pub(super) fn are_batched(&self, instance: usize, values: &[ValueId]) -> Vec<bool> {
        values.iter().map(|value| self.is_batched(instance, *value)).collect()
    }

    /// Whether the values on a tape differ between rows.
    pub(super) fn is_tape_batched(&self, tape: u32) -> bool {
        self.tapes.contains(&tape)
    }

    /// The instance that a call in an instance calls.
    pub(super) fn called(&self, instance: usize, callee: usize, operands: &[ValueId]) -> Instance {
        let captures = self.captures.get(&callee).map_or(&[][..], Vec::as_slice);
        Instance {
            callee: Some(callee),
            params: self.are_batched(instance, operands),
            captures: self.are_batched(instance, captures),
        }
    }

    /// Whether an instance is the unbatched function itself.
    pub(super) fn is_plain(&self, instance: &Instance) -> bool {
        let has_tapes = instance.callee.is_some_and(|callee| self.tapes_of.contains_key(&callee));
        !has_tapes && instance.captures.is_empty() && !instance.params.contains(&true)
    }

    /// The number of an instance, added if it is new.
    pub(super) fn number(&mut self, instance: &Instance) -> usize {
        if let Some(number) = self.numbers.get(instance) {
            return *number;
        }
        let number = self.instances.len();
        self.instances.push(instance.clone());
        self.numbers.insert(instance.clone(), number);
        number
    }

    fn mark(&mut self, instance: usize, value: ValueId) {
        self.values.insert((instance, value));
    }

    fn mark_if(&mut self, holds: bool, instance: usize, value: ValueId) {
        if holds {
            self.mark(instance, value);
        }
    }

    fn instance(&mut self, function: &Function, number: usize, region: &Block) {
        let Instance { callee, params, captures } = self.instances[number].clone();
        let callee_body = callee.and_then(|callee| self.bodies.get(&callee).map(Rc::clone));
        let body = callee_body.as_deref().unwrap_or(region);
        let captured = callee.and_then(|callee| self.captures.get(&callee).cloned()).unwrap_or_default();
        let entered = body.params.iter().zip(&params).chain(captured.iter().zip(&captures));
        for (value, is_batched) in entered {
            self.mark_if(*is_batched, number, *value);
        }
        self.block(function, number, body);
    }

    fn block(&mut self, function: &Function, instance: usize, block: &Block) {
        for node in &block.nodes {
            self.node(function, instance, node);
        }
    }

    fn node(&mut self, function: &Function, instance: usize, node: &Node) {
        let any = node.operands.iter().any(|value| self.is_batched(instance, *value));
        match &node.op {
            Op::If => self.branches(function, instance, node),
            Op::While => {
                let [test, body] = &node.regions[..] else { return };
                self.pass(instance, &node.operands, &test.params);
                self.block(function, instance, test);
                let is_by_rows = test.results.iter().any(|value| self.is_batched(instance, *value));
                self.turn(function, instance, &node.results, body, &node.operands, &body.params, is_by_rows);
                self.pass(instance, &body.params, &test.params);
            }
            Op::For => {
                let ([body], Some((bounds, carries))) =
                    (&node.regions[..], node.operands.split_at_checked(3))
                else {
                    return;
                };
                let is_by_rows = bounds.iter().any(|value| self.is_batched(instance, *value));
                self.turn(function, instance, &node.results, body, carries, &body.params[1..], is_by_rows);
            }
            Op::Scope(scope) => self.scope(function, instance, node, *scope),
            Op::Call(call) => {
                let called = self.called(instance, call.callee, &node.operands);
                let number = self.number(&called);
                let body = self.bodies.get(&call.callee).map(Rc::clone);
                for (result, inside) in node.results.iter().zip(body.iter().flat_map(|body| &body.results)) {
                    self.mark_if(self.is_batched(number, *inside), instance, *result);
                }
            }
            Op::TapePush(tape) if any => {
                self.tapes.insert(*tape);
            }
            Op::TapePop(pop) if self.is_tape_batched(pop.tape) => self.mark(instance, node.results[0]),
            // All rows of an array have the same sizes.
            Op::Size(_) => {}
            _ if any => node.results.iter().for_each(|value| self.mark(instance, *value)),
            _ => {}
        }
    }

    /// Passes marks from values to others, one by one.
    fn pass(&mut self, instance: usize, from: &[ValueId], to: &[ValueId]) {
        for (from, to) in from.iter().zip(to) {
            self.mark_if(self.is_batched(instance, *from), instance, *to);
        }
    }

    fn branches(&mut self, function: &Function, instance: usize, node: &Node) {
        let [then, otherwise] = &node.regions[..] else { return };
        self.block(function, instance, then);
        self.block(function, instance, otherwise);
        self.pass(instance, &then.results, &node.results);
        self.pass(instance, &otherwise.results, &node.results);
        let is_by_rows = self.is_batched(instance, node.operands[0]);
        for ((one, other), result) in then.results.iter().zip(&otherwise.results).zip(&node.results) {
            self.mark_if(is_by_rows && one != other, instance, *result);
        }
    }

    /// The body of a loop. If rows end at different times, every carry that changes differs.
    #[allow(clippy::too_many_arguments)]
    fn turn(
        &mut self,
        function: &Function,
        instance: usize,
        results: &[ValueId],
        body: &Block,
        carries: &[ValueId],
        params: &[ValueId],
        is_by_rows: bool,
    ) {
        self.pass(instance, carries, params);
        self.block(function, instance, body);
        self.pass(instance, &body.results, params);
        for (param, result) in params.iter().zip(&body.results) {
            self.mark_if(is_by_rows && param != result, instance, *param);
        }
        self.pass(instance, params, results);
    }

    fn scope(&mut self, function: &Function, instance: usize, node: &Node, scope: Scope) {
        let primal = &node.regions[0];
        for region in &node.regions[..if scope == Scope::CustomVjp { 2 } else { 1 }] {
            self.pass(instance, &node.operands, &region.params);
            self.block(function, instance, region);
            self.pass(instance, &region.results, &node.results);
        }
        self.pass(instance, &primal.results, &node.results);
        let differentiable = |values: &[ValueId]| -> Vec<ValueId> {
            values.iter().copied().filter(|value| function.ty(*value).has_tangent()).collect()
        };
        let (operands, results) = (differentiable(&node.operands), differentiable(&node.results));
        match (scope, &node.regions[1..]) {
            (Scope::CustomVjp, [forward, backward]) => {
                // Either the adjoints of all results differ between rows, or none do.
                let any = results.iter().any(|result| self.is_batched(instance, *result));
                results.iter().for_each(|result| self.mark_if(any, instance, *result));
                let residuals = &forward.results[primal.results.len()..];
                let (saved, adjoints) = backward.params.split_at(residuals.len());
                self.pass(instance, residuals, saved);
                self.pass(instance, &results, adjoints);
                self.block(function, instance, backward);
            }
            (Scope::CustomJvp, [tangent]) => {
                let (entered, tangents) = tangent.params.split_at(node.operands.len());
                self.pass(instance, &node.operands, entered);
                self.pass(instance, &operands, tangents);
                self.block(function, instance, tangent);
                let (given, tangents) = tangent.results.split_at(node.results.len());
                self.pass(instance, given, &node.results);
                self.pass(instance, tangents, &results);
            }
            _ => {}
        }
    }

    /// Finds the functions that are called, and the values that they capture.
    fn survey(&mut self, builder: &Builder, region: &Block) {
        let mut seen = Seen::default();
        seen.block(region);
        let mut inside = seen.binds.clone();
        let mut waiting: Vec<usize> = seen.callees.iter().copied().collect();
        let mut parts: BTreeMap<usize, Seen> = BTreeMap::new();
        while let Some(callee) = waiting.pop() {
            let Some(body) = builder.body(callee) else { continue };
            if parts.contains_key(&callee) {
                continue;
            }
            let mut seen = Seen::default();
            seen.block(body);
            inside.extend(&seen.binds);
            waiting.extend(&seen.callees);
            self.bodies.insert(callee, Rc::new(body.clone()));
            parts.insert(callee, seen);
        }
        self.has_effects = seen.has_effects || parts.values().any(|seen| seen.has_effects);
        let mut captures: BTreeMap<usize, BTreeSet<ValueId>> =
            parts.iter().map(|(callee, seen)| (*callee, &(&seen.uses - &seen.binds) & &inside)).collect();
        self.tapes_of = parts
            .iter()
            .filter(|(_, seen)| !seen.pushes.is_empty() || !seen.pops.is_empty())
            .map(|(callee, seen)| (*callee, (seen.pushes.clone(), seen.pops.clone())))
            .collect();
        loop {
            let mut has_grown = false;
            for (caller, seen) in &parts {
                for callee in &seen.callees {
                    let passed = captures.get(callee).map(|passed| passed - &seen.binds).unwrap_or_default();
                    let own = captures.entry(*caller).or_default();
                    has_grown |= !passed.is_subset(own);
                    own.extend(passed);
                    if let Some((pushes, pops)) = self.tapes_of.get(callee).cloned() {
                        let own = self.tapes_of.entry(*caller).or_default();
                        has_grown |= !pushes.is_subset(&own.0) || !pops.is_subset(&own.1);
                        own.0.extend(pushes);
                        own.1.extend(pops);
                    }
                }
            }
            if !has_grown {
                break;
            }
        }
        self.captures =
            captures.into_iter().map(|(callee, values)| (callee, values.into_iter().collect())).collect();
    }
}

/// The contents of a block and its regions.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) binds: BTreeSet<ValueId>,
    pub(super) uses: BTreeSet<ValueId>,
    pub(super) callees: BTreeSet<usize>,
    pub(super) pushes: BTreeSet<u32>,
    pub(super) pops: BTreeSet<u32>,
    has_effects: bool,
}

impl Seen {
    pub(super) fn block(&mut self, block: &Block) {
        self.binds.extend(&block.params);
        self.uses.extend(&block.results);
        for node in &block.nodes {
            self.binds.extend(&node.results);
            self.uses.extend(&node.operands);
            match &node.op {
                Op::Call(call) => {
                    self.callees.insert(call.callee);
                }
                Op::TapePush(tape) | Op::TapeLoad(tape) => {
                    self.pushes.insert(*tape);
                }
                Op::TapePop(TapePop { tape, .. }) | Op::TapeSave(tape) => {
                    self.pops.insert(*tape);
                }
                op => self.has_effects |= op.effect() == Effect::Host,
            }
            for region in &node.regions {
                self.block(region);
            }
        }
    }
}

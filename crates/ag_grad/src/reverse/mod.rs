//! Reverse mode: computes the adjoints of inputs from those of outputs (`vjp`).
//!
//! ```text
//! %1 = identity %0                     %1 = identity %0
//! %4 = while %1 … {                    %4, %9.n = while %1, 0 … {        // counts, and saves on tapes
//!   body(%2) { %3 = sin %2                 body(%2, %8) { %3 = sin %2; tape_push %2 …
//!              yield %3 } }        →
//!                                      %20 = for n-1, -1, -1, %adjoint body(%i, %14) {
//!                                          %15 = tape_pop …; %16 = cos %15; %17 = mul %14, %16
//!                                          yield %17 }
//! ```
//!
//! - The nodes are visited from the last to the first. The nodes that compute adjoints are emitted after
//!   them, in the same block: a backward `if` for an `if`, a backward loop for a loop, a backward function
//!   for a function.
//! - The forward nodes save the values that the backward nodes ask for (`frames`), and no others.
//! - The results and the effects of the nodes do not change.

mod binomial;
mod control_flow;
pub(crate) mod frames;
mod functions;
mod limited;
mod limits;
mod scopes;
mod stacked;

use std::collections::{BTreeMap, BTreeSet};

use ag_ir::{Builder, Identity, Node, Op, TapePop, Type, ValueId};

use self::frames::Frames;
use self::functions::BackwardFunction;
use crate::activity::{Activity, callees_of};
use crate::adjoints::Adjoints;
use crate::error::GradientError;
use crate::inline::again;
use crate::ruled::apply_rules;
use crate::rules::{self, Sizes};
use crate::site::{Primals, Site};
use crate::{Range, emit};

/// Emits the adjoints of `wrt`. `outputs` are pairs of an output and its adjoint.
///
/// # Errors
/// If an op on the way has no derivative; the nodes of the range are then unchanged.
pub fn vjp(
    builder: &mut Builder,
    range: Range,
    wrt: &[ValueId],
    outputs: &[(ValueId, ValueId)],
) -> Result<Vec<Option<ValueId>>, GradientError> {
    let first = builder.function().values.len();
    let adjoints = adjoints_of(builder, range, wrt, outputs);
    builder.mark_derivative(first);
    adjoints
}

fn adjoints_of(
    builder: &mut Builder,
    range: Range,
    wrt: &[ValueId],
    outputs: &[(ValueId, ValueId)],
) -> Result<Vec<Option<ValueId>>, GradientError> {
    apply_rules(builder, range, wrt)?;
    let Some(mut taken) = builder.take_out(range.first, range.last) else {
        return Err(GradientError::new("a derivative of what is not being recorded here", None));
    };
    let derivative = range.first.0;
    if !builder.is_innermost(&taken) {
        // The asking block may run any number of times, so it gets its own copy of the nodes, which computes
        // them again.
        let nodes = taken.nodes.clone();
        builder.put_back(taken);
        return pulled_back_again(builder, nodes, wrt, outputs, derivative);
    }
    let before = taken.nodes.clone();
    let results = pulled_back(builder, &mut taken.nodes, wrt, outputs, derivative);
    if results.is_err() {
        taken.nodes = before;
    }
    builder.put_back(taken);
    results
}

fn pulled_back_again(
    builder: &mut Builder,
    nodes: Vec<Node>,
    wrt: &[ValueId],
    outputs: &[(ValueId, ValueId)],
    derivative: u32,
) -> Result<Vec<Option<ValueId>>, GradientError> {
    let (mut nodes, names) = again(builder, nodes)?;
    let named = |value: &ValueId| names.get(value).copied().unwrap_or(*value);
    let wrt: Vec<ValueId> = wrt.iter().map(named).collect();
    let outputs: Vec<(ValueId, ValueId)> =
        outputs.iter().map(|(output, adjoint)| (named(output), *adjoint)).collect();
    builder.open();
    let found = pulled_back(builder, &mut nodes, &wrt, &outputs, derivative);
    let block = builder.close(Vec::new());
    nodes.into_iter().chain(block.nodes).for_each(|node| builder.push(node));
    found
}

fn pulled_back(
    builder: &mut Builder,
    nodes: &mut Vec<Node>,
    wrt: &[ValueId],
    outputs: &[(ValueId, ValueId)],
    derivative: u32,
) -> Result<Vec<Option<ValueId>>, GradientError> {
    let mut reverse = Reverse {
        builder,
        derivative,
        activity: Activity::default(),
        ends: BTreeSet::new(),
        frames: Frames::default(),
        functions: BTreeMap::new(),
        tapes: BTreeMap::new(),
        saved: Vec::new(),
        sizes: Sizes::default(),
        spares_memory: false,
    };
    reverse.backward(nodes, wrt, outputs)
}

/// The state of the backward pass.
struct Reverse<'a> {
    builder: &'a mut Builder,
    /// The number of the derivative, whose rules of the user are used.
    derivative: u32,
    activity: Activity,
    /// The values to differentiate with respect to: the backward pass stops at them.
    ends: BTreeSet<ValueId>,
    frames: Frames,
    /// The backward functions, by the number of the forward one.
    functions: BTreeMap<usize, BackwardFunction>,
    /// The tapes of adjoints, by the tape whose values they belong to.
    tapes: BTreeMap<u32, u32>,
    /// Values of the nodes that are entered next, with what was saved of them.
    saved: Vec<(ValueId, ValueId)>,
    /// What is known of unknown sizes from the nodes so far.
    sizes: Sizes<'static>,
    /// Whether the nodes that are walked have a limit of memory.
    spares_memory: bool,
}

impl Reverse<'_> {
    /// Computes the adjoints of `wrt` through nodes whose values are at hand.
    fn backward(
        &mut self,
        nodes: &mut Vec<Node>,
        wrt: &[ValueId],
        outputs: &[(ValueId, ValueId)],
    ) -> Result<Vec<Option<ValueId>>, GradientError> {
        let ends: Vec<ValueId> = outputs.iter().map(|(output, _)| *output).collect();
        let activity = Activity::between(self.builder, nodes, wrt, &ends, self.derivative);
        let around = std::mem::replace(&mut self.activity, activity);
        let ends = std::mem::replace(&mut self.ends, wrt.iter().copied().collect());
        self.own_functions(nodes);
        self.frames.enter_at_hand(nodes);
        for (computed, saved) in std::mem::take(&mut self.saved) {
            self.frames.give(computed, saved);
        }
        let mut adjoints = Adjoints::default();
        let mut result = Ok(Vec::new());
        for (output, adjoint) in outputs {
            if self.activity.is_active(*output) {
                result = result.and(adjoints.add(self.builder, *output, *adjoint).map(|()| Vec::new()));
            }
        }
        result = result.and_then(|_| self.walk(nodes, &mut adjoints).map(|()| Vec::new()));
        self.frames.leave_at_hand();
        self.activity = around;
        self.ends = ends;
        result.map(|_: Vec<()>| wrt.iter().map(|value| adjoints.get(*value)).collect())
    }

    /// Visits the nodes of a block from the last to the first.
    fn walk(&mut self, nodes: &mut Vec<Node>, adjoints: &mut Adjoints) -> Result<(), GradientError> {
        for node in nodes.iter() {
            self.sizes.learn_forward(self.builder.function(), node);
        }
        let mut at = nodes.len();
        while at > 0 {
            at -= 1;
            let results = nodes[at].results.clone();
            match &nodes[at].op {
                Op::TapePush(tape) => {
                    let tape = *tape;
                    self.pop_adjoint(tape, nodes[at].operands[0], adjoints)?;
                    continue;
                }
                Op::TapePop(pop) => {
                    let pop = pop.clone();
                    self.push_adjoint(&pop, results[0], adjoints)?;
                }
                _ if results.iter().all(|result| adjoints.get(*result).is_none())
                    && !self.uses_active_tape(&nodes[at]) =>
                {
                    continue;
                }
                _ if results.iter().any(|result| self.ends.contains(result)) => continue,
                Op::If => self.reverse_if(&mut nodes[at], adjoints)?,
                Op::While | Op::For => self.reverse_loop(nodes, at, adjoints)?,
                Op::Call(_) => self.reverse_call(&nodes[at], adjoints)?,
                Op::Scope(_) => self.reverse_scope(nodes, at, adjoints)?,
                Op::Identity(Identity::Plain | Identity::Saved | Identity::Held(_)) => {
                    if let Some(adjoint) = adjoints.get(results[0]) {
                        adjoints.add(self.builder, nodes[at].operands[0], adjoint)?;
                    }
                }
                Op::Callback(_) => return Err(no_rule_for_a_callback(&nodes[at])),
                _ => self.primitive(&nodes[at], adjoints)?,
            }
            for result in results {
                adjoints.take(result);
            }
        }
        Ok(())
    }

    /// Whether control flow, or its callees, pushes or pops values that have adjoints: then it is part of an
    /// earlier backward pass, which this one must reverse even if its results are not used.
    fn uses_active_tape(&self, node: &Node) -> bool {
        if node.regions.is_empty() && !matches!(node.op, Op::Call(_)) {
            return false;
        }
        let callees = callees_of(self.builder, std::slice::from_ref(node));
        let bodies = callees.iter().filter_map(|callee| self.builder.body(*callee));
        bodies.chain(&node.regions).any(|block| self.has_active_tape(&block.nodes))
    }

    /// Whether one of the nodes, or of those in their regions, uses a tape whose values have adjoints.
    pub(super) fn has_active_tape(&self, nodes: &[Node]) -> bool {
        nodes.iter().any(|node| match &node.op {
            Op::TapePush(tape) => self.activity.is_tape_active(*tape),
            Op::TapePop(pop) => self.activity.is_tape_active(pop.tape),
            _ => node.regions.iter().any(|region| self.has_active_tape(&region.nodes)),
        })
    }

    fn primitive(&mut self, node: &Node, adjoints: &mut Adjoints) -> Result<(), GradientError> {
        let active: Vec<bool> = node.operands.iter().map(|value| self.activity.is_active(*value)).collect();
        if !active.contains(&true) {
            return Ok(());
        }
        let mut site = Site { builder: self.builder, primals: &mut self.frames, node };
        rules::pullback(&mut site, adjoints, &|operand| active[operand], &self.sizes)
    }

    /// The reverse of a push is a pop.
    fn pop_adjoint(
        &mut self,
        tape: u32,
        pushed: ValueId,
        adjoints: &mut Adjoints,
    ) -> Result<(), GradientError> {
        if !self.activity.is_tape_active(tape) {
            return Ok(());
        }
        let ty = self.builder.function().ty(pushed).clone();
        let pop = TapePop { tape: self.tape_of_adjoints(tape), ty };
        let adjoint = emit::one(self.builder, Op::TapePop(pop), &[])?;
        if self.activity.is_active(pushed) {
            adjoints.add(self.builder, pushed, adjoint)?;
        }
        Ok(())
    }

    fn push_adjoint(
        &mut self,
        pop: &TapePop,
        popped: ValueId,
        adjoints: &mut Adjoints,
    ) -> Result<(), GradientError> {
        if !self.activity.is_tape_active(pop.tape) {
            return Ok(());
        }
        let adjoint = self.adjoint_or_zeros(popped, adjoints)?;
        let tape = self.tape_of_adjoints(pop.tape);
        self.builder.emit(Op::TapePush(tape), &[adjoint], None)?;
        Ok(())
    }

    fn tape_of_adjoints(&mut self, tape: u32) -> u32 {
        let builder = &mut *self.builder;
        *self.tapes.entry(tape).or_insert_with(|| builder.new_tape())
    }

    /// The adjoint of a value, or zeros.
    fn adjoint_or_zeros(&mut self, value: ValueId, adjoints: &Adjoints) -> Result<ValueId, GradientError> {
        match adjoints.get(value) {
            Some(adjoint) => self.typed_like(adjoint, value),
            None => self.zeros_like(value),
        }
    }

    /// Converts a value to the type of another: the result of a rule may know more sizes.
    fn typed_like(&mut self, value: ValueId, like: ValueId) -> Result<ValueId, GradientError> {
        let ty = self.builder.function().ty(like).clone();
        emit::with_type(self.builder, value, &ty)
    }

    /// Zeros of the sizes of a value of the forward pass.
    fn zeros_like(&mut self, value: ValueId) -> Result<ValueId, GradientError> {
        match self.builder.function().ty(value).clone() {
            Type::Tensor(ty) => {
                let open = (0..ty.rank()).filter(|axis| ty.shape[*axis].known().is_none());
                let sizes: Vec<ValueId> =
                    open.map(|axis| self.frames.size(self.builder, value, axis)).collect();
                emit::filled(self.builder, &ty, &sizes, 0.0)
            }
            Type::List(_) => {
                let list = self.frames.value(self.builder, value);
                emit::zeros_like(self.builder, list)
            }
        }
    }
}

/// The error for a callback: code of the host has no derivative.
pub(crate) fn no_rule_for_a_callback(node: &Node) -> GradientError {
    GradientError::new("a call back into Python has no derivative", node.location)
}

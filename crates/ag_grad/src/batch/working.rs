//! The active rows of a batched loop, kept compacted from one iteration to the next.
//!
//! ```text
//! x = x - f(x) / a            // of one row, in a loop that rows leave at different times
//!
//! all: f64[n]                 // x of all rows; of those that work it is out of date
//! x, a: f64[?]                // of the rows that work
//! ```
//!
//! While the same rows are active, an iteration uses `x` and `a` as they are. Only when the active rows
//! change, `x` is scattered to `all`, and the parts of `all` and `a` that are needed next are gathered.

use std::collections::BTreeSet;

use ag_ir::{Block, CompareOp, DType, Dim, Op, TensorType, Type, ValueId};

use super::Batcher;
use super::rows::leaf_types;
use super::varying::Seen;
use crate::error::GradientError;

/// The carries of a loop whose active rows change.
#[derive(Debug)]
pub(super) struct Working {
    /// The numbers of the carries that change; the others keep their initial values.
    pub(super) changing: Vec<usize>,
    /// The types of these.
    types: Vec<Type>,
    /// Batched outer values that the loop uses.
    used: Vec<ValueId>,
}

/// The state of a loop, as values of one block.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The numbers of the active rows.
    pub(super) picks: ValueId,
    /// The carries of all rows.
    pub(super) all: Vec<ValueId>,
    /// The carries of the active rows.
    pub(super) own: Vec<ValueId>,
    /// The outer values of the active rows.
    pub(super) used: Vec<ValueId>,
}

impl State {
    pub(super) fn flat(&self) -> Vec<ValueId> {
        [&[self.picks], &self.all[..], &self.own, &self.used].concat()
    }
}

impl Working {
    /// The values of a flat list as a state.
    pub(super) fn state(&self, values: &[ValueId]) -> State {
        let width = self.types.iter().map(|ty| leaf_types(ty, &[]).len()).sum();
        let (all, rest) = values[1..].split_at(width);
        let (own, used) = rest.split_at(width);
        State { picks: values[0], all: all.to_vec(), own: own.to_vec(), used: used.to_vec() }
    }
}

impl Batcher<'_> {
    /// Finds the carries of a loop. Those that do not change are bound to their initial values, until this
    /// block is left.
    pub(super) fn working(
        &mut self,
        regions: &[&Block],
        operands: &[ValueId],
        params: &[&[ValueId]],
        results: &[ValueId],
    ) -> Result<Working, GradientError> {
        let last = params.last().copied().unwrap_or_default();
        let (changing, kept): (Vec<usize>, Vec<usize>) =
            (0..operands.len()).partition(|number| last[*number] != results[*number]);
        for number in kept {
            for params in params {
                self.alias(params[number], operands[number])?;
            }
        }
        let mut seen = Seen::default();
        regions.iter().for_each(|region| seen.block(region));
        let mut uses: BTreeSet<ValueId> = seen.uses;
        for callee in &seen.callees {
            uses.extend(self.varying.captures.get(callee).into_iter().flatten());
        }
        let used = uses.into_iter().filter(|value| self.is_batched(*value)).collect();
        let types =
            changing.iter().map(|number| self.builder.function().ty(operands[*number]).clone()).collect();
        Ok(Working { changing, types, used })
    }

    /// Binds the results of a loop whose carries did not change.
    pub(super) fn bind_kept(
        &mut self,
        working: &Working,
        results: &[ValueId],
        operands: &[ValueId],
    ) -> Result<(), GradientError> {
        for number in (0..results.len()).filter(|number| !working.changing.contains(number)) {
            self.alias(results[number], operands[number])?;
        }
        Ok(())
    }

    /// The state in which some of the rows are active.
    pub(super) fn started(
        &mut self,
        working: &Working,
        all: Vec<ValueId>,
        picks: ValueId,
    ) -> Result<State, GradientError> {
        let own = self.picked(&all, picks)?;
        let mut used = Vec::new();
        for value in &working.used {
            let leaves = self.in_rows(*value)?;
            used.extend(self.picked(&leaves, picks)?);
        }
        let used = self.typed(used, &self.used_types(working))?;
        let own = self.typed(own, &own_types(working))?;
        Ok(State { picks, all, own, used })
    }

    /// Adds the parameters of a state to the innermost open block.
    pub(super) fn state_params(&mut self, working: &Working) -> State {
        let mut types = vec![TensorType::new(DType::I64, vec![Dim::Unknown])];
        types.extend(working.types.iter().flat_map(|ty| leaf_types(ty, &[self.dim()])));
        types.extend(own_types(working));
        types.extend(self.used_types(working));
        let params: Vec<ValueId> = types.into_iter().map(|ty| self.builder.param(ty.into())).collect();
        working.state(&params)
    }

    /// Binds the outer values of the active rows.
    pub(super) fn bind_used(&mut self, working: &Working, state: &State) -> Result<(), GradientError> {
        let are_batched = vec![true; working.used.len()];
        self.bind_all(&working.used, &are_batched, &state.used)
    }

    /// Selects the values of the carries that change.
    pub(super) fn changing(working: &Working, values: &[ValueId]) -> Vec<ValueId> {
        working.changing.iter().map(|number| values[*number]).collect()
    }

    /// The leaves of the active rows' values, to be carried on.
    pub(super) fn own_leaves(
        &mut self,
        working: &Working,
        values: &[ValueId],
    ) -> Result<Vec<ValueId>, GradientError> {
        let leaves = self.all_leaves(values, &vec![true; values.len()])?;
        self.typed(leaves, &own_types(working))
    }

    /// The carries of all rows, with those of the active rows scattered into them.
    pub(super) fn updated(
        &mut self,
        working: &Working,
        state: &State,
    ) -> Result<Vec<ValueId>, GradientError> {
        let (mut results, mut at) = (Vec::new(), 0);
        for ty in &working.types {
            let end = at + leaf_types(ty, &[]).len();
            let mut base = state.all[at..end].to_vec();
            if ty.has_unknown_sizes() {
                // If all rows are active, they determine the current sizes.
                let (some, all) = (self.size_of(state.picks, 0), self.count());
                let is_part = self.compare(CompareOp::Lt, some, all)?;
                base = self.base(ty, is_part, &base, &state.own[at..end])?;
            }
            results.extend(self.put(ty, &base, state.picks, &state.own[at..end])?);
            at = end;
        }
        Ok(results)
    }

    /// Whether any row is active.
    pub(super) fn is_at_work(&mut self, state: &State) -> Result<ValueId, GradientError> {
        let (count, zero) = (self.size_of(state.picks, 0), self.integer(0));
        self.compare(CompareOp::Gt, count, zero)
    }

    /// Emits a branch between two states.
    pub(super) fn state_if(
        &mut self,
        working: &Working,
        test: ValueId,
        then: impl FnOnce(&mut Self) -> Result<State, GradientError>,
        otherwise: State,
    ) -> Result<State, GradientError> {
        let mark = self.enter();
        self.builder.open();
        let state = then(self)?;
        let then = self.builder.close(state.flat());
        self.leave(mark);
        self.builder.open();
        let otherwise = self.builder.close(otherwise.flat());
        let values = self.emit_with(Op::If, &[test], vec![then, otherwise])?;
        Ok(working.state(&values))
    }

    fn used_types(&self, working: &Working) -> Vec<TensorType> {
        let function = self.builder.function();
        working.used.iter().flat_map(|value| leaf_types(function.ty(*value), &[Dim::Unknown])).collect()
    }
}

fn own_types(working: &Working) -> Vec<TensorType> {
    working.types.iter().flat_map(|ty| leaf_types(ty, &[Dim::Unknown])).collect()
}

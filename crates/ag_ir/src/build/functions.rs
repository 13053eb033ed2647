//! Functions that a graph calls, while it is built and when it is finished.
//!
//! ```text
//! block of the caller:  %0 scale, %1 n                 function f(n: %0, scale: %1) {
//!   body(%2.n) { … mul %2, %0 …                →         … mul %0, %1 …
//!                call %3 callee=0 }                      call %3, %1 callee=0
//!   call %1 callee=0                                   }
//! ```
//!
//! - The body of a function is recorded as a block inside the block that first calls it, and shares its
//!   numbering of values. So it may use values of the blocks around it, as a closure does.
//! - [`split`] turns the bodies into functions (closure conversion): each value that a body captures becomes
//!   a parameter of it and an argument of every call of it. A call passes on what its callee captures, so
//!   captures are found for all functions together, until no more come up.

use std::collections::{BTreeMap, BTreeSet};

use crate::function::{Block, Function, Node, ValueId};
use crate::op::Op;

/// A function of the graph that is being built.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// Its name.
    pub(super) name: std::sync::Arc<str>,
    /// Its body, once that is recorded.
    pub(super) body: Block,
}

/// Adds the recorded functions to a finished graph.
pub(super) fn split(main: &mut Function, mut pending: Vec<Pending>) {
    drop_uncalled(main, &mut pending);
    let captures = captures_of(&pending);
    append_captures(&mut main.body, &captures);
    let mut functions = Vec::with_capacity(pending.len());
    for (Pending { name, mut body }, captured) in pending.into_iter().zip(&captures) {
        append_captures(&mut body, &captures);
        body.params.extend(captured);
        let mut function = Function { name, locations: main.locations.clone(), ..Function::default() };
        let mut numbers = BTreeMap::new();
        renumber(&mut body, &mut |id| {
            *numbers.entry(*id).or_insert_with(|| {
                let number = ValueId(u32::try_from(function.values.len()).unwrap_or(u32::MAX));
                function.values.push(main.values[id.0 as usize].clone());
                number
            })
        });
        function.body = body;
        functions.push(function);
    }
    main.functions = functions;
}

/// Drops the functions that nobody calls, as those of a part of the graph that was taken out.
fn drop_uncalled(main: &mut Function, pending: &mut Vec<Pending>) {
    let (mut called, mut open) = (BTreeSet::new(), BTreeSet::new());
    let (mut binds, mut uses) = (BTreeSet::new(), BTreeSet::new());
    survey(&main.body, &mut binds, &mut uses, &mut open);
    while let Some(callee) = open.pop_first() {
        if called.insert(callee)
            && let Some(function) = pending.get(callee)
        {
            survey(&function.body, &mut binds, &mut uses, &mut open);
            open.retain(|callee| !called.contains(callee));
        }
    }
    if called.len() == pending.len() {
        return;
    }
    let numbers: BTreeMap<usize, usize> =
        called.iter().enumerate().map(|(number, before)| (*before, number)).collect();
    let mut number = 0..;
    pending.retain(|_| number.next().is_some_and(|before| called.contains(&before)));
    renumber_calls(&mut main.body, &numbers);
    pending.iter_mut().for_each(|function| renumber_calls(&mut function.body, &numbers));
}

fn renumber_calls(block: &mut Block, numbers: &BTreeMap<usize, usize>) {
    for node in &mut block.nodes {
        if let Op::Call(call) = &mut node.op
            && let Some(number) = numbers.get(&call.callee)
        {
            call.callee = *number;
        }
        node.regions.iter_mut().for_each(|region| renumber_calls(region, numbers));
    }
}

/// The values that each function captures, in the order of their numbers.
fn captures_of(pending: &[Pending]) -> Vec<BTreeSet<ValueId>> {
    let mut bound = Vec::new();
    let mut captures = Vec::new();
    let mut calls = Vec::new();
    for Pending { body, .. } in pending {
        let (mut binds, mut uses, mut callees) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        survey(body, &mut binds, &mut uses, &mut callees);
        captures.push(&uses - &binds);
        bound.push(binds);
        calls.push(callees);
    }
    loop {
        let mut has_grown = false;
        for caller in 0..pending.len() {
            for callee in &calls[caller] {
                let passed: BTreeSet<ValueId> =
                    captures.get(*callee).map(|passed| passed - &bound[caller]).unwrap_or_default();
                has_grown |= !passed.is_subset(&captures[caller]);
                captures[caller].extend(passed);
            }
        }
        if !has_grown {
            return captures;
        }
    }
}

fn survey(
    block: &Block,
    binds: &mut BTreeSet<ValueId>,
    uses: &mut BTreeSet<ValueId>,
    callees: &mut BTreeSet<usize>,
) {
    binds.extend(&block.params);
    uses.extend(&block.results);
    for node in &block.nodes {
        binds.extend(&node.results);
        uses.extend(&node.operands);
        if let Op::Call(call) = &node.op {
            callees.insert(call.callee);
        }
        for region in &node.regions {
            survey(region, binds, uses, callees);
        }
    }
}

fn append_captures(block: &mut Block, captures: &[BTreeSet<ValueId>]) {
    for node in &mut block.nodes {
        if let Op::Call(call) = &node.op
            && let Some(captured) = captures.get(call.callee)
        {
            node.operands.extend(captured);
        }
        for region in &mut node.regions {
            append_captures(region, captures);
        }
    }
}

/// Calls `tell` for each value that a block or its regions bind.
pub(super) fn bound_in(block: &Block, tell: &mut impl FnMut(ValueId)) {
    block.params.iter().for_each(|id| tell(*id));
    for node in &block.nodes {
        node.results.iter().for_each(|id| tell(*id));
        for region in &node.regions {
            bound_in(region, tell);
        }
    }
}

/// Replaces each value by what `number` returns for it, in the order of the text.
pub(super) fn renumber(block: &mut Block, number: &mut impl FnMut(&ValueId) -> ValueId) {
    ids(&mut block.params, number);
    for Node { operands, results, regions, .. } in &mut block.nodes {
        ids(operands, number);
        ids(results, number);
        for region in regions {
            renumber(region, number);
        }
    }
    ids(&mut block.results, number);
}

fn ids(ids: &mut [ValueId], number: &mut impl FnMut(&ValueId) -> ValueId) {
    ids.iter_mut().for_each(|id| *id = number(id));
}

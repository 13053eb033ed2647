//! The list of passes.

use ag_ir::{Function, checks_itself, verify};

use crate::{
    branches, common_subexpressions, dead_code, flags, fold, hoist, keeps, renumber, scopes, tapes, wide_ints,
};

/// A pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name, which is the name of its file.
    pub name: &'static str,
    /// What it does to a function, or to a graph.
    pub run: fn(&mut Function),
    /// Whether it runs on a whole graph, with the functions that it calls.
    pub is_for_graphs: bool,
}

impl Pass {
    const fn of_functions(name: &'static str, run: fn(&mut Function)) -> Self {
        Self { name, run, is_for_graphs: false }
    }

    const fn of_graphs(name: &'static str, run: fn(&mut Function)) -> Self {
        Self { name, run, is_for_graphs: true }
    }
}

const SCOPES: Pass = Pass::of_functions("scopes", scopes::run);
const WIDE: Pass = Pass::of_functions("wide_ints", wide_ints::run);
const TAPES: Pass = Pass::of_graphs("tapes", tapes::run);
const KEEPS: Pass = Pass::of_functions("keeps", keeps::run);
const FOLD: Pass = Pass::of_functions("fold", fold::run);
const COMMON: Pass = Pass::of_functions("common_subexpressions", common_subexpressions::run);
const HOIST: Pass = Pass::of_functions("hoist", hoist::run);
const FLAGS: Pass = Pass::of_functions("flags", flags::run);
const BRANCHES: Pass = Pass::of_functions("branches", branches::run);
const DEAD: Pass = Pass::of_functions("dead_code", dead_code::run);
const RENUMBER: Pass = Pass::of_functions("renumber", renumber::run);

/// All passes. `SCOPES` comes first, since the others do not know scopes.
pub const PASSES: &[Pass] =
    &[SCOPES, KEEPS, WIDE, TAPES, FOLD, COMMON, HOIST, FLAGS, BRANCHES, DEAD, RENUMBER];

/// The passes that [`optimize`] runs, in order:
///
/// - `SCOPES` first: it removes what only gradients need.
/// - `WIDE` before `COMMON`: it changes what is needed once.
/// - `FOLD` next: it makes nodes alike, and branches disappear.
/// - `TAPES` before `DEAD`: a tape that nobody needs keeps the pushed values alive.
/// - `DEAD` before `HOIST` too: a carry that nobody reads keeps others from being seen as unchanged.
/// - `HOIST` brings nodes of several loops together, hence the second search for common nodes, and for tapes
///   with one value.
/// - `FLAGS` before that `FOLD`, which makes conditions of flags; then `BRANCHES` finds branches on one condition,
///   in which the next `FOLD` knows it.
const PIPELINE: &[Pass] = &[
    SCOPES, KEEPS, WIDE, FOLD, COMMON, TAPES, DEAD, HOIST, TAPES, FLAGS, FOLD, COMMON, BRANCHES, FOLD, KEEPS,
    DEAD, RENUMBER,
];

/// A function that does the same with less work.
///
/// # Panics
/// Where a process checks itself ([`checks_itself`]), if the function is not valid, or a pass is wrong.
#[must_use]
pub fn optimize(mut function: Function) -> Function {
    assert_valid(&function, "the input");
    for pass in PIPELINE {
        run(*pass, &mut function);
    }
    function
}

/// Runs one pass, on the main function of a graph and on each that it calls.
///
/// # Panics
/// Where a process checks itself ([`checks_itself`]), if the function is not valid afterwards.
pub fn run(pass: Pass, function: &mut Function) {
    if pass.is_for_graphs {
        (pass.run)(function);
    } else {
        let mut functions = std::mem::take(&mut function.functions);
        (pass.run)(function);
        functions.iter_mut().for_each(pass.run);
        function.functions = functions;
    }
    assert_valid(function, pass.name);
}

fn assert_valid(function: &Function, after: &str) {
    if checks_itself()
        && let Err(errors) = verify(function)
    {
        let list: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("not valid after {after}: {}\n{function}", list.join("; "));
    }
}

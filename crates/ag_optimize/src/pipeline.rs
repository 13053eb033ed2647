//! The list of passes.

use ag_ir::{Function, verify};

use crate::{common_subexpressions, dead_code, fold, hoist, renumber, scopes};

/// A pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name, that of its file.
    pub name: &'static str,
    /// What it does to a function.
    pub run: fn(&mut Function),
}

const SCOPES: Pass = Pass { name: "scopes", run: scopes::run };
const FOLD: Pass = Pass { name: "fold", run: fold::run };
const COMMON: Pass = Pass { name: "common_subexpressions", run: common_subexpressions::run };
const HOIST: Pass = Pass { name: "hoist", run: hoist::run };
const DEAD: Pass = Pass { name: "dead_code", run: dead_code::run };
const RENUMBER: Pass = Pass { name: "renumber", run: renumber::run };

/// All passes. The first goes before the others, which know no scopes.
pub const PASSES: &[Pass] = &[SCOPES, FOLD, COMMON, HOIST, DEAD, RENUMBER];

/// What [`optimize`] does, in order. What is for gradients alone goes first. Folding comes next, since it makes nodes alike and branches
/// disappear. Dead code goes before hoisting too, since a carry that nobody reads keeps others from
/// being seen as unchanged. Hoisting brings nodes of several loops together, hence the second
/// search for common ones.
const PIPELINE: &[Pass] = &[SCOPES, FOLD, COMMON, DEAD, HOIST, FOLD, COMMON, DEAD, RENUMBER];

/// A function that does the same with less work.
///
/// # Panics
/// In debug builds, if the function is not valid, or a pass is wrong.
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
/// In debug builds, if the function is not valid afterwards.
pub fn run(pass: Pass, function: &mut Function) {
    let mut functions = std::mem::take(&mut function.functions);
    (pass.run)(function);
    functions.iter_mut().for_each(pass.run);
    function.functions = functions;
    assert_valid(function, pass.name);
}

fn assert_valid(function: &Function, after: &str) {
    if cfg!(debug_assertions)
        && let Err(errors) = verify(function)
    {
        let list: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("not valid after {after}: {}\n{function}", list.join("; "));
    }
}

//! Derivatives as Python source, by source code transformation (van Merriënboer, Wiltschko, Moldovan: *Tangent*).
//!
//! ```text
//! `match`, jumps ─ activity ─ normal form ─ shapes, aliases ─ adjoints ─ what is saved ─ the two passes ─ tidy-up ─ text
//! ```
//!
//! A function comes as its tree; what its names stand for is asked of a [`Resolver`], which also gives the rules. The
//! derivative is text: the user's names, `bx` for the adjoint of `x`, and above each group of lines the statement that
//! it belongs to.

mod activity;
mod adjoints;
mod again;
mod aliases;
mod applied;
mod arrays;
mod assignments;
mod backward_loops;
mod callee;
mod calls;
mod chosen_functions;
mod chosen_views;
mod closures;
mod constructors;
mod container_methods;
mod containers;
mod copies;
mod counters;
mod definitions;
mod derive;
mod each;
mod flatten;
mod forms_kept;
mod forward;
mod front;
mod functions;
mod handlers;
mod hidden_writes;
mod jumps;
mod kinds;
mod lifetimes;
mod loops;
mod many_jumps;
mod match_statements;
mod name_sets;
mod naming;
mod needs;
mod nonlocals;
mod normal;
mod numbers;
mod object_paths;
mod operators;
mod ordering_calls;
mod persistent;
mod plain;
mod program;
mod quoted;
mod records;
mod repeated;
mod reverse;
mod rule_texts;
mod saved;
mod seen_objects;
mod seen_passes;
mod seen_writes;
mod segments;
mod shapes;
mod shared;
mod shared_calls;
mod sources;
mod stars;
mod super_calls;
mod tidy;
mod tried;
mod tried_blocks;
mod variables;
mod view_calls;
mod views;
mod written_arguments;
mod written_calls;

pub use callee::{
    Callee, Given, GivenFunction, Level, Parameters, PatternNames, Receiver, Record, Resolver, Rule,
    SplitNames, UserFunction,
};
pub use derive::{DerivativeOf, Function, Generated, Motion, Options, forward, reverse, writes};
pub use rule_texts::check_rule;
pub use written_arguments::{Gives, WriteKind, Writes};

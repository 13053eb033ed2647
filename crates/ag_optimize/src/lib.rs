//! Passes over graphs. Each takes a valid function and leaves a valid function that does the same: equal
//! results to the bit, the same prints, and the same first failure.
//!
//! - A pass asks a node for its effects ([`ag_ir::Node::is_pure`]) and never guesses.
//! - No pass reorders floating-point arithmetic, and none computes at compile time what the engine may round
//!   otherwise (`exp`, sums).
//! - In debug builds the verifier runs after every pass.

mod branches;
mod common_subexpressions;
mod dead_code;
mod flags;
mod fold;
mod hoist;
mod keeps;
mod pipeline;
mod renumber;
mod replace;
mod scopes;
mod tapes;
mod truths;
mod wide_ints;

pub use pipeline::{PASSES, Pass, optimize, run};

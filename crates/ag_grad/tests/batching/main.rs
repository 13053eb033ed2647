//! Batching: a batched program gives what it gives row by row.

#![allow(clippy::unwrap_used)]

mod calls;
mod control;
mod effects;
mod gradients;
mod harness;
mod lists;
mod nested;
mod ops;
mod random;
#[path = "../../../ag_ir/tests/random_function/mod.rs"]
mod random_function;
mod scopes;
mod uneven;

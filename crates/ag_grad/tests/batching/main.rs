//! Batching: a batched program gives what it gives row by row.

#![allow(clippy::unwrap_used)]

mod control;
mod harness;
mod ops;

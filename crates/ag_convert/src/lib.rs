//! The conversion: turns a function of the user into text that calls operators.
//!
//! [`convert`] runs the passes that `pipeline.rs` lists. `docs/design/0001-converted-code.md` describes what
//! the operators do. While nothing is staged, the converted function does exactly what CPython does with the
//! original.

mod assert_statements;
mod attempts;
mod bound_names;
mod break_statements;
mod calls;
mod comparisons;
mod comprehensions;
mod conditional_expressions;
mod context;
mod continue_statements;
mod control_flow;
mod convert;
mod convertible;
mod displays;
mod finally_jumps;
mod frames;
mod generators;
mod homes;
mod identities;
mod item_access;
mod joined_strings;
mod jumps;
mod lazy;
mod logical_expressions;
mod match_statements;
mod nonlocal_writes;
mod pinning;
mod pipeline;
mod private_names;
mod regions;
mod return_statements;
mod spelled_operators;
mod stepping;
mod template_strings;
mod undefined_variables;
mod walks;
mod wrapper;

pub use convert::{Converted, Options, VariableOrder, convert};
pub use generators::Walk;

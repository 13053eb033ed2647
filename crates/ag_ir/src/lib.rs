//! The typed graph: types, ops, regions, builder, inference, verifier, text form, and the
//! reference interpreter, which is the specification of every op.
//!
//! A graph is functional and structured: a [`Function`] has one [`Block`] of [`Node`]s in order;
//! `if`, `while` and `for` are nodes with regions, and `call` runs another function of the graph.
//! Nodes with effects (`print`, `check`) keep their order in a block. [`walk`] visits all parts of a graph.

mod build;
mod checks;
mod effects;
mod function;
mod functions;
mod infer;
mod interpret;
mod names;
mod op;
mod random;
mod read;
mod run;
mod size_names;
mod size_rules;
mod sizes;
mod types;
mod verify;
pub mod walk;
mod write;

pub use ag_linear_algebra::{Decomposition, Element, Progress, solve_all};
pub use build::{Builder, Mark, TakenOut};
pub use checks::checks_itself;
pub use function::{Block, Function, LocationId, Node, SourceLocation, Value, ValueId};
pub use infer::{InferError, Inferred, RegionTypes, broadcast_shapes, infer, shape_text};
pub use interpret::{evaluate, evaluate_all, interpret, mul_add_mod};
pub use op::{
    Attribute, Batching, BinaryOp, Call, Callback, Check, CompareOp, Condition, Constant, Cost, DTypeRule,
    Derivative, DotAxes, Effect, Fails, Folds, Identity, Indexed, ListFailure, ListOp, NamedAttribute, Op,
    OperandKind, OperandNames, Overflow, ReduceOp, ResultRule, Rounding, Scope, SizeRule, Store, Takes,
    TapePop, UnaryOp, ValueRule, WithShape,
};
pub use random::{Draw, fill as fill_random, fill_integers as fill_random_integers};
pub use read::{ReadError, read};
pub use run::{Array, Failure, Host, HostError, RunError, WrongResults, run_callback};
pub use size_names::{SizeNames, size_names};
pub use size_rules::{SizeDomain, sizes_by_rule};
pub use sizes::{broadcast as broadcast_sizes, sizes_of_result};
pub use types::{DType, Dim, Shape, TensorType, Type, known_shape};
pub use verify::{VerifyError, verify, verify_one};
pub use write::{TEXT_VERSION, node_text, value_text};

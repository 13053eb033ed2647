//! Parsing, the tree, unparsing and templates: the only crate that knows the parser.

mod literal;
mod lower;
mod parse;
pub mod tree;
pub mod visit;

pub use literal::string_literal;
pub use parse::parse_module;

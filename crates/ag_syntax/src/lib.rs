//! Parsing, the tree, unparsing and templates: the only crate that knows the parser.

pub mod tree;

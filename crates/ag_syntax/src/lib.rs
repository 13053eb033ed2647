//! Parsing, the tree, unparsing and templates: the only crate that knows the parser.
//!
//! The path of a function: [`parse_module`] makes the [tree] of its file, and [`find_function`] finds the
//! function there by its code object. Passes [visit] and rewrite it, with nodes from a [`Builder`] or a
//! [`Template`] and names from [`FreshNames`]; [`unparse`] writes text, with a source map to the user's own.

mod build;
mod copy;
mod literal;
mod locate;
mod lower;
mod name;
mod names;
mod parse;
mod patterns;
mod quote;
pub mod tree;
mod unparse;
pub mod visit;

pub use build::Builder;
pub use copy::set_context;
pub use literal::string_literal;
pub use locate::{FunctionQuery, LocateError, Located, LocatedKind, find_function};
pub use names::{FreshNames, mangled};
pub use parse::parse_module;
pub use patterns::{Part, Parts, Step, Structure, is_wildcard, lower_match};
pub use quote::{Binding, Template};
/// Says who knows the characters of names, as in `"\N{BULLET}"`; until then no text with such is parsed.
pub use unicode_names2::ask as ask_for_characters;
pub use unparse::{Unparsed, unparse, unparse_commented, unparse_expr};

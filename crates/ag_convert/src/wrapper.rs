//! Wraps the function in a factory whose parameters are the operators and the free variables.
//!
//! ```python
//! def outer(ag__, free):
//!     def newton(x, tol):
//!         …
//!     return newton
//! ```
//!
//! The factory never runs: its parameters become free variables of the code object inside.

use ag_errors::Span;
use ag_syntax::tree::{Name, Param, Params, Stmt};

use crate::context::Conversion;

/// Parameters without defaults and annotations, which the loader takes from the user's function.
pub(crate) fn bare(params: &Params) -> Params {
    let bare = |param: &Param| Param { annotation: None, default: None, ..param.clone() };
    Params {
        positional_only: params.positional_only.iter().map(bare).collect(),
        positional: params.positional.iter().map(bare).collect(),
        vararg: params.vararg.as_ref().map(bare),
        keyword_only: params.keyword_only.iter().map(bare).collect(),
        kwarg: params.kwarg.as_ref().map(bare),
    }
}

/// Puts the statement that binds `name` into the factory.
pub(crate) fn wrap(
    mut body: Vec<Stmt>,
    name: &Name,
    free_variables: &[Name],
    span: Span,
    conversion: &mut Conversion,
) -> Vec<Stmt> {
    let factory = conversion.names.fresh("outer");
    conversion.generated_functions.insert(0, factory.clone());
    let parameters: Vec<Name> =
        std::iter::once(&conversion.operators).chain(free_variables).cloned().collect();
    let b = conversion.builder(span);
    body.push(b.return_value(b.name(name.clone())));
    vec![b.function_def(factory, b.params(parameters), body)]
}

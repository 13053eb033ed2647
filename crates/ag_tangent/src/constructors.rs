//! Objects that a function makes: `Layer(w)` is a call of a function that `__init__` is made into.
//!
//! ```text
//! def __init__(self, w):          def Layer(cls, w):
//!     self.w = w                      self = cls.__new__(cls)
//!                                     self.w = w
//!                                     return self
//! ```
//!
//! The adjoint of an object is a dict of those of its attributes.

use ag_syntax::Builder;
use ag_syntax::tree::FunctionDef;

use crate::jumps::has_return;
use crate::normal::{Outcome, refusal};

/// The function that makes an object, of the `__init__` of its class.
pub(crate) fn making(b: Builder<'_>, mut def: FunctionDef) -> Outcome<FunctionDef> {
    if has_return(&def.body) {
        return Err(refusal(def.name_span, "`__init__` returns early", "use `if` and `else`"));
    }
    let params = &mut def.params;
    let list =
        if params.positional_only.is_empty() { &mut params.positional } else { &mut params.positional_only };
    let Some(own) = list.first_mut() else {
        return Err(refusal(def.name_span, "`__init__` takes its object by `*args`", "name it `self`"));
    };
    let object = std::mem::replace(&mut own.name, "cls".into());
    let new = b.call(b.attribute(b.name("cls"), "__new__"), [b.name("cls")]);
    def.body.insert(0, b.assign_name(object.clone(), new));
    def.body.push(b.return_value(b.name(object)));
    Ok(def)
}

//! Template strings (`t"{x + 1}"`) keep their text, which they show to who reads the template.
//!
//! What conversion writes elsewhere cannot stand in them: a variable that may be unbound is checked
//! before, and a private name of the class around, which the text cannot mangle, leaves the function as
//! written.
//!
//! ```python
//! t"{x} {y}"      (ag__.ld(x), t"{x} {y}")[1]      # x may be unbound
//! ```

use ag_errors::Span;
use ag_syntax::mangled;
use ag_syntax::tree::{Expr, ExprKind, FString, FStringPart, Name, NodeId};
use ag_syntax::visit::{Visitor, walk_expr};

/// What a template's expressions name.
#[derive(Default)]
pub(crate) struct TemplateNames {
    /// Variables that are read, with the expression that reads.
    pub(crate) reads: Vec<(Name, NodeId, Span)>,
    attributes: Vec<Name>,
}

impl TemplateNames {
    /// The names in a template.
    pub(crate) fn of(template: &FString) -> Self {
        let mut names = Self::default();
        names.parts(&template.parts);
        names
    }

    /// Whether a class would mangle one.
    pub(crate) fn have_private(&self, class: &str) -> bool {
        let variables = self.reads.iter().map(|(name, _, _)| name);
        variables.chain(&self.attributes).any(|name| mangled(name, class).is_some())
    }

    fn parts(&mut self, parts: &[FStringPart]) {
        for part in parts {
            if let FStringPart::Interpolation { value, spec, .. } = part {
                self.visit_expr(value);
                self.parts(spec.as_deref().unwrap_or_default());
            }
        }
    }
}

impl<'t> Visitor<'t> for TemplateNames {
    fn visit_expr(&mut self, expr: &'t Expr) {
        match &expr.kind {
            ExprKind::Name { name, .. } => self.reads.push((name.clone(), expr.id, expr.span)),
            ExprKind::Attribute { attr, .. } => self.attributes.push(attr.clone()),
            _ => {}
        }
        walk_expr(self, expr);
    }
}

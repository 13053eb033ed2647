//! Template strings (`t"{x + 1}"`) keep their text, which they show to their reader.
//!
//! So the conversion must not rewrite code in them. A variable that may be unbound is checked before; a
//! private name of the enclosing class, which the text cannot mangle, leaves the function as written.
//!
//! ```python
//! t"{x} {y}"      (ag__.ld(x), t"{x} {y}")[1]      # x may be unbound
//! ```

use ag_errors::Span;
use ag_syntax::mangled;
use ag_syntax::tree::{Expr, ExprKind, FString, FStringPart, Name, NodeId};
use ag_syntax::visit::{Visitor, walk_expr};

/// The names in a template's expressions.
#[derive(Default)]
pub(crate) struct TemplateNames {
    /// The variables read, with the expression that reads.
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

    /// Whether a class would mangle one of them.
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

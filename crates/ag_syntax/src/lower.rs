//! Lowers the parser's tree to our tree.
//!
//! Each node is lowered by itself: names are shared, literals become their source text, `elif` becomes a
//! nested `If`. A construct that our tree cannot represent is noted in [`Lowering::refused`] and refused at
//! the end, so that the functions below need no error paths.

mod expressions;
mod patterns;
mod statements;
mod strings;

use std::collections::HashSet;
use std::sync::Arc;

use ag_errors::{Diagnostic, Span, catalogue};
use ruff_python_ast as ast;
use ruff_text_size::{Ranged, TextRange};

use crate::tree::{ConstantKind, Context, Expr, ExprKind, Module, Name, NodeIds, Stmt};

/// The deepest nesting of a program: the passes are recursive, and an error is better than an exhausted
/// stack. CPython's own compiler gives up at a similar depth.
const DEEPEST_NESTING: usize = 1000;

/// The state of lowering one file.
pub(crate) struct Lowering<'a> {
    source: &'a str,
    ids: NodeIds,
    names: HashSet<Name>,
    depth: usize,
    refused: Option<Diagnostic>,
}

impl<'a> Lowering<'a> {
    /// The state at the start of a file.
    pub(crate) fn new(source: &'a str) -> Self {
        Self { source, ids: NodeIds::default(), names: HashSet::new(), depth: 0, refused: None }
    }

    /// Lowers the whole file.
    pub(crate) fn module(mut self, module: &ast::ModModule) -> Result<Module, Diagnostic> {
        let body = self.body(&module.body);
        match self.refused {
            Some(diagnostic) => Err(diagnostic),
            None => Ok(Module { body, ids: self.ids }),
        }
    }

    fn body(&mut self, body: &[ast::Stmt]) -> Vec<Stmt> {
        body.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    /// One shared string per distinct name.
    fn name(&mut self, text: &str) -> Name {
        if let Some(name) = self.names.get(text) {
            return name.clone();
        }
        let name: Name = text.into();
        self.names.insert(name.clone());
        name
    }

    fn optional_name(&mut self, identifier: Option<&ast::Identifier>) -> Option<Name> {
        identifier.map(|identifier| self.name(identifier.as_str()))
    }

    /// The source text of a node.
    fn text(&self, node: &impl Ranged) -> Arc<str> {
        span(node.range()).text(self.source).into()
    }

    /// Runs `lower` one level deeper; beyond the deepest level it does not run, and the program is refused.
    fn nested<T>(&mut self, range: TextRange, lower: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth == DEEPEST_NESTING {
            self.refuse(catalogue::TOO_LARGE, range, "the program is nested too deeply");
            return None;
        }
        self.depth += 1;
        let lowered = lower(self);
        self.depth -= 1;
        Some(lowered)
    }

    fn refuse(&mut self, code: &'static str, range: TextRange, message: &str) {
        if self.refused.is_none() {
            self.refused = Some(Diagnostic::error(code, span(range), message));
        }
    }

    /// A placeholder for a refused node until the error is reported.
    fn placeholder(&mut self, range: TextRange) -> Expr {
        let kind = ExprKind::Constant { kind: ConstantKind::Ellipsis, text: "...".into() };
        Expr { id: self.ids.fresh(), span: span(range), kind }
    }
}

/// Converts the parser's range to a span.
fn span(range: TextRange) -> Span {
    Span::new(range.start().to_u32(), range.end().to_u32())
}

/// Whether a name is read, written or deleted.
fn context(context: ast::ExprContext) -> Context {
    match context {
        ast::ExprContext::Store => Context::Store,
        ast::ExprContext::Del => Context::Del,
        ast::ExprContext::Load | ast::ExprContext::Invalid => Context::Load,
    }
}

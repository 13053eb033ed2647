//! Lowering of the patterns of `match`.

use ruff_python_ast as ast;
use ruff_text_size::Ranged;

use super::{Lowering, span};
use crate::tree::{ConstantKind, Expr, ExprKind, Pattern, PatternKind};

impl Lowering<'_> {
    pub(super) fn pattern(&mut self, pattern: &ast::Pattern) -> Pattern {
        let kind = self.nested(pattern.range(), |lowering| lowering.pattern_kind(pattern));
        Pattern { span: span(pattern.range()), kind: kind.unwrap_or(PatternKind::Star(None)) }
    }

    fn patterns(&mut self, patterns: &[ast::Pattern]) -> Vec<Pattern> {
        patterns.iter().map(|pattern| self.pattern(pattern)).collect()
    }

    fn pattern_kind(&mut self, pattern: &ast::Pattern) -> PatternKind {
        match pattern {
            ast::Pattern::MatchValue(node) => PatternKind::Value(self.expr(&node.value)),
            ast::Pattern::MatchSingleton(node) => PatternKind::Singleton(self.singleton(node)),
            ast::Pattern::MatchSequence(node) => PatternKind::Sequence(self.patterns(&node.patterns)),
            ast::Pattern::MatchMapping(node) => PatternKind::Mapping {
                keys: self.exprs(&node.keys),
                patterns: self.patterns(&node.patterns),
                rest: self.optional_name(node.rest.as_ref()),
            },
            ast::Pattern::MatchClass(node) => PatternKind::Class {
                class: self.expr(&node.cls),
                patterns: self.patterns(&node.arguments.patterns),
                keywords: node
                    .arguments
                    .keywords
                    .iter()
                    .map(|keyword| (self.name(keyword.attr.as_str()), self.pattern(&keyword.pattern)))
                    .collect(),
            },
            ast::Pattern::MatchStar(node) => PatternKind::Star(self.optional_name(node.name.as_ref())),
            ast::Pattern::MatchAs(node) => PatternKind::As {
                pattern: node.pattern.as_deref().map(|pattern| Box::new(self.pattern(pattern))),
                name: self.optional_name(node.name.as_ref()),
            },
            ast::Pattern::MatchOr(node) => PatternKind::Or(self.patterns(&node.patterns)),
        }
    }

    fn singleton(&mut self, node: &ast::PatternMatchSingleton) -> Expr {
        let kind = match node.value {
            ast::Singleton::None => ConstantKind::None,
            ast::Singleton::True => ConstantKind::True,
            ast::Singleton::False => ConstantKind::False,
        };
        let kind = ExprKind::Constant { kind, text: self.text(node) };
        Expr { id: self.ids.fresh(), span: span(node.range()), kind }
    }
}

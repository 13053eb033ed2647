//! Walking the tree: [`Visitor`] reads it, [`VisitorMut`] rewrites it in place.
//!
//! Both come from one definition, so that their order is the same. A visitor overrides the methods that it
//! needs, and calls the `walk_…` function of the same name for the children:
//!
//! ```
//! use ag_syntax::tree::{Expr, ExprKind};
//! use ag_syntax::visit::{Visitor, walk_expr};
//!
//! struct Names(Vec<String>);
//!
//! impl<'a> Visitor<'a> for Names {
//!     fn visit_expr(&mut self, expr: &'a Expr) {
//!         if let ExprKind::Name { name, .. } = &expr.kind {
//!             self.0.push(name.to_string());
//!         }
//!         walk_expr(self, expr);
//!     }
//! }
//!
//! let module = ag_syntax::parse_module("a.b = c if d else e\n").unwrap();
//! let mut names = Names(Vec::new());
//! names.visit_body(&module.body);
//! assert_eq!(names.0, ["d", "c", "e", "a"]);
//! ```
//!
//! The order is that in which CPython evaluates, where the two differ from the order of the text:
//!
//! * an assignment's value before its targets, for `:=`, annotated assignments and aliases too
//!   (an annotated assignment's annotation comes last); `target op= value` reads its target first;
//! * the test of `body if test else orelse` first;
//! * a comprehension's generators before its element, and of each generator the iterable, the
//!   target, the conditions;
//! * all positional arguments of a call before all keyword arguments;
//! * of a definition the decorators, the type parameters, the defaults of all parameters (by
//!   `visit_params`), the annotations (by `visit_param`), `returns`, the body;
//! * everything else left to right.

macro_rules! define_visitor {
    (
        $(#[$trait_doc:meta])*
        trait $Visitor:ident[$($lifetime:lifetime)?][$($mutable:tt)?];
        body: $Body:ty;
    ) => {
        $(#[$trait_doc])*
        pub trait $Visitor$(<$lifetime>)? {
            /// A block of statements.
            fn visit_body(&mut self, body: &$($lifetime)? $($mutable)? $Body) {
                walk_body(self, body);
            }
            /// A statement.
            fn visit_stmt(&mut self, stmt: &$($lifetime)? $($mutable)? Stmt) {
                walk_stmt(self, stmt);
            }
            /// An expression, in any context.
            fn visit_expr(&mut self, expr: &$($lifetime)? $($mutable)? Expr) {
                walk_expr(self, expr);
            }
            /// A pattern of `match`.
            fn visit_pattern(&mut self, pattern: &$($lifetime)? $($mutable)? Pattern) {
                walk_pattern(self, pattern);
            }
            /// The parameters of a function or lambda: defaults first, then the parameters.
            fn visit_params(&mut self, params: &$($lifetime)? $($mutable)? Params) {
                walk_params(self, params);
            }
            /// One parameter: its annotation. The default was visited before.
            fn visit_param(&mut self, param: &$($lifetime)? $($mutable)? Param) {
                walk_param(self, param);
            }
            /// One type parameter.
            fn visit_type_param(&mut self, param: &$($lifetime)? $($mutable)? TypeParam) {
                walk_type_param(self, param);
            }
            /// One `except` clause.
            fn visit_handler(&mut self, handler: &$($lifetime)? $($mutable)? ExceptHandler) {
                walk_handler(self, handler);
            }
            /// One `case`.
            fn visit_match_case(&mut self, case: &$($lifetime)? $($mutable)? MatchCase) {
                walk_match_case(self, case);
            }
            /// One item of `with`.
            fn visit_with_item(&mut self, item: &$($lifetime)? $($mutable)? WithItem) {
                walk_with_item(self, item);
            }
            /// One `for … in … if …` of a comprehension.
            fn visit_comprehension(&mut self, comprehension: &$($lifetime)? $($mutable)? Comprehension) {
                walk_comprehension(self, comprehension);
            }
            /// One keyword argument.
            fn visit_keyword(&mut self, keyword: &$($lifetime)? $($mutable)? Keyword) {
                walk_keyword(self, keyword);
            }
            /// One part of an f-string.
            fn visit_fstring_part(&mut self, part: &$($lifetime)? $($mutable)? FStringPart) {
                walk_fstring_part(self, part);
            }
        }

        /// Visits each statement of a block.
        pub fn walk_body<$($lifetime,)? V: $Visitor$(<$lifetime>)? + ?Sized>(
            visitor: &mut V,
            body: &$($lifetime)? $($mutable)? $Body,
        ) {
            in_body(&mut By(visitor), body);
        }

        /// Visits the children of a statement.
        pub fn walk_stmt<$($lifetime,)? V: $Visitor$(<$lifetime>)? + ?Sized>(
            visitor: &mut V,
            stmt: &$($lifetime)? $($mutable)? Stmt,
        ) {
            in_stmt(&mut By(visitor), stmt);
        }

        /// Visits the parts of a `def`.
        pub fn walk_function_def<$($lifetime,)? V: $Visitor$(<$lifetime>)? + ?Sized>(
            visitor: &mut V,
            def: &$($lifetime)? $($mutable)? FunctionDef,
        ) {
            in_function_def(&mut By(visitor), def);
        }

        /// Visits the parts of a `class`.
        pub fn walk_class_def<$($lifetime,)? V: $Visitor$(<$lifetime>)? + ?Sized>(
            visitor: &mut V,
            def: &$($lifetime)? $($mutable)? ClassDef,
        ) {
            in_class_def(&mut By(visitor), def);
        }

        /// Visits the children of an expression.
        pub fn walk_expr<$($lifetime,)? V: $Visitor$(<$lifetime>)? + ?Sized>(
            visitor: &mut V,
            expr: &$($lifetime)? $($mutable)? Expr,
        ) {
            in_expr(&mut By(visitor), expr);
        }

        /// Visits the children of a pattern.
        pub fn walk_pattern<$($lifetime,)? V: $Visitor$(<$lifetime>)? + ?Sized>(
            visitor: &mut V,
            pattern: &$($lifetime)? $($mutable)? Pattern,
        ) {
            in_pattern(&mut By(visitor), pattern);
        }

        /// Visits the defaults of the parameters, then the parameters.
        pub fn walk_params<$($lifetime,)? V: $Visitor$(<$lifetime>)? + ?Sized>(
            visitor: &mut V,
            params: &$($lifetime)? $($mutable)? Params,
        ) {
            in_params(&mut By(visitor), params);
        }

        /// Visits the annotation of a parameter.
        pub fn walk_param<$($lifetime,)? V: $Visitor$(<$lifetime>)? + ?Sized>(
            visitor: &mut V,
            param: &$($lifetime)? $($mutable)? Param,
        ) {
            in_param(&mut By(visitor), param);
        }

        /// Visits the bound and the default of a type parameter.
        pub fn walk_type_param<$($lifetime,)? V: $Visitor$(<$lifetime>)? + ?Sized>(
            visitor: &mut V,
            param: &$($lifetime)? $($mutable)? TypeParam,
        ) {
            in_type_param(&mut By(visitor), param);
        }

        /// Visits the classes and the body of an `except` clause.
        pub fn walk_handler<$($lifetime,)? V: $Visitor$(<$lifetime>)? + ?Sized>(
            visitor: &mut V,
            handler: &$($lifetime)? $($mutable)? ExceptHandler,
        ) {
            in_handler(&mut By(visitor), handler);
        }

        /// Visits the pattern, the guard and the body of a `case`.
        pub fn walk_match_case<$($lifetime,)? V: $Visitor$(<$lifetime>)? + ?Sized>(
            visitor: &mut V,
            case: &$($lifetime)? $($mutable)? MatchCase,
        ) {
            in_match_case(&mut By(visitor), case);
        }

        /// Visits the context and the target of an item of `with`.
        pub fn walk_with_item<$($lifetime,)? V: $Visitor$(<$lifetime>)? + ?Sized>(
            visitor: &mut V,
            item: &$($lifetime)? $($mutable)? WithItem,
        ) {
            in_with_item(&mut By(visitor), item);
        }

        /// Visits the iterable, the target and the conditions of a comprehension's `for`.
        pub fn walk_comprehension<$($lifetime,)? V: $Visitor$(<$lifetime>)? + ?Sized>(
            visitor: &mut V,
            comprehension: &$($lifetime)? $($mutable)? Comprehension,
        ) {
            in_comprehension(&mut By(visitor), comprehension);
        }

        /// Visits the value of a keyword argument.
        pub fn walk_keyword<$($lifetime,)? V: $Visitor$(<$lifetime>)? + ?Sized>(
            visitor: &mut V,
            keyword: &$($lifetime)? $($mutable)? Keyword,
        ) {
            in_keyword(&mut By(visitor), keyword);
        }

        /// Visits the value and the format specification of an f-string's part.
        pub fn walk_fstring_part<$($lifetime,)? V: $Visitor$(<$lifetime>)? + ?Sized>(
            visitor: &mut V,
            part: &$($lifetime)? $($mutable)? FStringPart,
        ) {
            in_fstring_part(&mut By(visitor), part);
        }

        /// A visitor of any type, as one of no type: what is inside of a node is gone through by one code for all.
        struct By<'v, V: ?Sized>(&'v mut V);

        impl<$($lifetime,)? V: $Visitor$(<$lifetime>)? + ?Sized> $Visitor$(<$lifetime>)? for By<'_, V> {
            fn visit_body(&mut self, body: &$($lifetime)? $($mutable)? $Body) {
                self.0.visit_body(body);
            }
            fn visit_stmt(&mut self, stmt: &$($lifetime)? $($mutable)? Stmt) {
                self.0.visit_stmt(stmt);
            }
            fn visit_expr(&mut self, expr: &$($lifetime)? $($mutable)? Expr) {
                self.0.visit_expr(expr);
            }
            fn visit_pattern(&mut self, pattern: &$($lifetime)? $($mutable)? Pattern) {
                self.0.visit_pattern(pattern);
            }
            fn visit_params(&mut self, params: &$($lifetime)? $($mutable)? Params) {
                self.0.visit_params(params);
            }
            fn visit_param(&mut self, param: &$($lifetime)? $($mutable)? Param) {
                self.0.visit_param(param);
            }
            fn visit_type_param(&mut self, param: &$($lifetime)? $($mutable)? TypeParam) {
                self.0.visit_type_param(param);
            }
            fn visit_handler(&mut self, handler: &$($lifetime)? $($mutable)? ExceptHandler) {
                self.0.visit_handler(handler);
            }
            fn visit_match_case(&mut self, case: &$($lifetime)? $($mutable)? MatchCase) {
                self.0.visit_match_case(case);
            }
            fn visit_with_item(&mut self, item: &$($lifetime)? $($mutable)? WithItem) {
                self.0.visit_with_item(item);
            }
            fn visit_comprehension(&mut self, comprehension: &$($lifetime)? $($mutable)? Comprehension) {
                self.0.visit_comprehension(comprehension);
            }
            fn visit_keyword(&mut self, keyword: &$($lifetime)? $($mutable)? Keyword) {
                self.0.visit_keyword(keyword);
            }
            fn visit_fstring_part(&mut self, part: &$($lifetime)? $($mutable)? FStringPart) {
                self.0.visit_fstring_part(part);
            }
        }

        fn in_body$(<$lifetime>)?(
            visitor: &mut dyn $Visitor$(<$lifetime>)?,
            body: &$($lifetime)? $($mutable)? $Body,
        ) {
            for stmt in body {
                visitor.visit_stmt(stmt);
            }
        }

        fn in_stmt$(<$lifetime>)?(
            visitor: &mut dyn $Visitor$(<$lifetime>)?,
            stmt: &$($lifetime)? $($mutable)? Stmt,
        ) {
            match & $($mutable)? stmt.kind {
                StmtKind::FunctionDef(def) => in_function_def(visitor, def),
                StmtKind::ClassDef(def) => in_class_def(visitor, def),
                StmtKind::Return(value) => {
                    if let Some(value) = value {
                        visitor.visit_expr(value);
                    }
                }
                StmtKind::Delete(targets) => {
                    for target in targets {
                        visitor.visit_expr(target);
                    }
                }
                StmtKind::Assign { targets, value } => {
                    visitor.visit_expr(value);
                    for target in targets {
                        visitor.visit_expr(target);
                    }
                }
                StmtKind::AugAssign { target, op: _, value } => {
                    visitor.visit_expr(target);
                    visitor.visit_expr(value);
                }
                StmtKind::AnnAssign { target, annotation, value, simple: _ } => {
                    if let Some(value) = value {
                        visitor.visit_expr(value);
                    }
                    visitor.visit_expr(target);
                    visitor.visit_expr(annotation);
                }
                StmtKind::TypeAlias { name, type_params, value } => {
                    for param in type_params {
                        visitor.visit_type_param(param);
                    }
                    visitor.visit_expr(value);
                    visitor.visit_expr(name);
                }
                StmtKind::For { target, iter, body, orelse, is_async: _ } => {
                    visitor.visit_expr(iter);
                    visitor.visit_expr(target);
                    visitor.visit_body(body);
                    visitor.visit_body(orelse);
                }
                StmtKind::While { test, body, orelse } | StmtKind::If { test, body, orelse } => {
                    visitor.visit_expr(test);
                    visitor.visit_body(body);
                    visitor.visit_body(orelse);
                }
                StmtKind::With { items, body, is_async: _ } => {
                    for item in items {
                        visitor.visit_with_item(item);
                    }
                    visitor.visit_body(body);
                }
                StmtKind::Match { subject, cases } => {
                    visitor.visit_expr(subject);
                    for case in cases {
                        visitor.visit_match_case(case);
                    }
                }
                StmtKind::Raise { exc: first, cause: second } => {
                    if let Some(first) = first {
                        visitor.visit_expr(first);
                    }
                    if let Some(second) = second {
                        visitor.visit_expr(second);
                    }
                }
                StmtKind::Try { body, handlers, orelse, finalbody, is_star: _ } => {
                    visitor.visit_body(body);
                    for handler in handlers {
                        visitor.visit_handler(handler);
                    }
                    visitor.visit_body(orelse);
                    visitor.visit_body(finalbody);
                }
                StmtKind::Assert { test, msg } => {
                    visitor.visit_expr(test);
                    if let Some(msg) = msg {
                        visitor.visit_expr(msg);
                    }
                }
                StmtKind::Expr(value) => visitor.visit_expr(value),
                StmtKind::Import(_)
                | StmtKind::ImportFrom { .. }
                | StmtKind::Global(_)
                | StmtKind::Nonlocal(_)
                | StmtKind::Pass
                | StmtKind::Break
                | StmtKind::Continue => {}
            }
        }

        fn in_function_def$(<$lifetime>)?(
            visitor: &mut dyn $Visitor$(<$lifetime>)?,
            def: &$($lifetime)? $($mutable)? FunctionDef,
        ) {
            for decorator in & $($mutable)? def.decorators {
                visitor.visit_expr(decorator);
            }
            for param in & $($mutable)? def.type_params {
                visitor.visit_type_param(param);
            }
            visitor.visit_params(& $($mutable)? def.params);
            if let Some(returns) = & $($mutable)? def.returns {
                visitor.visit_expr(returns);
            }
            visitor.visit_body(& $($mutable)? def.body);
        }

        fn in_class_def$(<$lifetime>)?(
            visitor: &mut dyn $Visitor$(<$lifetime>)?,
            def: &$($lifetime)? $($mutable)? ClassDef,
        ) {
            for decorator in & $($mutable)? def.decorators {
                visitor.visit_expr(decorator);
            }
            for param in & $($mutable)? def.type_params {
                visitor.visit_type_param(param);
            }
            for base in & $($mutable)? def.bases {
                visitor.visit_expr(base);
            }
            for keyword in & $($mutable)? def.keywords {
                visitor.visit_keyword(keyword);
            }
            visitor.visit_body(& $($mutable)? def.body);
        }

        fn in_expr$(<$lifetime>)?(
            visitor: &mut dyn $Visitor$(<$lifetime>)?,
            expr: &$($lifetime)? $($mutable)? Expr,
        ) {
            match & $($mutable)? expr.kind {
                ExprKind::BoolOp { op: _, values: elements }
                | ExprKind::Set(elements)
                | ExprKind::List { elements, context: _ }
                | ExprKind::Tuple { elements, context: _ } => {
                    for element in elements {
                        visitor.visit_expr(element);
                    }
                }
                ExprKind::Named { target, value } => {
                    visitor.visit_expr(value);
                    visitor.visit_expr(target);
                }
                ExprKind::Binary { left, op: _, right } => {
                    visitor.visit_expr(left);
                    visitor.visit_expr(right);
                }
                ExprKind::Unary { op: _, operand } => visitor.visit_expr(operand),
                ExprKind::Lambda { params, body } => {
                    visitor.visit_params(params);
                    visitor.visit_expr(body);
                }
                ExprKind::IfExp { test, body, orelse } => {
                    visitor.visit_expr(test);
                    visitor.visit_expr(body);
                    visitor.visit_expr(orelse);
                }
                ExprKind::Dict(items) => {
                    for (key, value) in items {
                        if let Some(key) = key {
                            visitor.visit_expr(key);
                        }
                        visitor.visit_expr(value);
                    }
                }
                ExprKind::ListComp { element, generators }
                | ExprKind::SetComp { element, generators }
                | ExprKind::Generator { element, generators } => {
                    for comprehension in generators {
                        visitor.visit_comprehension(comprehension);
                    }
                    visitor.visit_expr(element);
                }
                ExprKind::DictComp { key, value, generators } => {
                    for comprehension in generators {
                        visitor.visit_comprehension(comprehension);
                    }
                    visitor.visit_expr(key);
                    visitor.visit_expr(value);
                }
                ExprKind::Await(value)
                | ExprKind::YieldFrom(value)
                | ExprKind::Attribute { value, attr: _, context: _ }
                | ExprKind::Starred { value, context: _ } => visitor.visit_expr(value),
                ExprKind::Yield(value) => {
                    if let Some(value) = value {
                        visitor.visit_expr(value);
                    }
                }
                ExprKind::Compare { left, ops: _, comparators } => {
                    visitor.visit_expr(left);
                    for comparator in comparators {
                        visitor.visit_expr(comparator);
                    }
                }
                ExprKind::Call { func, args, keywords } => {
                    visitor.visit_expr(func);
                    for arg in args {
                        visitor.visit_expr(arg);
                    }
                    for keyword in keywords {
                        visitor.visit_keyword(keyword);
                    }
                }
                ExprKind::FString(fstring) => {
                    for part in & $($mutable)? fstring.parts {
                        visitor.visit_fstring_part(part);
                    }
                }
                ExprKind::Subscript { value, index, context: _ } => {
                    visitor.visit_expr(value);
                    visitor.visit_expr(index);
                }
                ExprKind::Slice { lower, upper, step } => {
                    for bound in [lower, upper, step] {
                        if let Some(bound) = bound {
                            visitor.visit_expr(bound);
                        }
                    }
                }
                ExprKind::Constant { .. } | ExprKind::Name { .. } => {}
            }
        }

        fn in_pattern$(<$lifetime>)?(
            visitor: &mut dyn $Visitor$(<$lifetime>)?,
            pattern: &$($lifetime)? $($mutable)? Pattern,
        ) {
            match & $($mutable)? pattern.kind {
                PatternKind::Value(value) | PatternKind::Singleton(value) => visitor.visit_expr(value),
                PatternKind::Sequence(patterns) | PatternKind::Or(patterns) => {
                    for pattern in patterns {
                        visitor.visit_pattern(pattern);
                    }
                }
                PatternKind::Mapping { keys, patterns, rest: _ } => {
                    for key in keys {
                        visitor.visit_expr(key);
                    }
                    for pattern in patterns {
                        visitor.visit_pattern(pattern);
                    }
                }
                PatternKind::Class { class, patterns, keywords } => {
                    visitor.visit_expr(class);
                    for pattern in patterns {
                        visitor.visit_pattern(pattern);
                    }
                    for (_, pattern) in keywords {
                        visitor.visit_pattern(pattern);
                    }
                }
                PatternKind::As { pattern, name: _ } => {
                    if let Some(pattern) = pattern {
                        visitor.visit_pattern(pattern);
                    }
                }
                PatternKind::Star(_) => {}
            }
        }

        fn in_params$(<$lifetime>)?(
            visitor: &mut dyn $Visitor$(<$lifetime>)?,
            params: &$($lifetime)? $($mutable)? Params,
        ) {
            let Params { positional_only, positional, vararg, keyword_only, kwarg } = params;
            for list in [& $($mutable)? *positional_only, & $($mutable)? *positional, & $($mutable)? *keyword_only] {
                for param in list {
                    if let Some(default) = & $($mutable)? param.default {
                        visitor.visit_expr(default);
                    }
                }
            }
            for list in [positional_only, positional] {
                for param in list {
                    visitor.visit_param(param);
                }
            }
            if let Some(param) = vararg {
                visitor.visit_param(param);
            }
            for param in keyword_only {
                visitor.visit_param(param);
            }
            if let Some(param) = kwarg {
                visitor.visit_param(param);
            }
        }

        fn in_param$(<$lifetime>)?(
            visitor: &mut dyn $Visitor$(<$lifetime>)?,
            param: &$($lifetime)? $($mutable)? Param,
        ) {
            if let Some(annotation) = & $($mutable)? param.annotation {
                visitor.visit_expr(annotation);
            }
        }

        fn in_type_param$(<$lifetime>)?(
            visitor: &mut dyn $Visitor$(<$lifetime>)?,
            param: &$($lifetime)? $($mutable)? TypeParam,
        ) {
            if let Some(bound) = & $($mutable)? param.bound {
                visitor.visit_expr(bound);
            }
            if let Some(default) = & $($mutable)? param.default {
                visitor.visit_expr(default);
            }
        }

        fn in_handler$(<$lifetime>)?(
            visitor: &mut dyn $Visitor$(<$lifetime>)?,
            handler: &$($lifetime)? $($mutable)? ExceptHandler,
        ) {
            if let Some(kind) = & $($mutable)? handler.kind {
                visitor.visit_expr(kind);
            }
            visitor.visit_body(& $($mutable)? handler.body);
        }

        fn in_match_case$(<$lifetime>)?(
            visitor: &mut dyn $Visitor$(<$lifetime>)?,
            case: &$($lifetime)? $($mutable)? MatchCase,
        ) {
            visitor.visit_pattern(& $($mutable)? case.pattern);
            if let Some(guard) = & $($mutable)? case.guard {
                visitor.visit_expr(guard);
            }
            visitor.visit_body(& $($mutable)? case.body);
        }

        fn in_with_item$(<$lifetime>)?(
            visitor: &mut dyn $Visitor$(<$lifetime>)?,
            item: &$($lifetime)? $($mutable)? WithItem,
        ) {
            visitor.visit_expr(& $($mutable)? item.context);
            if let Some(target) = & $($mutable)? item.target {
                visitor.visit_expr(target);
            }
        }

        fn in_comprehension$(<$lifetime>)?(
            visitor: &mut dyn $Visitor$(<$lifetime>)?,
            comprehension: &$($lifetime)? $($mutable)? Comprehension,
        ) {
            visitor.visit_expr(& $($mutable)? comprehension.iter);
            visitor.visit_expr(& $($mutable)? comprehension.target);
            for condition in & $($mutable)? comprehension.conditions {
                visitor.visit_expr(condition);
            }
        }

        fn in_keyword$(<$lifetime>)?(
            visitor: &mut dyn $Visitor$(<$lifetime>)?,
            keyword: &$($lifetime)? $($mutable)? Keyword,
        ) {
            visitor.visit_expr(& $($mutable)? keyword.value);
        }

        fn in_fstring_part$(<$lifetime>)?(
            visitor: &mut dyn $Visitor$(<$lifetime>)?,
            part: &$($lifetime)? $($mutable)? FStringPart,
        ) {
            if let FStringPart::Interpolation { value, conversion: _, spec, debug: _ } = part {
                visitor.visit_expr(value);
                if let Some(spec) = spec {
                    for part in spec {
                        visitor.visit_fstring_part(part);
                    }
                }
            }
        }
    };
}

mod immutable {
    use crate::tree::*;

    define_visitor! {
        /// Reads the tree in evaluation order; every method walks on by default.
        ///
        /// The nodes live as long as the tree, so a visitor may keep references to them.
        trait Visitor['a][];
        body: [Stmt];
    }
}

/// Rewriting: the same methods over `&mut`.
pub mod mutable {
    use crate::tree::*;

    define_visitor! {
        /// Rewrites the tree in place, in evaluation order; every method walks on by default.
        ///
        /// A pass replaces an expression by [`std::mem::replace`], and
        /// inserts or removes statements in [`visit_body`](VisitorMut::visit_body).
        /// The source text of an f-string ([`FString::text`]) does not follow changes of its parts: a
        /// pass that changes a part replaces the whole node.
        trait VisitorMut[][mut];
        body: Vec<Stmt>;
    }
}

pub use immutable::*;
pub use mutable::VisitorMut;

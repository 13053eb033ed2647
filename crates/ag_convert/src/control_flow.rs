//! `if`, `while` and `for` become calls of operators; their blocks become functions.
//!
//! ```python
//! while x > 1:              def loop_body():
//!     x = x / 2        →        nonlocal n, x
//!     n += 1                    x = x / 2
//!                               n += 1
//!                           ag__.while_stmt(lambda: x > 1, loop_body, ('n', 'x'))
//!
//! if x > 1:                 def branches(holds):
//!     y = x                     nonlocal y
//! else:                         if holds:
//!     y = 1            →            y = x
//!                               else:
//!                                   y = 1
//!                           ag__.if_else_stmt(x > 1, branches, ('y',), 1)
//! ```
//!
//! The functions that statements inside a loop need are made once, before the outermost loop.
//!
//! A block declares the variables that it assigns `nonlocal`, unless it is the variable's home; so each
//! variable stays one variable. It also declares the state of its statement: the operators reach those
//! variables through the function's cells, and the text needs no functions that read and assign them. The
//! user's `global` and `nonlocal` statements move to the start of their function, since a block may precede
//! the statement.

mod clauses;
mod operands;

use std::collections::BTreeSet;

use ag_errors::Span;
use ag_syntax::tree::{ConstantKind, Expr, ExprKind, Name, NodeId, Stmt, StmtKind};

use self::clauses::word_of_try;
use self::operands::OPERAND;
use crate::bound_names::BoundNames;
use crate::context::Conversion;
use crate::homes::Block;
use crate::lazy::{binds_names, has_walrus, lazy};
use crate::regions::blocks_mut;
use crate::return_statements::has_docstring;
use crate::undefined_variables::bind_undefined;
use crate::walks::walked_into;

/// Runs the pass on a body that holds functions.
pub(crate) fn rewrite(body: &mut Vec<Stmt>, conversion: &mut Conversion) {
    for stmt in body {
        let (id, span) = (stmt.id, stmt.span);
        if let StmtKind::FunctionDef(def) = &mut stmt.kind
            && conversion.functions.contains_key(&id)
        {
            extraction(conversion, id).function(&mut def.body, span);
        }
    }
}

struct Extraction<'a> {
    conversion: &'a mut Conversion,
    function: NodeId,
    /// The number of enclosing loops.
    loop_depth: u32,
    /// The functions for statements inside those loops, to be defined before the outermost.
    before_loop: Vec<Stmt>,
    /// The names that operands bind which have become functions, see `operands.rs`.
    bound_by_operands: BTreeSet<Name>,
}

/// The result for a statement: the operator and its arguments, without the names of the state.
type OperatorCall = (&'static str, Vec<Expr>);

/// An extraction for a function that is analysed.
const fn extraction(conversion: &mut Conversion, function: NodeId) -> Extraction<'_> {
    Extraction {
        conversion,
        function,
        loop_depth: 0,
        before_loop: Vec::new(),
        bound_by_operands: BTreeSet::new(),
    }
}

impl Extraction<'_> {
    fn function(&mut self, body: &mut Vec<Stmt>, span: Span) {
        let (mut globals, mut nonlocals) = (BTreeSet::new(), BTreeSet::new());
        take_declarations(body, &mut globals, &mut nonlocals);
        self.block(body, Block::Function, span);
        let start = usize::from(has_docstring(body));
        let b = self.conversion.builder(span);
        let mut declarations = Vec::new();
        if !globals.is_empty() {
            declarations.push(b.global(globals.into_iter().collect()));
        }
        if !nonlocals.is_empty() {
            declarations.push(b.nonlocal(nonlocals.into_iter().collect()));
        }
        body.splice(start..start, declarations);
    }

    /// Converts the statements of a block, and binds the variables that its functions will declare
    /// `nonlocal`:
    ///
    /// ```python
    /// x, y = ag__.Undefined('x'), ag__.Undefined('y')    # may be read before they are bound
    /// if False:
    ///     i = j = None                                   # may not
    /// ```
    fn block(&mut self, body: &mut Vec<Stmt>, block: Block, span: Span) {
        self.stmts(body);
        let function = &self.conversion.functions[&self.function];
        let to_bind: BTreeSet<Name> = function.homes.to_bind_at(block).cloned().collect();
        let (mut undefined, unbound): (BTreeSet<Name>, BTreeSet<Name>) =
            to_bind.into_iter().partition(|name| function.reified.contains(name));
        if block == Block::Function {
            undefined.extend(function.reified.iter().filter(|name| !self.is_parameter(name)).cloned());
        }
        let start = usize::from(block == Block::Function && has_docstring(body));
        let undefined: Vec<Name> = undefined.into_iter().collect();
        let bind = bind_undefined(&undefined, span, self.conversion);
        body.splice(start..start, bind);
        let b = self.conversion.builder(span);
        let declare = (!unbound.is_empty()).then(|| {
            let targets = unbound.into_iter().map(|name| b.name_store(name)).collect();
            let assign = b.stmt(StmtKind::Assign { targets, value: b.none() });
            b.if_stmt(b.bool(false), vec![assign], Vec::new())
        });
        body.splice(start..start, declare);
    }

    fn is_parameter(&self, name: &str) -> bool {
        let scope = self.conversion.functions[&self.function].scope;
        let symbols = &self.conversion.scopes.scope(scope).symbols;
        symbols.get(name).is_some_and(|symbol| symbol.is_parameter)
    }

    fn stmts(&mut self, body: &mut Vec<Stmt>) {
        let stmts = std::mem::take(body);
        for mut stmt in stmts {
            let is_pinned = self.conversion.pinned.contains(&stmt.id);
            let (id, span) = (stmt.id, stmt.span);
            if !matches!(stmt.kind, StmtKind::While { .. }) || is_pinned {
                self.operands_of(&mut stmt, body);
            }
            match &mut stmt.kind {
                StmtKind::If { .. } | StmtKind::While { .. } if !is_pinned => self.operator(stmt, body),
                StmtKind::For { is_async: false, .. } if !is_pinned => self.operator(stmt, body),
                StmtKind::Try { .. } | StmtKind::With { is_async: false, .. }
                    if !is_pinned && self.is_analysed(id) =>
                {
                    self.operator(stmt, body);
                }
                StmtKind::FunctionDef(def) => {
                    if self.conversion.functions.contains_key(&id) {
                        extraction(self.conversion, id).function(&mut def.body, span);
                    }
                    body.push(stmt);
                }
                _ => {
                    for inner in blocks_mut(&mut stmt) {
                        self.stmts(inner);
                    }
                    body.push(stmt);
                }
            }
        }
    }

    /// Whether a statement is one of the program: the conversion makes some too.
    fn is_analysed(&self, stmt: NodeId) -> bool {
        self.conversion.functions[&self.function].facts.branches.contains_key(&stmt)
    }

    fn operator(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) {
        let (id, mut span) = (stmt.id, stmt.span);
        let (state, outputs) = {
            let facts = &self.conversion.functions[&self.function].facts;
            let (state, outputs) = facts.state(id);
            let names: Vec<Name> =
                state.into_iter().map(|variable| facts.variables.name(variable).clone()).collect();
            (names, outputs)
        };
        let (operator, mut args) = match stmt.kind {
            StmtKind::If { test, body, orelse } if orelse.is_empty() => {
                let body = self.block_function(("if_body", Block::Body(id)), &state, body, span, out);
                ("if_stmt", vec![test, body])
            }
            StmtKind::If { test, body, orelse } => {
                self.two_branches((id, span), test, [body, orelse], &state, out)
            }
            StmtKind::While { test, body, .. } => {
                let test = self.loop_test(id, test, out);
                let body = self.loop_body((id, span), None, body, &state, out);
                ("while_stmt", vec![test, body])
            }
            StmtKind::For { target, iter, body, .. } => {
                let extra_test = self.extra_test(id, span);
                let body = self.loop_body((id, span), Some(*target), body, &state, out);
                ("for_stmt", vec![iter, extra_test, body])
            }
            StmtKind::With { mut items, body, .. } => {
                let Some(with) = items.pop() else { return };
                let target = with.target.unwrap_or_else(|| self.unused_item(span));
                let item = self.item(target, Block::Body(id));
                let body = self.body_with_item("with_body", (id, span), item, body, &state, out);
                span = with.context.span;
                ("with_stmt", vec![with.context, body])
            }
            StmtKind::Try { .. } => {
                span = word_of_try(span);
                self.clauses(stmt, &state, out)
            }
            _ => return,
        };
        let b = self.conversion.builder(span);
        args.push(b.tuple(state.iter().map(|name| b.string(name)).collect::<Vec<_>>()));
        if operator.starts_with("if") {
            args.push(b.int(i64::try_from(outputs).unwrap_or(i64::MAX)));
        }
        let call = self.conversion.call(span, operator, args);
        out.push(self.conversion.builder(span).expr_stmt(call));
    }

    /// Writes both branches of an `if` as one function: half as many for CPython to compile.
    fn two_branches(
        &mut self,
        (id, span): (NodeId, Span),
        test: Expr,
        [mut body, mut orelse]: [Vec<Stmt>; 2],
        state: &[Name],
        out: &mut Vec<Stmt>,
    ) -> OperatorCall {
        let orelse_span = orelse[0].span;
        let mut declared = self.block_with_names(&mut body, Block::Body(id), span);
        declared.extend(self.block_with_names(&mut orelse, Block::Orelse(id), orelse_span));
        let holds = self.conversion.names.temporary("holds", 0);
        let b = self.conversion.builder(test.span);
        let read = b.name(holds.clone());
        let choice = self.conversion.builder(span).if_stmt(read, body, orelse);
        let branches = self.function_of("branches", vec![holds], (vec![choice], declared), state, span, out);
        ("if_else_stmt", vec![test, branches])
    }

    /// Writes the body of a loop as a function, after the functions for nested statements; returns its name.
    fn loop_body(
        &mut self,
        place: (NodeId, Span),
        target: Option<Expr>,
        body: Vec<Stmt>,
        state: &[Name],
        out: &mut Vec<Stmt>,
    ) -> Expr {
        self.loop_depth += 1;
        let (item, first) = target.map_or((None, None), |target| self.item(target, Block::Body(place.0)));
        let name = self.body_with_item("loop_body", place, (item, first), body, state, out);
        self.loop_depth -= 1;
        if self.loop_depth == 0 {
            out.append(&mut self.before_loop);
        }
        name
    }

    /// Writes a body as a function that may take an item; returns its name.
    fn body_with_item(
        &mut self,
        wish: &'static str,
        (id, span): (NodeId, Span),
        (item, first): (Option<Name>, Option<Stmt>),
        mut body: Vec<Stmt>,
        state: &[Name],
        out: &mut Vec<Stmt>,
    ) -> Expr {
        let block = Block::Body(id);
        self.block(&mut body, block, span);
        body.splice(0..0, first);
        let mut declared = self.declared_in(&body, block);
        let parameters = Vec::from_iter(item);
        for parameter in &parameters {
            declared.remove(parameter);
        }
        self.function_of(wish, parameters, (body, declared), state, span, out)
    }

    /// The parameter that takes the item of a `for`, and the statement that assigns it to the target.
    fn item(&mut self, mut target: Expr, block: Block) -> (Option<Name>, Option<Stmt>) {
        if let ExprKind::Name { name, .. } = &target.kind
            && self.is_local_to(block, name)
        {
            return (Some(name.clone()), None);
        }
        let item = self.conversion.names.temporary("item", 0);
        let b = self.conversion.builder(target.span);
        let mut value = b.name(item.clone());
        walked_into(&mut target, &mut value, self.conversion);
        let b = self.conversion.builder(target.span);
        let assign = b.assign(target, value);
        (Some(item), Some(assign))
    }

    /// Defines functions before the statement that needs them, or before the outermost loop around it.
    fn put(&mut self, functions: Vec<Stmt>, out: &mut Vec<Stmt>) {
        if self.loop_depth == 0 { out } else { &mut self.before_loop }.extend(functions);
    }

    /// A name for such a function. In a loop all of them are live at once, so each has its own, as have the
    /// operands of one statement.
    fn function_name(&mut self, wish: &'static str) -> Name {
        match self.loop_depth {
            0 if wish != OPERAND => self.conversion.block_function(wish),
            _ => self.conversion.fresh_function(wish),
        }
    }

    /// Writes a block as a function without parameters; returns an expression that reads its name.
    fn block_function(
        &mut self,
        (wish, block): (&'static str, Block),
        state: &[Name],
        mut body: Vec<Stmt>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Expr {
        let declared = self.block_with_names(&mut body, block, span);
        self.function_of(wish, Vec::new(), (body, declared), state, span, out)
    }

    /// Converts a block; returns the names that a function of it has to declare.
    fn block_with_names(&mut self, body: &mut Vec<Stmt>, block: Block, span: Span) -> BTreeSet<Name> {
        self.block(body, block, span);
        self.declared_in(body, block)
    }

    /// The names that statements bind and that are not local to their block.
    fn declared_in(&self, body: &[Stmt], block: Block) -> BTreeSet<Name> {
        let bound = BoundNames::of_body(body).into_iter();
        bound.filter(|name| !self.is_local_to(block, name)).collect()
    }

    /// Writes a function from converted statements and the names that they bind; returns an expression that
    /// reads its name.
    fn function_of(
        &mut self,
        wish: &'static str,
        parameters: Vec<Name>,
        (mut body, mut declared): (Vec<Stmt>, BTreeSet<Name>),
        state: &[Name],
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Expr {
        declared.extend(state.iter().cloned());
        body.splice(0..0, self.declarations(declared, span));
        let name = self.function_name(wish);
        let b = self.conversion.builder(span);
        let function = b.function_def(name.clone(), b.params(parameters), body);
        let read = b.name(name);
        self.put(vec![function], out);
        read
    }

    /// Whether a name needs no declaration in a block: it is no variable of the function, or the block is its
    /// home.
    fn is_local_to(&self, block: Block, name: &str) -> bool {
        let function = &self.conversion.functions[&self.function];
        match function.facts.variables.get(name) {
            None => true,
            Some(variable) => {
                function.facts.variables.is_own(variable)
                    && block != Block::Function
                    && function.homes.is_home(block, name)
            }
        }
    }

    fn is_global(&self, name: &str) -> bool {
        let scope = self.conversion.functions[&self.function].scope;
        let symbols = &self.conversion.scopes.scope(scope).symbols;
        symbols.get(name).is_some_and(|symbol| symbol.is_declared_global)
    }

    /// `global` and `nonlocal` statements for these names.
    fn declarations(&mut self, names: BTreeSet<Name>, span: Span) -> Vec<Stmt> {
        let (globals, nonlocals): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| self.is_global(name));
        let b = self.conversion.builder(span);
        let mut declarations = Vec::new();
        if !globals.is_empty() {
            declarations.push(b.global(globals));
        }
        if !nonlocals.is_empty() {
            declarations.push(b.nonlocal(nonlocals));
        }
        declarations
    }

    /// `not did_break and test`, as a function.
    fn loop_test(&mut self, id: NodeId, mut test: Expr, out: &mut Vec<Stmt>) -> Expr {
        let span = test.span;
        let mut terms = self.guard_terms(id, span);
        let is_endless = matches!(test.kind, ExprKind::Constant { kind: ConstantKind::True, .. });
        let mut operand = None;
        let is_lambda = terms.is_empty() && !has_walrus(&test);
        if !is_lambda && binds_names(&test, self.conversion) {
            // In a lambda, the name of `:=` would be local to it.
            let function = self.function_of_expression(("loop_test", Block::Test(id)), test, out);
            if terms.is_empty() {
                return function.0;
            }
            operand = Some(self.binding(function));
        } else if terms.is_empty() || !is_endless {
            self.operands_in(&mut test, out);
            terms.push(test);
        }
        let test = self.all_of(terms, operand, span);
        lazy(test, self.conversion)
    }

    fn extra_test(&mut self, id: NodeId, span: Span) -> Expr {
        let terms = self.guard_terms(id, span);
        if terms.is_empty() {
            return self.conversion.builder(span).none();
        }
        let test = self.all_of(terms, None, span);
        lazy(test, self.conversion)
    }

    fn guard_terms(&mut self, id: NodeId, span: Span) -> Vec<Expr> {
        let flags = self.conversion.guards.get(&id).cloned().unwrap_or_default();
        let mut terms = Vec::new();
        for flag in flags {
            let flag = self.conversion.builder(span).name(flag);
            terms.push(self.conversion.call(span, "not_", [flag]));
        }
        terms
    }

    /// `first and second and operand()`, from terms and an operand that is a function already.
    fn all_of(&mut self, mut terms: Vec<Expr>, operand: Option<Expr>, span: Span) -> Expr {
        if terms.len() == 1 && operand.is_none() {
            return terms.remove(0);
        }
        let mut args: Vec<Expr> = terms.drain(..1).collect();
        args.extend(terms.into_iter().map(|term| lazy(term, self.conversion)));
        args.extend(operand);
        self.conversion.call(span, "and_", args)
    }
}

/// Removes the user's `global` and `nonlocal` statements from a function, and collects their names.
fn take_declarations(body: &mut Vec<Stmt>, globals: &mut BTreeSet<Name>, nonlocals: &mut BTreeSet<Name>) {
    body.retain(|stmt| match &stmt.kind {
        StmtKind::Global(names) => {
            globals.extend(names.iter().cloned());
            false
        }
        StmtKind::Nonlocal(names) => {
            nonlocals.extend(names.iter().cloned());
            false
        }
        _ => true,
    });
    for stmt in body {
        for block in blocks_mut(stmt) {
            take_declarations(block, globals, nonlocals);
        }
    }
}

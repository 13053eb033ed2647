//! `if`, `while` and `for` become calls of operators; their blocks become functions.
//!
//! ```python
//! while x > 1:              def set_state(values):
//!     x = x / 2        →        nonlocal n, x
//!     n += 1                    n, x = values
//!                           def loop_body():
//!                               nonlocal n, x
//!                               x = x / 2
//!                               n += 1
//!                           ag__.while_stmt(lambda: x > 1, loop_body, lambda: (n, x), set_state, ('n', 'x'))
//! ```
//!
//! The functions that statements inside a loop need are made once, before the outermost loop.
//!
//! A block declares what it assigns, unless it is the variable's home; so each variable stays one
//! variable. `global` and `nonlocal` of the user move to the start of their function, since a block
//! may come before the statement.

use std::collections::{BTreeSet, HashSet};

use ag_errors::Span;
use ag_syntax::tree::{ConstantKind, Context, Expr, ExprKind, Name, NodeId, Stmt, StmtKind};

use crate::bound_names::BoundNames;
use crate::context::Conversion;
use crate::homes::Block;
use crate::lazy::{chain, has_walrus, lazy};
use crate::regions::blocks_mut;
use crate::return_statements::has_docstring;
use crate::undefined_variables::bind_undefined;

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
    /// The shared states that can be seen here.
    states: Vec<SharedState>,
    /// The states that several statements of the function have.
    shared_states: HashSet<Vec<Name>>,
    /// How many loops are around.
    loop_depth: u32,
    /// The functions for what is inside those loops, to be made before the outermost.
    before_loop: Vec<Stmt>,
}

/// The functions that read and assign a state, which have run where it is known.
struct SharedState {
    names: Vec<Name>,
    get_state: Name,
    set_state: Name,
}

/// An extraction for a function that is analysed.
fn extraction(conversion: &mut Conversion, function: NodeId) -> Extraction<'_> {
    let facts = &conversion.functions[&function].facts;
    let (mut seen, mut shared_states) = (HashSet::new(), HashSet::new());
    for statement in facts.branches.keys().filter(|statement| !conversion.pinned.contains(*statement)) {
        let state = facts.state(*statement).0;
        if !seen.insert(state.clone()) {
            shared_states
                .insert(state.iter().map(|variable| facts.variables.name(*variable).clone()).collect());
        }
    }
    Extraction {
        conversion,
        function,
        states: Vec::new(),
        shared_states,
        loop_depth: 0,
        before_loop: Vec::new(),
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

    /// Converts the statements of a block, and binds what its functions will declare `nonlocal`.
    fn block(&mut self, body: &mut Vec<Stmt>, block: Block, span: Span) {
        self.stmts(body);
        let function = &self.conversion.functions[&self.function];
        let mut names: BTreeSet<Name> = function.homes.to_bind_at(block).cloned().collect();
        if block == Block::Function {
            names.extend(function.reified.iter().filter(|name| !self.is_parameter(name)).cloned());
        }
        let names: Vec<Name> = names.into_iter().collect();
        let start = usize::from(block == Block::Function && has_docstring(body));
        let bind = bind_undefined(&names, span, self.conversion);
        body.splice(start..start, bind);
    }

    fn is_parameter(&self, name: &str) -> bool {
        let scope = self.conversion.functions[&self.function].scope;
        let symbols = &self.conversion.scopes.scope(scope).symbols;
        symbols.get(name).is_some_and(|symbol| symbol.is_parameter)
    }

    fn stmts(&mut self, body: &mut Vec<Stmt>) {
        let stmts = std::mem::take(body);
        let visible_states = self.states.len();
        for mut stmt in stmts {
            let is_pinned = self.conversion.pinned.contains(&stmt.id);
            let (id, span) = (stmt.id, stmt.span);
            match &mut stmt.kind {
                StmtKind::If { .. } | StmtKind::While { .. } if !is_pinned => self.operator(stmt, body),
                StmtKind::For { is_async: false, .. } if !is_pinned => self.operator(stmt, body),
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
        self.states.truncate(visible_states);
    }

    fn operator(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) {
        let (id, span) = (stmt.id, stmt.span);
        let (state, outputs) = {
            let facts = &self.conversion.functions[&self.function].facts;
            let (state, outputs) = facts.state(id);
            let names: Vec<Name> =
                state.into_iter().map(|variable| facts.variables.name(variable).clone()).collect();
            (names, outputs)
        };
        // First, so that statements inside that have the same state share its function.
        let state_arguments = self.state_arguments(&state, span, out);
        let (operator, mut args) = match stmt.kind {
            StmtKind::If { test, body, orelse } => {
                let body = self.block_function(("if_body", Block::Body(id)), None, body, span, out);
                let orelse = if orelse.is_empty() {
                    self.conversion.builder(span).none()
                } else {
                    let span = orelse[0].span;
                    self.block_function(("else_body", Block::Orelse(id)), None, orelse, span, out)
                };
                ("if_stmt", vec![test, body, orelse])
            }
            StmtKind::While { test, body, .. } => {
                let test = self.loop_test(id, test, out);
                let body = self.loop_body(id, None, body, span, out);
                ("while_stmt", vec![test, body])
            }
            StmtKind::For { target, iter, body, .. } => {
                let extra_test = self.extra_test(id, span);
                let body = self.loop_body(id, Some(target), body, span, out);
                ("for_stmt", vec![iter, extra_test, body])
            }
            _ => return,
        };
        args.extend(state_arguments);
        if operator == "if_stmt" {
            args.push(self.conversion.builder(span).int(i64::try_from(outputs).unwrap_or(i64::MAX)));
        }
        let call = self.conversion.call(span, operator, args);
        out.push(self.conversion.builder(span).expr_stmt(call));
    }

    /// Writes the body of a loop as a function, after the functions for what is inside; gives its name.
    fn loop_body(
        &mut self,
        id: NodeId,
        target: Option<Expr>,
        body: Vec<Stmt>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Expr {
        self.loop_depth += 1;
        let name = self.block_function(("loop_body", Block::Body(id)), target, body, span, out);
        self.loop_depth -= 1;
        if self.loop_depth == 0 {
            out.append(&mut self.before_loop);
        }
        name
    }

    /// Puts functions before the statement that needs them, or before the outermost loop around it.
    fn put(&mut self, functions: Vec<Stmt>, out: &mut Vec<Stmt>) {
        if self.loop_depth == 0 { out } else { &mut self.before_loop }.extend(functions);
    }

    /// A name for such a function. In a loop they are all kept, so each has its own.
    fn function_name(&mut self, wish: &'static str) -> Name {
        match self.loop_depth {
            0 => self.conversion.block_function(wish),
            _ => self.conversion.fresh_function(wish),
        }
    }

    /// Writes a block as a function; gives its name, read.
    fn block_function(
        &mut self,
        (wish, block): (&'static str, Block),
        target: Option<Expr>,
        mut body: Vec<Stmt>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Expr {
        let mut parameters = Vec::new();
        let mut first = None;
        if let Some(target) = target {
            let own = match &target.kind {
                ExprKind::Name { name, .. } if self.is_local_to(block, name) => Some(name.clone()),
                _ => None,
            };
            let item = match own {
                Some(name) => name,
                None => {
                    let item = self.conversion.names.temporary("item", 0);
                    let b = self.conversion.builder(target.span);
                    first = Some(b.assign(target, b.name(item.clone())));
                    item
                }
            };
            parameters.push(item);
        }
        self.block(&mut body, block, span);
        body.splice(0..0, first);
        let mut bound = BoundNames::of_body(&body);
        for parameter in &parameters {
            bound.remove(parameter);
        }
        body.splice(0..0, self.declarations(bound, block, span));
        let name = self.function_name(wish);
        let b = self.conversion.builder(span);
        let params = b.params(parameters);
        let function = b.function_def(name.clone(), params, body);
        let read = b.name(name);
        self.put(vec![function], out);
        read
    }

    /// Whether a name needs no declaration in a block: no variable of the function, or at home.
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

    fn declarations(&mut self, names: BTreeSet<Name>, block: Block, span: Span) -> Vec<Stmt> {
        let shared = names.into_iter().filter(|name| !self.is_local_to(block, name));
        let (globals, nonlocals): (Vec<_>, Vec<_>) = shared.partition(|name| self.is_global(name));
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
    fn loop_test(&mut self, id: NodeId, test: Expr, out: &mut Vec<Stmt>) -> Expr {
        let span = test.span;
        let mut terms = self.guard_terms(id, span);
        let is_endless = matches!(test.kind, ExprKind::Constant { kind: ConstantKind::True, .. });
        if terms.is_empty() || !is_endless {
            terms.push(test);
        }
        if !terms.iter().any(has_walrus) {
            let test = self.all_of(terms, span);
            return lazy(test, self.conversion);
        }
        // A lambda would make the name of `:=` its own.
        let b = self.conversion.builder(span);
        let test = match terms.len() {
            1 => terms.remove(0),
            _ => b.bool_op(ag_syntax::tree::BoolOp::And, terms),
        };
        let bound = BoundNames::of_expr(&test);
        let mut body = self.declarations(bound, Block::Test(id), span);
        let name = self.function_name("loop_test");
        let b = self.conversion.builder(span);
        body.push(b.return_value(test));
        let function = b.function_def(name.clone(), b.params::<Name>([]), body);
        let read = b.name(name);
        self.put(vec![function], out);
        read
    }

    fn extra_test(&mut self, id: NodeId, span: Span) -> Expr {
        let terms = self.guard_terms(id, span);
        if terms.is_empty() {
            return self.conversion.builder(span).none();
        }
        let test = self.all_of(terms, span);
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

    fn all_of(&mut self, mut terms: Vec<Expr>, span: Span) -> Expr {
        if terms.len() == 1 {
            return terms.remove(0);
        }
        let terms = chain(terms, self.conversion);
        self.conversion.call(span, "and_", terms)
    }

    /// `get_state, set_state, names`.
    fn state_arguments(&mut self, state: &[Name], span: Span, out: &mut Vec<Stmt>) -> [Expr; 3] {
        if state.is_empty() {
            let b = self.conversion.builder(span);
            return [b.none(), b.none(), b.tuple([])];
        }
        let known = self.states.iter().find(|known| known.names == state);
        let [get_state, set_state] = match known {
            Some(known) => {
                let (get_state, set_state) = (known.get_state.clone(), known.set_state.clone());
                let b = self.conversion.builder(span);
                [b.name(get_state), b.name(set_state)]
            }
            None => self.state_functions(state, span, out),
        };
        let names: Vec<Expr> = state.iter().map(|name| self.conversion.builder(span).string(name)).collect();
        [get_state, set_state, self.conversion.builder(span).tuple(names)]
    }

    /// Writes the functions that read and assign a state. Of a state that other statements have too,
    /// both get names of their own.
    fn state_functions(&mut self, state: &[Name], span: Span, out: &mut Vec<Stmt>) -> [Expr; 2] {
        let is_shared = self.loop_depth > 0 || self.shared_states.contains(state);
        let set_state = self.set_state(state, is_shared, span, out);
        let get_state = self.get_state(state, span);
        if !is_shared {
            return [get_state, self.conversion.builder(span).name(set_state)];
        }
        let name = self.conversion.names.fresh("get_state");
        let b = self.conversion.builder(span);
        let assign = b.assign_name(name.clone(), get_state);
        self.put(vec![assign], out);
        let b = self.conversion.builder(span);
        let arguments = [b.name(name.clone()), b.name(set_state.clone())];
        self.states.push(SharedState { names: state.to_vec(), get_state: name, set_state });
        arguments
    }

    /// `lambda: (x, y)`.
    fn get_state(&mut self, state: &[Name], span: Span) -> Expr {
        let mut reads = Vec::new();
        for name in state {
            let read = if self.is_global(name) {
                let b = self.conversion.builder(span);
                let args = [b.call(b.name("globals"), []), b.string(name)];
                self.conversion.call(span, "ldg", args)
            } else {
                self.conversion.builder(span).name(name.clone())
            };
            reads.push(read);
        }
        let b = self.conversion.builder(span);
        b.lambda(b.tuple(reads))
    }

    /// Writes a function that assigns a state; gives its name.
    fn set_state(&mut self, state: &[Name], is_shared: bool, span: Span, out: &mut Vec<Stmt>) -> Name {
        let parameter = self.conversion.names.temporary("values", 0);
        let set_state = match is_shared {
            true => self.conversion.fresh_function("set_state"),
            false => self.function_name("set_state"),
        };
        let (globals, nonlocals): (Vec<Name>, Vec<Name>) =
            state.iter().cloned().partition(|name| self.is_global(name));
        let b = self.conversion.builder(span);
        let mut body = Vec::new();
        if !globals.is_empty() {
            body.push(b.global(globals));
        }
        if !nonlocals.is_empty() {
            body.push(b.nonlocal(nonlocals));
        }
        let targets: Vec<Expr> = state.iter().map(|name| b.name_store(name.clone())).collect();
        body.push(b.assign(b.tuple_in(targets, Context::Store), b.name(parameter.clone())));
        let function = b.function_def(set_state.clone(), b.params([parameter]), body);
        self.put(vec![function], out);
        set_state
    }
}

/// Takes the user's `global` and `nonlocal` statements out of a function.
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

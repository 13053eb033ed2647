//! The home of each variable once blocks are functions: the function in which it is local.
//!
//! A variable's home is the innermost block that contains all its uses: a variable that only one branch uses
//! is local to that branch's function, and needs neither `nonlocal` nor an initial value. A loop's body is
//! never a home, because the functions in it are made once, before the loop. The home is the function itself
//! for every variable that is captured (closures made in a loop share one cell, as in CPython) and for every
//! variable that may be read unbound.

use std::collections::{BTreeSet, HashMap, HashSet};

use ag_analysis::FunctionFacts;
use ag_syntax::tree::{
    Alias, Context, ExceptHandler, Expr, ExprKind, Name, NodeId, Pattern, PatternKind, Stmt, StmtKind,
};
use ag_syntax::visit::{Visitor, walk_expr, walk_handler, walk_pattern, walk_stmt};

use crate::lazy::has_walrus;
use crate::regions::blocks;

/// A block that becomes a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Block {
    /// The function's own body.
    Function,
    /// The test of a `while`.
    Test(NodeId),
    /// The body of an `if`, a loop or a `with`; of the last two, with its target.
    Body(NodeId),
    /// The `else` of an `if`.
    Orelse(NodeId),
    /// A block of a `try`, by its number: its body, its handlers, its `else`, its `finally`.
    Clause(NodeId, usize),
    /// An operand that may not run and binds a name: the expression, and the number of the operand.
    Operand(NodeId, usize),
}

/// The homes of a function's variables.
#[derive(Debug, Default)]
pub(crate) struct Homes {
    home: HashMap<Name, Block>,
    /// Variables that no statement directly in their home binds, by home.
    unbound_at_home: HashMap<Block, BTreeSet<Name>>,
}

impl Homes {
    /// Whether a block is the home of a variable.
    pub(crate) fn is_home(&self, block: Block, name: &str) -> bool {
        self.home.get(name).copied().unwrap_or(Block::Function) == block
    }

    /// The variables that must be bound at the start of a block, so that the functions inside it
    /// can declare them `nonlocal`.
    pub(crate) fn to_bind_at(&self, block: Block) -> impl Iterator<Item = &Name> {
        self.unbound_at_home.get(&block).into_iter().flatten()
    }

    /// Finds the homes of all variables. The home of `reified` ones is the function.
    pub(crate) fn of(
        uses: &Uses<'_>,
        facts: &FunctionFacts,
        reified: &HashSet<Name>,
        parameters: &HashSet<Name>,
    ) -> Self {
        let Uses { blocks, found, bound, .. } = uses;
        let mut homes = Self::default();
        for (variable, name) in facts.variables.iter() {
            if !facts.variables.is_own(variable) {
                continue;
            }
            let stays =
                facts.captured.contains(variable) || reified.contains(name) || parameters.contains(name);
            let home =
                if stays { Some(0) } else { found.get(&variable).map(|home| uses.outside_of_loops(*home)) };
            let Some(home) = home else { continue };
            homes.home.insert(name.clone(), blocks[home].0);
            let is_bound = bound.contains(&(variable, home)) || parameters.contains(name);
            if !is_bound {
                homes.unbound_at_home.entry(blocks[home].0).or_default().insert(name.clone());
            }
        }
        homes
    }
}

/// The uses of a function's variables.
pub(crate) struct Uses<'a> {
    facts: &'a FunctionFacts,
    states: &'a dyn Fn(NodeId) -> Option<Vec<Name>>,
    /// Each block with its parent and depth.
    blocks: Vec<(Block, usize, usize)>,
    current: usize,
    /// The innermost block that contains all uses so far, by variable.
    found: HashMap<u32, usize>,
    /// The blocks whose own statements bind a variable.
    bound: HashSet<(u32, usize)>,
    /// The number of enclosing operands that become lambdas.
    lazy_depth: u32,
    /// Whether the walk is in a comprehension, whose targets are its own.
    is_comprehension: bool,
    /// Whether the walk is in a class body, whose variables are its own.
    is_class: bool,
    /// Variables that are used by a block or lambda that the conversion makes.
    shared: HashSet<u32>,
    /// The blocks of loops.
    loops: HashSet<Block>,
    /// Variables that a `del` unbinds.
    deleted: HashSet<u32>,
    /// Expressions with operands that may not run and bind names of the function.
    binding: HashSet<NodeId>,
}

impl<'a> Uses<'a> {
    /// Finds the uses of all variables.
    ///
    /// `states` returns the state of a statement that becomes an operator, and none for others.
    pub(crate) fn of(
        body: &[Stmt],
        facts: &'a FunctionFacts,
        states: &'a dyn Fn(NodeId) -> Option<Vec<Name>>,
    ) -> Self {
        let mut uses = Self {
            facts,
            states,
            blocks: vec![(Block::Function, 0, 0)],
            current: 0,
            found: HashMap::new(),
            bound: HashSet::new(),
            lazy_depth: 0,
            is_comprehension: false,
            is_class: false,
            shared: HashSet::new(),
            loops: HashSet::new(),
            deleted: HashSet::new(),
            binding: HashSet::new(),
        };
        uses.visit_body(body);
        uses
    }

    /// Whether a function or lambda that the conversion makes uses the variable.
    pub(crate) fn is_shared(&self, variable: u32) -> bool {
        self.shared.contains(&variable)
    }

    /// The variables that a `del` unbinds and that a function or lambda of the conversion uses.
    pub(crate) fn deleted(&self) -> impl Iterator<Item = u32> + '_ {
        self.deleted.iter().copied().filter(|variable| self.is_shared(*variable))
    }

    /// The expressions with operands that become functions, since in a lambda their names would be local.
    pub(crate) fn binding(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.binding.iter().copied()
    }

    /// Whether a statement of the function itself, in no block, binds the variable.
    pub(crate) fn is_bound_by_function(&self, variable: u32) -> bool {
        self.bound.contains(&(variable, 0))
    }

    /// The block around the outermost loop that contains a block, or the block itself.
    fn outside_of_loops(&self, block: usize) -> usize {
        let mut outside = block;
        let mut current = block;
        while current != 0 {
            let (kind, parent, _) = self.blocks[current];
            if self.loops.contains(&kind) {
                outside = parent;
            }
            current = parent;
        }
        outside
    }

    fn lazily(&mut self, visit: impl FnOnce(&mut Self)) {
        self.lazy_depth += 1;
        visit(self);
        self.lazy_depth -= 1;
    }

    /// Visits operands that become lambdas, or functions if they bind names.
    fn operands<'t>(&mut self, expr: &Expr, operands: impl Iterator<Item = &'t Expr>) {
        for (position, operand) in operands.enumerate() {
            if has_walrus(operand) && !self.is_comprehension && !self.is_class {
                self.binding.insert(expr.id);
                self.inside(Block::Operand(expr.id, position), |this| this.visit_expr(operand));
            } else {
                self.lazily(|this| this.visit_expr(operand));
            }
        }
    }

    fn use_name(&mut self, name: &str) {
        let Some(variable) = self.facts.variables.get(name) else { return };
        if self.current != 0 || self.lazy_depth > 0 {
            self.shared.insert(variable);
        }
        let (mut one, mut other) = (self.current, *self.found.get(&variable).unwrap_or(&self.current));
        while one != other {
            if self.blocks[one].2 >= self.blocks[other].2 {
                one = self.blocks[one].1;
            } else {
                other = self.blocks[other].1;
            }
        }
        self.found.insert(variable, one);
    }

    fn bind_name(&mut self, name: &str) {
        if self.is_class {
            return;
        }
        self.use_name(name);
        if let Some(variable) = self.facts.variables.get(name) {
            self.bound.insert((variable, self.current));
        }
    }

    fn inside(&mut self, block: Block, visit: impl FnOnce(&mut Self)) {
        let around = self.current;
        self.blocks.push((block, around, self.blocks[around].2 + 1));
        self.current = self.blocks.len() - 1;
        visit(self);
        self.current = around;
    }

    fn aliases(&mut self, aliases: &[Alias]) {
        for alias in aliases {
            let name = match &alias.asname {
                Some(name) => name,
                None => alias.name.split('.').next().unwrap_or(&alias.name),
            };
            self.bind_name(name);
        }
    }
}

impl<'t> Visitor<'t> for Uses<'_> {
    fn visit_stmt(&mut self, stmt: &'t Stmt) {
        let state = (self.states)(stmt.id);
        for name in state.iter().flatten() {
            self.use_name(name);
        }
        match &stmt.kind {
            StmtKind::If { test, body, orelse } if state.is_some() => {
                self.visit_expr(test);
                self.inside(Block::Body(stmt.id), |this| this.visit_body(body));
                self.inside(Block::Orelse(stmt.id), |this| this.visit_body(orelse));
                return;
            }
            StmtKind::While { test, body, .. } if state.is_some() => {
                self.loops.extend([Block::Test(stmt.id), Block::Body(stmt.id)]);
                self.inside(Block::Test(stmt.id), |this| this.visit_expr(test));
                self.inside(Block::Body(stmt.id), |this| this.visit_body(body));
                return;
            }
            StmtKind::For { target, iter, body, .. } if state.is_some() => {
                self.visit_expr(iter);
                self.loops.insert(Block::Body(stmt.id));
                self.inside(Block::Body(stmt.id), |this| {
                    this.visit_expr(target);
                    this.visit_body(body);
                });
                return;
            }
            StmtKind::With { items, body, .. } if state.is_some() => {
                items.iter().for_each(|item| self.visit_expr(&item.context));
                self.inside(Block::Body(stmt.id), |this| {
                    items.iter().filter_map(|item| item.target.as_ref()).for_each(|one| this.visit_expr(one));
                    this.visit_body(body);
                });
                return;
            }
            StmtKind::Try { handlers, .. } if state.is_some() => {
                let kinds = handlers.iter().filter_map(|handler| handler.kind.as_ref());
                self.lazily(|this| kinds.for_each(|kind| this.visit_expr(kind)));
                for (clause, body) in blocks(stmt).into_iter().enumerate() {
                    let handler = clause.checked_sub(1).and_then(|number| handlers.get(number));
                    self.inside(Block::Clause(stmt.id, clause), |this| {
                        if let Some(name) = handler.and_then(|handler| handler.name.as_ref()) {
                            this.bind_name(name);
                        }
                        this.visit_body(body);
                    });
                }
                return;
            }
            // A variable's annotation will be dropped; without a value, so will the statement.
            StmtKind::AnnAssign { target, value, .. } if matches!(target.kind, ExprKind::Name { .. }) => {
                if let Some(value) = value {
                    self.visit_expr(value);
                    self.visit_expr(target);
                }
                return;
            }
            StmtKind::Assert { .. } | StmtKind::AugAssign { .. } => {
                self.lazily(|this| walk_stmt(this, stmt));
                return;
            }
            StmtKind::FunctionDef(def) => {
                // The variables that its body uses are captured.
                self.bind_name(&def.name);
                def.decorators.iter().for_each(|decorator| self.visit_expr(decorator));
                self.visit_params(&def.params);
                def.returns.iter().for_each(|returns| self.visit_expr(returns));
                return;
            }
            StmtKind::ClassDef(def) => {
                self.bind_name(&def.name);
                def.decorators.iter().chain(&def.bases).for_each(|expr| self.visit_expr(expr));
                def.keywords.iter().for_each(|keyword| self.visit_expr(&keyword.value));
                let around = std::mem::replace(&mut self.is_class, true);
                self.visit_body(&def.body);
                self.is_class = around;
                return;
            }
            StmtKind::Import(aliases) | StmtKind::ImportFrom { names: aliases, .. } => self.aliases(aliases),
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'t Expr) {
        match &expr.kind {
            ExprKind::Name { name, context: Context::Load } => self.use_name(name),
            ExprKind::Name { name, context } => {
                if *context == Context::Del {
                    self.deleted.extend(self.facts.variables.get(name));
                }
                if !self.is_comprehension {
                    self.bind_name(name);
                }
            }
            ExprKind::Named { target, value } => {
                self.visit_expr(value);
                if let ExprKind::Name { name, .. } = &target.kind {
                    self.bind_name(name);
                }
            }
            ExprKind::ListComp { .. }
            | ExprKind::SetComp { .. }
            | ExprKind::DictComp { .. }
            | ExprKind::Generator { .. } => {
                let around = std::mem::replace(&mut self.is_comprehension, true);
                self.lazily(|this| walk_expr(this, expr));
                self.is_comprehension = around;
            }
            ExprKind::Lambda { params, .. } => self.visit_params(params),
            ExprKind::BoolOp { values, .. } => {
                self.lazily(|this| this.visit_expr(&values[0]));
                self.operands(expr, values[1..].iter());
            }
            ExprKind::IfExp { test, body, orelse } => {
                self.lazily(|this| this.visit_expr(test));
                self.operands(expr, [&**body, &**orelse].into_iter());
            }
            ExprKind::Compare { left, ops, comparators } if ops.len() > 1 => {
                self.lazily(|this| this.visit_expr(left));
                self.operands(expr, comparators.iter());
            }
            _ => walk_expr(self, expr),
        }
    }

    fn visit_handler(&mut self, handler: &'t ExceptHandler) {
        if let Some(name) = &handler.name {
            self.bind_name(name);
        }
        walk_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'t Pattern) {
        if let PatternKind::Mapping { rest: Some(name), .. }
        | PatternKind::Star(Some(name))
        | PatternKind::As { name: Some(name), .. } = &pattern.kind
        {
            self.bind_name(name);
        }
        walk_pattern(self, pattern);
    }
}

//! The symbol table: which scope every name belongs to, by CPython's rules.
//!
//! It is built once for a top-level statement, in two steps, as in CPython's `symtable.c`: collect the names
//! that each scope binds, reads and declares; then resolve every name from the outside in.
//!
//! * A comprehension is a scope of its own; its first iterable belongs to the enclosing scope.
//! * `:=` in a comprehension binds in the enclosing scope.
//! * Functions inside a class do not see its scope, except for the cell `__class__`, which `super` reads too.
//! * Private names are mangled by the innermost class.

mod collect;

use std::collections::{BTreeMap, HashMap};

use ag_errors::Span;
use ag_syntax::tree::{Name, NodeId, Stmt};

/// Number of a scope. Scopes inside it have higher numbers, up to its `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeId(pub u32);

/// The construct that makes a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    /// The file.
    Module,
    /// `def`.
    Function,
    /// `lambda`.
    Lambda,
    /// A list, set or dict comprehension, which has run when its expression has been evaluated.
    Comprehension,
    /// A generator expression, which may outlive its expression.
    Generator,
    /// `class`.
    Class,
    /// The names in `[T]` of a generic definition or alias.
    TypeParams,
}

/// The owner of a name, seen from a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// This scope, and no other uses the name.
    Local,
    /// This scope, and scopes inside it use the name.
    Cell,
    /// An enclosing scope.
    Free(ScopeId),
    /// The module, or the built-ins.
    Global,
}

/// The use of a name in a scope.
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// Whether it is assigned, deleted, imported, defined, or a parameter here.
    pub is_bound: bool,
    /// Whether it is deleted here.
    pub is_deleted: bool,
    /// Whether it is read here.
    pub is_read: bool,
    /// Whether it is a parameter here.
    pub is_parameter: bool,
    /// `global`.
    pub is_declared_global: bool,
    /// `nonlocal`.
    pub is_declared_nonlocal: bool,
    /// Its owner.
    pub resolution: Resolution,
}

impl Default for Symbol {
    fn default() -> Self {
        Self {
            is_bound: false,
            is_deleted: false,
            is_read: false,
            is_parameter: false,
            is_declared_global: false,
            is_declared_nonlocal: false,
            resolution: Resolution::Global,
        }
    }
}

/// One scope.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The construct that makes it.
    pub kind: ScopeKind,
    /// The enclosing scope.
    pub parent: Option<ScopeId>,
    /// The first scope after it that is not inside it.
    pub end: ScopeId,
    /// The class with whose name private names are mangled.
    pub private_class: Option<Name>,
    /// Its names.
    pub symbols: BTreeMap<Name, Symbol>,
}

/// The scopes of one top-level statement.
#[derive(Clone, Debug)]
pub struct Scopes {
    scopes: Vec<Scope>,
    by_node: HashMap<NodeId, ScopeId>,
}

/// How the scopes inside a function use its variables.
#[derive(Clone, Debug, Default)]
pub struct Captures {
    /// Names that are used by something that may outlive its statement.
    pub used: Vec<Name>,
    /// Those of them that are assigned there, by `nonlocal`.
    pub written: Vec<Name>,
    /// Those of them that are deleted there.
    pub deleted: Vec<Name>,
}

impl Scopes {
    /// Reads the scopes of statements of a module.
    #[must_use]
    pub fn of(body: &[Stmt]) -> Self {
        let mut scopes = collect::collect(body, None);
        scopes.resolve();
        scopes
    }

    /// Reads only the scopes that are needed to resolve names in the function at `focus`: those around it and
    /// in it. Other methods of a class are skipped.
    ///
    /// It is then known only from the code around `focus` whether an enclosing function's variable is a cell.
    #[must_use]
    pub fn of_function(body: &[Stmt], focus: Span) -> Self {
        let mut scopes = collect::collect(body, Some(focus));
        scopes.resolve();
        scopes
    }

    /// The scope that a definition, lambda or comprehension makes.
    #[must_use]
    pub fn of_node(&self, node: NodeId) -> Option<ScopeId> {
        self.by_node.get(&node).copied()
    }

    /// All scopes.
    pub fn iter(&self) -> impl Iterator<Item = &Scope> {
        self.scopes.iter()
    }

    /// A scope by its number.
    #[must_use]
    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.0 as usize]
    }

    /// The owner of a name, seen from a scope.
    #[must_use]
    pub fn resolve_name(&self, scope: ScopeId, name: &str) -> Resolution {
        self.scope(scope).symbols.get(name).map_or(Resolution::Global, |symbol| symbol.resolution)
    }

    /// The names of a function that scopes inside it use.
    ///
    /// Comprehensions and class bodies have run when their statement has; their uses do not outlive it,
    /// unless a function inside them has them.
    #[must_use]
    pub fn captures(&self, function: ScopeId) -> Captures {
        let mut captures = Captures::default();
        let (first, end) = (function.0 + 1, self.scope(function).end.0);
        let mut outlives = vec![false; (end - first + 1) as usize];
        for id in first..end {
            let scope = &self.scopes[id as usize];
            let parent_outlives = scope
                .parent
                .and_then(|parent| parent.0.checked_sub(first))
                .is_some_and(|parent| outlives[parent as usize]);
            let here = !matches!(scope.kind, ScopeKind::Comprehension | ScopeKind::Class);
            outlives[(id - first) as usize] = here || parent_outlives;
            if !(here || parent_outlives) {
                continue;
            }
            for (name, symbol) in &scope.symbols {
                if symbol.resolution == Resolution::Free(function) {
                    captures.used.push(name.clone());
                    if symbol.is_bound {
                        captures.written.push(name.clone());
                    }
                    if symbol.is_deleted {
                        captures.deleted.push(name.clone());
                    }
                }
            }
        }
        captures
    }

    /// The names that the code object of a function would list as `co_freevars`, in its order.
    #[must_use]
    pub fn free_variables(&self, function: ScopeId) -> Vec<Name> {
        let is_free = |symbol: &Symbol| matches!(symbol.resolution, Resolution::Free(_));
        self.names_where(function, is_free)
    }

    /// The names that the code object of a function would list as `co_cellvars`, sorted.
    #[must_use]
    pub fn cell_variables(&self, function: ScopeId) -> Vec<Name> {
        self.names_where(function, |symbol| symbol.resolution == Resolution::Cell)
    }

    /// The names of a function's own variables, cells included, sorted.
    #[must_use]
    pub fn local_variables(&self, function: ScopeId) -> Vec<Name> {
        self.names_where(function, |symbol| matches!(symbol.resolution, Resolution::Local | Resolution::Cell))
    }

    fn names_where(&self, scope: ScopeId, mut is_wanted: impl FnMut(&Symbol) -> bool) -> Vec<Name> {
        let symbols = &self.scope(scope).symbols;
        symbols.iter().filter(|(_, symbol)| is_wanted(symbol)).map(|(name, _)| name.clone()).collect()
    }

    /// Adds a variable that a pass has made to a function.
    pub fn add_local(&mut self, function: ScopeId, name: Name) {
        let symbol =
            Symbol { is_bound: true, is_read: true, resolution: Resolution::Local, ..Symbol::default() };
        self.scopes[function.0 as usize].symbols.insert(name, symbol);
    }

    /// Whether a name is global in a scope or in one inside it.
    #[must_use]
    pub fn has_global_use(&self, scope: ScopeId, name: &str) -> bool {
        (scope.0..self.scope(scope).end.0).any(|id| {
            let symbol = self.scopes[id as usize].symbols.get(name);
            symbol.is_some_and(|symbol| symbol.resolution == Resolution::Global)
        })
    }

    fn resolve(&mut self) {
        for index in 0..self.scopes.len() {
            let names: Vec<Name> = self.scopes[index].symbols.keys().cloned().collect();
            for name in names {
                self.resolve_symbol(index, &name);
            }
        }
    }

    /// Resolves one name; the enclosing scopes are resolved already.
    fn resolve_symbol(&mut self, index: usize, name: &Name) {
        let scope = &self.scopes[index];
        let Some(symbol) = scope.symbols.get(name) else { return };
        if symbol.is_declared_global || matches!(symbol.resolution, Resolution::Free(_)) {
            return;
        }
        let is_own = symbol.is_bound && !symbol.is_declared_nonlocal;
        let resolution = if is_own {
            match scope.kind {
                ScopeKind::Module => Resolution::Global,
                _ => symbol.resolution_of_own(),
            }
        } else {
            self.owner(index, name).map_or(Resolution::Global, Resolution::Free)
        };
        if let Resolution::Free(owner) = resolution {
            self.pass_through(index, owner, name);
        }
        if let Some(symbol) = self.scopes[index].symbols.get_mut(name) {
            symbol.resolution = resolution;
        }
    }

    /// The enclosing function scope of scope `index` that owns the name.
    fn owner(&self, index: usize, name: &str) -> Option<ScopeId> {
        let mut next = self.scopes[index].parent;
        while let Some(id) = next {
            let scope = self.scope(id);
            next = scope.parent;
            match scope.kind {
                ScopeKind::Module => return None,
                ScopeKind::Class => {
                    if name == "__class__" {
                        return Some(id);
                    }
                }
                _ => match scope.symbols.get(name) {
                    Some(symbol) if symbol.is_declared_global => return None,
                    Some(symbol) if symbol.is_bound && !symbol.is_declared_nonlocal => return Some(id),
                    _ => {}
                },
            }
        }
        None
    }

    /// Makes the name a cell of its owner, and free in the scopes between.
    fn pass_through(&mut self, index: usize, owner: ScopeId, name: &Name) {
        let mut next = self.scopes[index].parent;
        while let Some(id) = next {
            let scope = &mut self.scopes[id.0 as usize];
            next = scope.parent;
            if id == owner {
                if scope.kind != ScopeKind::Class {
                    scope.symbols.entry(name.clone()).or_default().resolution = Resolution::Cell;
                }
                return;
            }
            let symbol = scope.symbols.entry(name.clone()).or_default();
            // A class body's own variable with this name is a different one.
            if !(scope.kind == ScopeKind::Class && symbol.is_bound) {
                symbol.resolution = Resolution::Free(owner);
            }
        }
    }
}

impl Symbol {
    /// Local, unless a scope inside has made it a cell before.
    fn resolution_of_own(&self) -> Resolution {
        match self.resolution {
            Resolution::Cell => Resolution::Cell,
            _ => Resolution::Local,
        }
    }
}

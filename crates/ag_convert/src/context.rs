//! The state that the passes share: ids, names, scopes, and facts about statements.

use std::collections::{HashMap, HashSet};

use ag_analysis::{FunctionFacts, ScopeId, Scopes};
use ag_errors::Span;
use ag_syntax::tree::{Expr, Name, NodeId, NodeIds, Stmt};
use ag_syntax::{Builder, FreshNames};

use crate::homes::{Block, Homes};

/// The state of one conversion.
pub(crate) struct Conversion {
    pub(crate) ids: NodeIds,
    pub(crate) names: Names,
    /// The name of the operators in the converted text: `ag__`.
    pub(crate) operators: Name,
    pub(crate) scopes: Scopes,
    /// Functions and lambdas that stay as written.
    pub(crate) left_as_written: HashSet<NodeId>,
    /// Statements that keep their Python form, since a jump leaves a `try` or `match` in them.
    pub(crate) pinned: HashSet<NodeId>,
    /// The `try` statements whose handlers take back the flag of a jump.
    pub(crate) taken_back: HashSet<NodeId>,
    /// Functions that keep their `return`s.
    pub(crate) keeps_returns: HashSet<NodeId>,
    /// The function that walks over the items of a generator, if it is converted here.
    pub(crate) walk: Option<NodeId>,
    /// The function that takes a step of a generator, whose variables are of the function around it.
    pub(crate) step: Option<NodeId>,
    /// The loops of a walk that yield each item of another iterable.
    pub(crate) passed_on: HashSet<NodeId>,
    /// Comprehensions that become operators.
    pub(crate) lazy_comprehensions: HashSet<NodeId>,
    /// Expressions with operands that may not run and that bind names: in a lambda, the names would be local
    /// to it.
    pub(crate) binding_chains: HashSet<NodeId>,
    /// The lambdas of those operands, which become functions before their statement.
    pub(crate) binding_operands: HashMap<NodeId, Block>,
    /// Flags that end a loop, tested before each iteration.
    pub(crate) guards: HashMap<NodeId, Vec<Name>>,
    /// The functions that are analysed, by their definitions.
    pub(crate) functions: HashMap<NodeId, Function>,
    /// Whether Python's operators become calls.
    pub(crate) spells_operators: bool,
    /// The names of the functions made so far.
    pub(crate) generated_functions: Vec<Name>,
}

/// Facts about a function that is converted.
pub(crate) struct Function {
    pub(crate) scope: ScopeId,
    pub(crate) facts: FunctionFacts,
    pub(crate) homes: Homes,
    /// Variables that hold `Undefined` where Python has them unbound.
    pub(crate) reified: HashSet<Name>,
}

impl Conversion {
    /// A builder of nodes that represent the code at `origin`.
    pub(crate) fn builder(&mut self, origin: Span) -> Builder<'_> {
        Builder::new(&mut self.ids, origin)
    }

    /// `ag__.operator(args)`.
    pub(crate) fn call(
        &mut self,
        origin: Span,
        operator: &str,
        args: impl IntoIterator<Item = Expr>,
    ) -> Expr {
        let operators = self.operators.clone();
        let b = self.builder(origin);
        b.call(b.attribute(b.name(operators), operator), args)
    }

    /// `name = True` or `name = False`.
    pub(crate) fn set_flag(&mut self, origin: Span, name: &Name, value: bool) -> Stmt {
        let b = self.builder(origin);
        b.assign_name(name.clone(), b.bool(value))
    }

    /// `name = ag__.Undefined('name')`.
    pub(crate) fn set_undefined(&mut self, origin: Span, name: &Name) -> Stmt {
        let text = self.builder(origin).string(name);
        let undefined = self.call(origin, "Undefined", [text]);
        self.builder(origin).assign_name(name.clone(), undefined)
    }

    /// A fresh name for a function that the conversion makes.
    pub(crate) fn fresh_function(&mut self, wish: &str) -> Name {
        let name = self.names.fresh(wish);
        self.generated_functions.push(name.clone());
        name
    }

    /// The name of a function that only the next statement uses: the same every time.
    pub(crate) fn block_function(&mut self, wish: &'static str) -> Name {
        let name = self.names.temporary(wish, 0);
        if !self.generated_functions.contains(&name) {
            self.generated_functions.push(name.clone());
        }
        name
    }

    /// A fresh variable of a function.
    pub(crate) fn fresh_variable(&mut self, function: NodeId, wish: &str) -> Name {
        let name = self.names.fresh(wish);
        if let Some(scope) = self.scopes.of_node(function) {
            self.scopes.add_local(scope, name.clone());
        }
        name
    }
}

/// Fresh names, drawn in constant time however many there are.
pub(crate) struct Names {
    fresh: FreshNames,
    next: HashMap<String, u32>,
    temporaries: HashMap<(&'static str, usize), Name>,
}

impl Names {
    pub(crate) fn new(fresh: FreshNames) -> Self {
        Self { fresh, next: HashMap::new(), temporaries: HashMap::new() }
    }

    /// `wish`, or `wish_1`, `wish_2`, …
    pub(crate) fn fresh(&mut self, wish: &str) -> Name {
        let next = self.next.entry(wish.to_owned()).or_insert(0);
        loop {
            let name: Name = if *next == 0 { wish.into() } else { format!("{wish}_{next}").into() };
            *next += 1;
            if !self.fresh.is_used(&name) {
                self.fresh.reserve(name.clone());
                return name;
            }
        }
    }

    /// A name of a value that only the next statements use: the same every time.
    pub(crate) fn temporary(&mut self, wish: &'static str, number: usize) -> Name {
        if let Some(name) = self.temporaries.get(&(wish, number)) {
            return name.clone();
        }
        let name = self.fresh(wish);
        self.temporaries.insert((wish, number), name.clone());
        name
    }
}

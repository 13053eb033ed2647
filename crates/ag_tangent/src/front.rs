//! A function as it comes: its definition, what of it can be differentiated, and its normal form.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use ag_errors::{Diagnostic, Span, catalogue};
use ag_syntax::tree::{Expr, ExprKind, FunctionDef, Name, NameSet, Stmt, StmtKind};
use ag_syntax::{Builder, LocatedKind};

use crate::activity::active_variables;
use crate::adjoints::helper;
use crate::aliases::{Aliases, WrittenVariables, written_variables};
use crate::callee::{Callee, Resolver, UserFunction};
use crate::derive::{Function, Options};
use crate::each::each_stmt;
use crate::functions::Functions;
use crate::handlers::Handlers;
use crate::hidden_writes::{hidden_writes, require_no_hidden_writes};
use crate::jumps::{Jumps, may_leave};
use crate::kinds::Kinds;
use crate::lifetimes::last_met;
use crate::match_statements::{Matches, meets};
use crate::name_sets::IntoSet;
use crate::naming::Naming;
use crate::normal::{Former, Outcome, refusal};
use crate::numbers::Numbers;
use crate::object_paths::Paths;
use crate::persistent::Set;
use crate::program::{Again, Beside, Block, Node, OpKind};
use crate::repeated::{Repeated, note_written};
use crate::seen_writes::{Checked, require_seen_writes, unseen_writes, written_parameters};
use crate::segments;
use crate::sources::Surroundings;
use crate::variables::{bound_in, bound_in_comprehensions, dotted, logs_of, root_of, surely_bound_by};
use crate::views::{Known, Told};
use crate::written_arguments::{
    Gives, WriteKind, Writes, given_by, gives_no_list, hide_containers, is_rebound, return_written,
};

/// A function in normal form, and what is known of it.
pub(crate) struct Front<'r> {
    pub(crate) def: FunctionDef,
    pub(crate) naming: Naming,
    pub(crate) result: Name,
    pub(crate) parameters: Vec<Name>,
    pub(crate) around: Surroundings<'r>,
    pub(crate) wrt: Vec<Name>,
    /// In forward mode, for each of these what a caller calls its tangent, and its name here.
    pub(crate) seeds: Vec<(Name, Name)>,
    pub(crate) active: BTreeSet<Name>,
    pub(crate) block: Block,
    pub(crate) numbers: Numbers,
    pub(crate) kinds: Kinds,
    pub(crate) written: WrittenVariables,
    pub(crate) aliases: Aliases,
    /// The arrays of the caller of which it has copies, which it writes to and returns.
    pub(crate) writes: Writes,
    /// Whether what it returns may be an array that it writes to, or a part of one.
    pub(crate) gives_one_twice: bool,
    /// Where they are looked for only: the parameters whose objects it writes to, and those that its result shows.
    pub(crate) found: (BTreeMap<Name, WriteKind>, BTreeSet<Name>),
}

impl<'r> Front<'r> {
    pub(crate) fn of(
        b: Builder<'_>,
        function: &Function<'_>,
        resolver: &'r dyn Resolver,
        options: &Options,
        is_forward: bool,
    ) -> Outcome<Self> {
        let def = definition(b, function)?;
        let (mut def, mut functions) = Functions::along(b, function.source, def, &options.levels, resolver)?;
        let writes = options.writes.as_ref().map(|writes| match options.looks_for_writes {
            true => writes.clone(),
            false => writes.to_arrays(&names_of(&options.wrt)),
        });
        let writes = writes.unwrap_or_default();
        if !writes.parameters.is_empty() {
            return_written(b, &mut def, &writes);
        }
        require_result(&def, &functions, resolver)?;
        let mut naming = Naming::new(&def, if is_forward { 'd' } else { 'b' });
        let result = result_name(&def.body, &mut naming);
        let parameters: Vec<Name> = def.params.iter().map(|param| param.name.clone()).collect();
        let segmented = segments::taken_out(&mut def, &parameters, resolver)?;
        let matches = Matches::new(b, resolver, &parameters, &def.body);
        let body = matches.left_by_jumps(def.body.clone(), &mut naming)?;
        matches.note_objects(&body, &mut functions);
        let mut handlers = Handlers::new(b);
        let body = handlers.block(body, &mut naming, &|stmt| may_leave(std::slice::from_ref(stmt)));
        let body = Jumps::new(b, &mut naming, result.clone()).block(body, false);
        let mut bound = bound_in(&body);
        require_free_names(&def, &parameters, &bound)?;
        let mut around = Surroundings {
            resolver,
            functions,
            classes: RefCell::default(),
            read: RefCell::default(),
            items: RefCell::default(),
            locals: RefCell::new(local_names((&body, &bound), &parameters, &result)),
        };
        let wrt = differentiated(&def, &parameters, options)?;
        let mut seeds = Vec::new();
        if is_forward {
            // Before anything else gets such a name: those of a callee are known to its callers.
            let all: Vec<String> = parameters.iter().map(ToString::to_string).collect();
            let wishes: Vec<Name> = wrt.iter().map(|name| UserFunction::tangent_of(name, &all)).collect();
            let is_free: Vec<bool> = wishes.iter().map(|wish| naming.take(wish)).collect();
            for (wish, is_free) in wishes.into_iter().zip(is_free) {
                let name = if is_free { wish.clone() } else { naming.fresh(&wish) };
                seeds.push((wish, name));
            }
        }
        let mut active = active_variables(&body, &around, &wrt, &result);
        let (body, is_lowered) = matches.of_active(body, &active, &mut naming)?;
        let body = handlers.block(body, &mut naming, &|stmt| meets(stmt, &active));
        handlers.require_repeatable(&body, &around)?;
        if is_lowered || handlers.has_tried() {
            matches.note_objects(&body, &mut around.functions);
            bound = bound_in(&body);
            around.locals.borrow_mut().extend(bound.iter().cloned());
            active = active_variables(&body, &around, &wrt, &result);
        }
        let numbers = Numbers::of(&body, &parameters, &around);
        let numbers = numbers.with_arrays(writes.arrays_in(&def).filter(|_| !options.looks_for_writes));
        let arguments = arguments_of(options, &parameters, &active, &writes);
        let arguments = arguments.as_slice();
        let own = if options.looks_for_writes { Vec::new() } else { writes.arrays() };
        let objects = writes.objects();
        let has_copies = !writes.copied().is_empty();
        let (named, locals) = (naming.clone(), around.locals.borrow().clone());
        let mut told = Told::new();
        // A write that another name does not know of is told to it, which may be a read of a third.
        let (mut block, indices, has_derivative, kinds, ends) = loop {
            let mut former = Former {
                numbers: &numbers,
                around: &around,
                active: &active,
                b,
                naming: &mut naming,
                result: result.clone(),
                temporaries: BTreeSet::new(),
                own: bound.iter().chain(&parameters).cloned().into_set(),
                logs: logs_of(&body),
                returns: Vec::new(),
                depth: 0,
                markers: Vec::new(),
                indices: Vec::new(),
                sequences: BTreeSet::new(),
                segmented: &segmented,
                ranges: BTreeSet::new(),
                span: b.origin(),
                sites: 0,
                is_forward,
                known: Known { views: Vec::new(), definite: parameters.iter().cloned().collect() },
                told: &told,
                parts: BTreeSet::new(),
                drops_result: false,
                tells_inside: false,
                is_telling: false,
                is_growing: false,
                may_resize: false,
                told_sites: BTreeSet::new(),
                reordered: BTreeSet::new(),
            };
            let runs_again = options.is_again && !is_forward;
            if runs_again {
                Repeated::new(&around, &former.logs).require(&body)?;
            }
            let mut block = former.block(&body)?;
            if runs_again {
                let site = former.site();
                let mut guards = Vec::new();
                former.require_repeatable(&body, &mut guards);
                block = guards.into_iter().chain([Node::Again(Again::of(b.origin(), site, block))]).collect();
            }
            let has_derivative: BTreeSet<Name> = active.union(&former.temporaries).cloned().into_set();
            let kinds = Kinds::of(&block, &parameters, &own, &around);
            let ends = last_met(&block, Some(&result));
            let known = (&has_derivative, &kinds, &ends);
            let unseen = unseen_writes(&block, &around, known, (&result, arguments));
            if unseen.is_subset(&told) {
                break (block, former.indices, has_derivative, kinds, ends);
            }
            told.extend(unseen);
            naming = named.clone();
            around.locals.borrow_mut().clone_from(&locals);
        };
        let numbers = numbers.with(indices);
        let aliases = Aliases::of(&block, &around, &kinds);
        let (checked, found) = if options.looks_for_writes {
            let known = (&has_derivative, &kinds);
            (Checked::default(), found_writes(&block, &around, known, (&result, &parameters)))
        } else {
            require_no_hidden_writes(&block, &around, &has_derivative)?;
            let known = (&has_derivative, &kinds, &ends);
            (require_seen_writes(&block, &around, known, (&result, arguments, &objects))?, Default::default())
        };
        let mut known = parameters.iter().cloned().collect();
        note_guards(&mut block, (&checked, &around), b, &mut known)?;
        if !options.looks_for_writes {
            hide_containers(b, &mut block, &result, &writes);
        }
        let written = written_variables(&body, &block, &around, (&aliases, &numbers));
        let is_holder = |name: &&Name| !(kinds.is_numeric(name) || numbers.contains(name));
        let holders = written.holders.iter().filter(is_holder).cloned().into_set();
        note_written(&mut block, &written.arrays, &holders);
        Ok(Self {
            def,
            naming,
            result,
            parameters,
            around,
            wrt,
            seeds,
            active,
            block,
            numbers,
            kinds,
            written,
            aliases,
            gives_one_twice: checked.gives_one_twice && has_copies,
            writes,
            found,
        })
    }
}

/// The parameters to whose objects a function writes.
fn found_writes(
    block: &Block,
    around: &Surroundings<'_>,
    (active, kinds): (&BTreeSet<Name>, &Kinds),
    (result, parameters): (&Name, &[Name]),
) -> (BTreeMap<Name, WriteKind>, BTreeSet<Name>) {
    let (mut found, shown) = written_parameters(block, around, (active, kinds), (result, parameters));
    let hidden = hidden_writes(block, around, active);
    // What the others are, is not followed.
    let is_known = hidden.iter().all(|name| parameters.contains(name));
    let hidden = if is_known { hidden } else { parameters.iter().cloned().into_set() };
    found.extend(hidden.into_iter().map(|name| (name, WriteKind::Other)));
    (found, shown)
}

/// What a function does to its arguments.
pub(crate) fn writes_of(
    b: Builder<'_>,
    function: &Function<'_>,
    resolver: &dyn Resolver,
    options: &Options,
) -> Writes {
    let def = definition(b, function).and_then(|def| {
        let (def, _) = Functions::along(b, function.source, def, &options.levels, resolver)?;
        Ok(def)
    });
    let Ok(def) = def else { return Writes::unknown(&names_of(&options.wrt)) };
    let names: Vec<Name> = def.params.iter().map(|param| param.name.clone()).collect();
    // As if it had derivatives in all that it is given, and returned all of that.
    let all = names.iter().map(|name| (name.clone(), WriteKind::Array)).collect();
    let wrt = names.iter().map(ToString::to_string).collect();
    let gives = given_by(&def, &[]);
    let writes = Some(Writes { parameters: all, gives, shown: Vec::new() });
    let options = Options { wrt, writes, looks_for_writes: true, ..options.clone() };
    let found = Front::of(b, function, resolver, &options, false).or_else(|_| {
        // Some of it has no derivative, of which the program may need none.
        let options = Options { wrt: Vec::new(), ..options };
        Front::of(b, function, resolver, &options, false)
    });
    let Ok(Front { found: (found, shown), .. }) = found else { return Writes::unknown(&names) };
    let is_star = |name: &Name| {
        let stars = [&def.params.vararg, &def.params.kwarg].into_iter().flatten();
        stars.into_iter().any(|param| param.name == *name)
    };
    let kind = |name: &Name| found.get(name).map(|kind| if is_star(name) { WriteKind::Other } else { *kind });
    let parameters: Vec<(Name, WriteKind)> =
        names.into_iter().filter_map(|name| kind(&name).map(|kind| (name, kind))).collect();
    let gives = given_by(&def, &parameters);
    // A result that is the list itself could not be told from a copy of it.
    let is_list = |name: &Name| parameters.contains(&(name.clone(), WriteKind::List));
    let others: Vec<&Name> = def.params.iter().map(|param| &param.name).collect();
    let others: Vec<&Name> =
        others.into_iter().filter(|name| !is_list(name) && !is_rebound(&def, name)).collect();
    let keeps_lists = gives != Gives::Value || gives_no_list(&def, &others);
    let kind = |name: &Name, kind| {
        let is_kept = keeps_lists && !is_rebound(&def, name);
        if kind == WriteKind::List && !is_kept { WriteKind::Other } else { kind }
    };
    let parameters = parameters
        .into_iter()
        .map(|(name, one)| {
            let one = kind(&name, one);
            (name, one)
        })
        .collect();
    Writes { parameters, gives, shown: shown.into_iter().collect() }
}

fn names_of(names: &[String]) -> Vec<Name> {
    names.iter().map(|name| name.as_str().into()).collect()
}

/// The parameters whose objects are the caller's, and have derivatives that the caller would not know of.
fn arguments_of(
    options: &Options,
    parameters: &[Name],
    active: &BTreeSet<Name>,
    writes: &Writes,
) -> Vec<Name> {
    if options.looks_for_writes {
        return parameters.to_vec();
    }
    if !options.is_callee || options.may_write {
        return Vec::new();
    }
    let is_given = |name: &Name| options.wrt.iter().any(|one| **one == **name);
    let is_plain = |name: &Name| options.writes.is_some() && !active.contains(name) && !is_given(name);
    parameters.iter().filter(|name| !writes.has(name) && !is_plain(name)).cloned().collect()
}

/// The function as a `def` without decorators and docstring; a lambda returns its expression.
fn definition(b: Builder<'_>, function: &Function<'_>) -> Outcome<FunctionDef> {
    let mut def = match function.located.kind {
        LocatedKind::Def { def, .. } => def.clone(),
        LocatedKind::Lambda { params, body, .. } => {
            let returned = b.at(body.span).return_value(body.clone());
            let StmtKind::FunctionDef(def) = b.function_def("lambda", params.clone(), vec![returned]).kind
            else {
                return Err(refusal(b.origin(), "this function has no source", ""));
            };
            *def
        }
    };
    def.decorators.clear();
    def.returns = None;
    without_docstring(&mut def);
    Ok(def)
}

/// Takes the docstring away.
pub(crate) fn without_docstring(def: &mut FunctionDef) {
    let is_text =
        |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Expr(Expr { kind: ExprKind::Constant { .. }, .. }));
    if def.body.first().is_some_and(is_text) {
        def.body.remove(0);
    }
}

/// Refuses a function that gives nothing that could have a derivative.
fn require_result(def: &FunctionDef, functions: &Functions, resolver: &dyn Resolver) -> Outcome<()> {
    let locals = bound_in(&def.body);
    let is_local = |name: &Name| locals.contains(name) || def.params.iter().any(|one| one.name == *name);
    let paths = Paths { resolver, functions, is_local: &is_local };
    let mut ends = Ends { paths, returns: false, yields: false, writer: None };
    ag_syntax::visit::Visitor::visit_body(&mut ends, &def.body);
    if ends.yields {
        return Err(refusal(def.name_span, format!("`{}` is a generator", def.name), "return a list"));
    }
    if let Some(span) = ends.writer {
        return Err(refusal(span, "this call may write to values with derivatives", "write a statement"));
    }
    if !ends.returns {
        let message = format!("`{}` returns nothing that has a derivative", def.name);
        return Err(refusal(def.name_span, message, "return a number or an array"));
    }
    if def.is_async {
        return Err(refusal(
            def.name_span,
            "an `async` function has no derivative",
            "write an ordinary function",
        ));
    }
    Ok(())
}

/// How a function ends.
struct Ends<'p> {
    paths: Paths<'p>,
    returns: bool,
    yields: bool,
    /// A call that writes to variables where this is not seen.
    writer: Option<Span>,
}

impl<'a> ag_syntax::visit::Visitor<'a> for Ends<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => return,
            StmtKind::Return(Some(_)) => self.returns = true,
            _ => {}
        }
        ag_syntax::visit::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Lambda { .. } => return,
            ExprKind::Yield(_) | ExprKind::YieldFrom(_) => self.yields = true,
            // What these write, no analysis sees.
            ExprKind::Call { func, .. } => {
                let name = match &func.kind {
                    ExprKind::Name { name, .. } | ExprKind::Attribute { attr: name, .. } => &**name,
                    _ => "",
                };
                let is_writer = matches!(name, "exec" | "eval" | "setattr" | "delattr")
                    || name.starts_with("__set")
                    || name.starts_with("__del")
                    || (name.starts_with("__i") && name != "__init__");
                let resolver = self.paths.resolver;
                let is_known = || match &func.kind {
                    ExprKind::Attribute { value, .. } => match (self.paths.of(value), dotted(func)) {
                        (Some(path), _) => matches!(resolver.attribute(&path, name), Callee::Function(_)),
                        // `Base.__setitem__(self, i, v)`
                        (None, Some(path)) => {
                            root_of(func).is_some_and(|root| !(self.paths.is_local)(root))
                                && matches!(resolver.named(&path), Callee::Function(_))
                        }
                        _ => false,
                    },
                    _ => false,
                };
                if is_writer && !is_known() && self.writer.is_none() {
                    self.writer = Some(expr.span);
                }
            }
            _ => {}
        }
        ag_syntax::visit::walk_expr(self, expr);
    }
}

/// The name of what the function returns: that of the variable, if all returns have the same one; else `y`.
fn result_name(body: &[Stmt], naming: &mut Naming) -> Name {
    let mut returns: Vec<Option<Name>> = Vec::new();
    each_stmt(body, &mut |stmt| {
        if let StmtKind::Return(value) = &stmt.kind {
            returns.push(match value.as_ref().map(|value| &value.kind) {
                Some(ExprKind::Name { name, .. }) => Some(name.clone()),
                _ => None,
            });
        }
        !matches!(stmt.kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_))
    });
    let bound = bound_in(body);
    match returns.as_slice() {
        [Some(first), rest @ ..]
            if bound.contains(first) && rest.iter().all(|name| name.as_ref() == Some(first)) =>
        {
            first.clone()
        }
        _ => naming.fresh("y"),
    }
}

fn local_names((body, bound): (&[Stmt], &[Name]), parameters: &[Name], result: &Name) -> NameSet {
    let mut locals: NameSet = bound.iter().chain(parameters).cloned().collect();
    locals.insert(result.clone());
    locals.extend(bound_in_comprehensions(body));
    each_stmt(body, &mut |stmt| {
        if let StmtKind::Global(names) | StmtKind::Nonlocal(names) = &stmt.kind {
            names.iter().for_each(|name| {
                locals.remove(name);
            });
        }
        !matches!(stmt.kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_))
    });
    locals
}

fn differentiated(def: &FunctionDef, parameters: &[Name], options: &Options) -> Outcome<Vec<Name>> {
    let mut wrt: Vec<Name> = Vec::new();
    for name in &options.wrt {
        let Some(known) = parameters.iter().find(|parameter| ***parameter == **name) else {
            return Err(refusal(
                def.name_span,
                format!("`{}` has no parameter `{name}`", def.name),
                "name one that it has in `wrt`",
            ));
        };
        wrt.push(known.clone());
    }
    Ok(wrt)
}

/// Refuses a variable whose name is that of something that generated code calls.
fn require_free_names(def: &FunctionDef, parameters: &[Name], bound: &[Name]) -> Outcome<()> {
    const CALLED: [&str; 10] =
        ["np", "math", "tangent", "range", "reversed", "slice", "bool", "len", "min", "enumerate"];
    let mut bound = bound.iter().chain(parameters);
    let Some(name) = bound.find(|name| CALLED.contains(&&***name)) else { return Ok(()) };
    let message =
        format!("`{}` has a variable `{name}`, which is the name of what its derivative calls", def.name);
    Err(refusal(def.name_span, message, "give the variable another name"))
}

/// Notes what has to hold where a variable is bound, and before a call that writes.
///
/// # Arguments
///
/// * `known`: the variables that are bound on every path to the block.
fn note_guards(
    block: &mut Block,
    (checked, around): (&Checked, &Surroundings<'_>),
    b: Builder<'_>,
    known: &mut Set<Name>,
) -> Outcome<()> {
    if checked.guards.is_empty() && checked.apart.is_empty() {
        return Ok(());
    }
    let mut noted = Vec::new();
    for mut node in std::mem::take(block) {
        if let Node::Op(op) = &mut node {
            if let Some(beside) = checked.guards.get(&op.site) {
                let mut given = crate::aliases::given(op, around);
                if let OpKind::Call { copied, .. } = &op.kind {
                    given.retain(|name| !copied.contains(name));
                }
                op.beside = Some(Box::new(Beside { given: given.into_iter().collect(), ..beside.clone() }));
            }
            let b = b.at(op.span);
            for ((written, kind), others) in checked.apart.get(&op.site).into_iter().flatten() {
                if let Some(other) = others.iter().find(|name| kind.is_some() && !known.contains(*name)) {
                    let message = format!(
                        "`{written}` is written in a loop, and `{other}`, which an earlier iteration binds, may be the same object"
                    );
                    let help = format!("bind `{other}` before the loop, or compute a new value");
                    return Err(Diagnostic::error(catalogue::SHARED_WRITE, op.span, message).with_help(help));
                }
                let others = b.tuple(others.iter().map(|name| b.name(name.clone())));
                let given = [b.name(written.clone()), others, b.string(written)];
                let required = match *kind {
                    Some(WriteKind::Items) => "require_only_name",
                    Some(WriteKind::Parts) => "require_no_common_object",
                    Some(_) => "require_no_common",
                    None => "require_separate",
                };
                let stmt = b.expr_stmt(helper(b, required, given));
                let site = usize::MAX / 2 - op.site;
                noted.push(Node::Plain { stmt, site, binds: Vec::new(), saves: Vec::new() });
            }
        }
        match &node {
            Node::Plain { stmt, .. } => known.extend(surely_bound_by(stmt)),
            Node::Op(_) | Node::With { .. } => known.extend(node.binds()),
            _ => {}
        }
        let is_loop = matches!(node, Node::Loop(_));
        let targets = if let Node::Loop(looped) = &node { looped.targets() } else { Vec::new() };
        let mut ends: Vec<Set<Name>> = Vec::new();
        for inner in node.blocks_mut() {
            let mut inside = known.clone();
            inside.extend(targets.iter().cloned());
            note_guards(inner, (checked, around), b, &mut inside)?;
            ends.push(inside);
        }
        let both = ends.into_iter().reduce(|mut one, other| {
            one.keep_common(&other);
            one
        });
        if let Some(both) = both.filter(|_| !is_loop) {
            known.add_all(&both);
        }
        noted.push(node);
    }
    *block = noted;
    Ok(())
}

//! From a function to the text of its derivative, in the order of the paper's §3.

use std::collections::{BTreeMap, BTreeSet};

use ag_errors::{LineIndex, Span};
use ag_syntax::tree::{
    ConstantKind, Context, Expr, ExprKind, FunctionDef, Module, Name, NameSet, NodeId, Param, Params, Stmt,
};
use ag_syntax::{Builder, Located, unparse, unparse_commented};

use crate::adjoints::{Adjoints, helper, reformed};
use crate::aliases::Aliases;
use crate::backward_loops::Entries;
use crate::callee::{Level, Resolver};
use crate::copies;
use crate::forms_kept::KeptForms;
use crate::forward::Tangents;
use crate::front::{Front, writes_of};
use crate::kinds::Kinds;
use crate::name_sets::IntoSet;
use crate::naming::Naming;
use crate::normal::{Outcome, refusal};
use crate::numbers::Numbers;
use crate::persistent::Set;
use crate::program::{Block, Node, bound_in_text, each_node};
use crate::repeated::note_own_copies;
use crate::reverse::{Adjoints as Values, Passes};
use crate::saved::{Kept, Saver};
use crate::seen_objects::containers;
use crate::shapes::{Shapes, reduced_operands};
use crate::sources::Surroundings;
use crate::tidy;
use crate::variables::{bound_in, emptied_by, read_by};
use crate::written_arguments::{WriteKind, Writes};

/// How the two passes are arranged (paper, §3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Motion {
    /// One function with both passes; its name.
    Joint(String),
    /// Two functions: the names of the forward and of the backward pass.
    Split(String, String),
}

/// What the derivative is to be.
#[derive(Clone, Debug)]
pub struct Options {
    /// The parameters that are differentiated with respect to.
    pub wrt: Vec<String>,
    /// How the passes are arranged.
    pub motion: Motion,
    /// Whether the result of the function is returned too, last.
    pub preserve_result: bool,
    /// Whether that result comes first, and the gradients after it.
    pub value_first: bool,
    /// Whether the adjoint of the result is checked to have its shape.
    pub check_dims: bool,
    /// Whether the text is tidied up.
    pub optimized: bool,
    /// Whether the adjoint of the result is 1.0 where none is given.
    pub has_default_seed: bool,
    /// Whether the adjoint of the result is 1.0 always, and no parameter.
    pub is_seed_fixed: bool,
    /// Whether other functions of the user's call this one, and its parameters are theirs.
    pub is_callee: bool,
    /// Whether its backward pass runs it again, and it keeps its arguments only.
    pub is_again: bool,
    /// Whether it may write to its arguments all the same: nothing but its own driver calls it.
    pub may_write: bool,
    /// What a callee does to its arguments; none if its own driver calls it too.
    pub writes: Option<Writes>,
    /// Whether it is looked for what it writes only.
    pub looks_for_writes: bool,
    /// The definition, and the nested ones in it on the way to the one that is differentiated.
    pub levels: Vec<Level>,
}

/// A generated function.
#[derive(Clone, Debug)]
pub struct Generated {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// For each line of the text, the line of the user's file that it stands for.
    pub lines: Vec<u32>,
    /// The line of the text with which the backward pass begins; 0 where the text is the forward pass alone.
    pub backward: u32,
    /// The derivatives in the backward pass.
    pub derivatives: Vec<DerivativeOf>,
    /// The variables that are objects of known classes, and these, as in [`Resolver::attribute`].
    pub objects: Vec<(String, String)>,
}

/// A derivative of the backward pass, and why it needs what was kept.
#[derive(Clone, Debug)]
pub struct DerivativeOf {
    /// The line of the user's statement.
    pub line: u32,
    /// The operation that it is of, in the names of the generated text.
    pub operation: String,
    /// The variables that it reads.
    pub reads: Vec<String>,
}

/// A function to be differentiated.
pub struct Function<'m> {
    /// Its file.
    pub module: &'m Module,
    /// The text of the file.
    pub source: &'m str,
    /// Where it is.
    pub located: Located<'m>,
}

/// What a function does to its arguments, as far as its text says it.
pub fn writes(function: &Function<'_>, resolver: &dyn Resolver, options: &Options) -> Writes {
    let mut ids = function.module.ids.clone();
    let b = Builder::new(&mut ids, function.located.kind.span());
    writes_of(b, function, resolver, options)
}

/// Writes the derivative of a function in reverse mode: one function, or two in split motion.
///
/// # Errors
///
/// A diagnostic with the place and the remedy: `derivative-source`, `derivative-rule`, `shared-write`.
pub fn reverse(
    function: &Function<'_>,
    resolver: &dyn Resolver,
    options: &Options,
) -> Outcome<Vec<Generated>> {
    let mut ids = function.module.ids.clone();
    let b = Builder::new(&mut ids, function.located.kind.span());
    let Front {
        def,
        mut naming,
        result,
        parameters,
        around,
        wrt,
        active,
        mut block,
        numbers,
        kinds,
        written,
        aliases,
        writes,
        gives_one_twice,
        found: _,
        seeds: _,
    } = Front::of(b, function, resolver, options, false)?;
    let (reduced, shapes) = reduced_operands(&block, &around);
    let like = like(b, &result, &wrt, &shapes);
    Adjoints {
        b,
        naming: &mut naming,
        around: &around,
        reduced: &reduced,
        written: &written,
        numbers: &numbers,
        kinds: &kinds,
        rebound: BTreeSet::new(),
        reformed: reformed(&block, &kinds, &written),
    }
    .block(&mut block)?;
    let seed = naming.derivative(&result);
    let guards = Guards { first: first_statements(b, &around, &parameters, &writes), gives_one_twice };
    let is_number = |name: &Name| kinds.is_numeric(name) || numbers.contains(name);
    // A callee that writes to objects, or makes one, is given no copies of others.
    let is_constructor = options.levels.last().is_some_and(|level| level.is_constructor);
    let objects =
        if writes.containers() > 0 || is_constructor { containers(&block, &around) } else { BTreeSet::new() };
    let changing = written.keyed.union(&objects).filter(|name| !is_number(name)).cloned().into_set();
    let mut writer =
        Writer { b, naming, around: &around, numbers: &numbers, kinds: &kinds, function, options, def: &def };
    writer.passes(block, &parameters, &aliases, (&result, &seed, like), (&wrt, &active), (guards, changing))
}

/// Writes the derivative of a function in forward mode.
///
/// The function takes the tangents of the parameters after them, `dx` for `x`, and gives the tangent of the result;
/// with `preserve_result` the result too, last. A callee gives the result first.
///
/// # Errors
///
/// As [`reverse`].
pub fn forward(
    function: &Function<'_>,
    resolver: &dyn Resolver,
    options: &Options,
) -> Outcome<Vec<Generated>> {
    let mut ids = function.module.ids.clone();
    let b = Builder::new(&mut ids, function.located.kind.span());
    let Front {
        def,
        mut naming,
        result,
        parameters,
        around,
        wrt,
        seeds: named,
        active,
        block,
        numbers,
        kinds,
        written,
        writes,
        gives_one_twice,
        ..
    } = Front::of(b, function, resolver, options, true)?;
    let (reduced, _) = reduced_operands(&block, &around);
    let mut body = first_statements(b, &around, &parameters, &writes);
    let mut seeds: Vec<Name> = Vec::new();
    for (name, (wish, tangent)) in wrt.iter().zip(named) {
        // A caller names the tangents of its arguments so; a variable of that name is bound later.
        let is_taken = options.is_callee && tangent != wish;
        seeds.push(if is_taken { wish.clone() } else { tangent.clone() });
        // A keyword of a call is no variable.
        let is_read = || def.body.iter().any(|stmt| read_by(stmt).contains(&wish));
        if is_taken && (bound_in(&def.body).contains(&wish) || !is_read()) {
            body.push(b.assign_name(tangent.clone(), b.name(wish.clone())));
        } else if is_taken {
            let message =
                format!("`{}` has a name `{wish}`, which is that of the tangent of `{name}`", def.name);
            return Err(refusal(def.name_span, message, "give the variable another name"));
        }
        naming.call_derivative(name, tangent.clone());
        if options.check_dims {
            let given = [b.name(tangent.clone()), b.name(name.clone())];
            body.push(b.expr_stmt(helper(b, "check_seed", given)));
        }
        // What is written is the tangent of the function, not that of the caller.
        if written.arrays.contains(name) {
            body.push(b.assign_name(tangent.clone(), helper(b, "copy", [b.name(tangent)])));
        } else if written.holders.contains(name) && !kinds.is_numeric(name) {
            body.push(b.assign_name(tangent.clone(), helper(b, "copy_containers", [b.name(tangent)])));
        }
    }
    let others = parameters.iter().filter(|name| active.contains(*name) && !wrt.contains(name));
    for name in others {
        let zeros = helper(b, "zeros_like", [b.name(name.clone())]);
        body.push(b.assign_name(naming.derivative(name), zeros));
    }
    body.extend(
        Tangents {
            b,
            naming: &mut naming,
            around: &around,
            reduced: &reduced,
            numbers: &numbers,
            written: &written,
            is_callee: options.is_callee,
        }
        .block(&block)?,
    );
    let tangent = if active.contains(&result) {
        b.name(naming.derivative(&result))
    } else {
        helper(b, "zeros_like", [b.name(result.clone())])
    };
    if gives_one_twice {
        body.push(b.expr_stmt(helper(b, "require_own_result", [b.name(result.clone())])));
    }
    let value = b.name(result.clone());
    let results = match (options.is_callee, options.preserve_result) {
        (true, _) => vec![value, tangent],
        (false, true) => vec![tangent, value],
        (false, false) => vec![tangent],
    };
    body.push(b.return_value(one_or_tuple(b, results)));
    let name = match &options.motion {
        Motion::Joint(name) | Motion::Split(name, _) => name.clone(),
    };
    let writer =
        Writer { b, naming, around: &around, numbers: &numbers, kinds: &kinds, function, options, def: &def };
    let mut comments = BTreeMap::new();
    writer.tidy(&mut body, &mut comments);
    let mut params = def.params.clone();
    let is_last = params.vararg.is_none()
        && params.keyword_only.is_empty()
        && params.kwarg.is_none()
        && !params.iter().any(|param| param.default.is_some());
    for seed in seeds {
        let list = if is_last { &mut params.positional } else { &mut params.keyword_only };
        list.push(b.param(seed));
    }
    Ok(vec![writer.text(&name, params, body, &comments)])
}

/// The parameters of which other items may be there at the end, or in another order.
fn resized(block: &Block, aliases: &Aliases, wrt: &[Name]) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    each_node(block, &mut |node| {
        if let Node::Op(op) = node
            && op.changes_whole()
            && let Some(base) = op.writes()
        {
            found.extend(wrt.iter().filter(|name| aliases.may_share(name, base)).cloned());
        }
    });
    found
}

struct Writer<'a, 'w> {
    b: Builder<'a>,
    naming: Naming,
    around: &'w Surroundings<'w>,
    numbers: &'w Numbers,
    kinds: &'w Kinds,
    function: &'w Function<'w>,
    options: &'w Options,
    def: &'w FunctionDef,
}

impl Writer<'_, '_> {
    fn passes(
        &mut self,
        mut block: Block,
        parameters: &[Name],
        aliases: &Aliases,
        (result, seed, like): (&Name, &Name, Expr),
        (wrt, active): (&[Name], &BTreeSet<Name>),
        (guards, changing): (Guards, BTreeSet<Name>),
    ) -> Outcome<Vec<Generated>> {
        let b = self.b;
        let mut start = Values::new();
        if active.contains(result) {
            start.insert(result.clone(), false);
        }
        let is_split = matches!(self.options.motion, Motion::Split(..));
        let saver = Saver::new(&mut self.naming, self.around, &block, Kept::new(), is_split);
        let (kept, ..) = saver.function(&mut block, parameters);
        // Once to see where adjoints begin as zeros, which is something to keep the shapes of variables for.
        let mut state = start.clone();
        let mut writer = self.writer(result, KeptForms::new(changing));
        writer.backward(&mut block, &mut state)?;
        let forms = std::mem::take(&mut writer.forms);
        drop(writer);
        forms.keep(b, &mut block);
        note_own_copies(&mut block, aliases, self.kinds, self.around);
        let saver = Saver::new(&mut self.naming, self.around, &block, kept, is_split);
        let (_, definite, unbound) = saver.function(&mut block, parameters);

        let mut writer = self.writer(result, forms);
        let forward = writer.forward(&block, false);
        let mut state = start;
        let mut backward = writer.backward(&mut block, &mut state)?;
        let mut comments = std::mem::take(&mut writer.comments);
        let derived = std::mem::take(&mut writer.derived);
        let derivatives = self.derivatives(derived);
        let (mut results, mut given) = (Vec::new(), Vec::new());
        let bound = bound_in_text(&block);
        let mut resized = resized(&block, aliases, wrt);
        resized.retain(|name| !(self.kinds.is_numeric(name) || self.numbers.contains(name)));
        for name in wrt {
            let adjoint = self.naming.derivative(name);
            // A gradient has the form of the argument, whatever its name is bound to later.
            let variable = if bound.contains(name) {
                let kept = self.naming.fresh(&format!("{name}_given"));
                self.around.locals.borrow_mut().insert(kept.clone());
                given.push(b.assign_name(kept.clone(), b.name(name.clone())));
                b.name(kept)
            } else if resized.contains(name) && !self.options.is_callee {
                // It has the items that it was given.
                let kept = self.naming.fresh(&format!("{name}_given"));
                self.around.locals.borrow_mut().insert(kept.clone());
                let copy = helper(b, "copy_containers", [b.name(name.clone())]);
                given.push(b.assign_name(kept.clone(), copy));
                b.name(kept)
            } else {
                b.name(name.clone())
            };
            results.push(if state.contains_key(name) && self.options.is_callee {
                b.name(adjoint)
            } else if state.contains_key(name) {
                helper(b, "as_gradient", [b.name(adjoint), variable])
            } else {
                helper(b, "zeros_like", [variable])
            });
        }
        // The texts are large too: what they are made of is not kept beside them.
        drop(block);
        // What is kept before some path has bound it is none.
        given.extend(unbound.into_iter().map(|name| b.assign_name(name, b.none())));
        let mut forward: Vec<Stmt> = given.into_iter().chain(forward).collect();
        forward.splice(0..0, guards.first);
        if guards.gives_one_twice {
            forward.push(b.expr_stmt(helper(b, "require_own_result", [b.name(result.clone())])));
        }
        match &self.options.motion {
            Motion::Joint(name) => {
                let mut body = forward;
                if self.options.is_seed_fixed {
                    body.push(b.assign_name(seed.clone(), b.constant(ConstantKind::Float, "1.0")));
                }
                // 1.0 has the shape of a number.
                let fits = self.options.is_seed_fixed && matches!(like.kind, ExprKind::Constant { .. });
                if self.options.check_dims && active.contains(result) && !fits {
                    body.push(b.expr_stmt(helper(b, "check_seed", [b.name(seed.clone()), like])));
                }
                if self.options.preserve_result {
                    let value = self.naming.fresh("value");
                    body.push(b.assign_name(value.clone(), b.name(result.clone())));
                    if self.options.value_first {
                        results = vec![b.name(value), one_or_tuple(b, results)];
                    } else {
                        results.push(b.name(value));
                    }
                }
                backward.push(b.return_value(one_or_tuple(b, results)));
                let second: BTreeSet<NodeId> = backward.iter().map(|stmt| stmt.id).collect();
                body.extend(backward);
                self.tidy(&mut body, &mut comments);
                let params = self.params(seed);
                let start = body.iter().position(|stmt| second.contains(&stmt.id)).unwrap_or(body.len());
                let backward = self.line_of(params.clone(), &body, start, &comments);
                let text = self.text(name, params, body, &comments);
                Ok(vec![Generated { backward, derivatives, ..text }])
            }
            Motion::Split(first, second) => {
                backward.push(b.return_value(one_or_tuple(b, results)));
                self.tidy(&mut backward, &mut comments);
                let mut live = tidy::live_before(&backward, self.around, Set::new(), self.options.optimized);
                live.remove(seed);
                let saved: Vec<Name> =
                    live.keys().filter(|name| self.around.is_local(name)).cloned().collect();
                let emptied = emptied_by(&backward);
                // What only some paths bind is none on the others, or an empty list.
                let made = saved.iter().filter(|name| !definite.contains(*name));
                let absent = |name| if emptied.contains(name) { b.list([]) } else { b.none() };
                let mut body: Vec<Stmt> =
                    made.map(|name| b.assign_name(name.clone(), absent(name))).collect();
                body.extend(forward);
                let values = b.tuple(saved.iter().map(|name| b.name(name.clone())));
                body.push(b.return_value(b.tuple([b.name(result.clone()), values])));
                self.tidy(&mut body, &mut BTreeMap::new());
                let holder = self.naming.fresh("saved");
                // One forward pass serves many backward passes: each empties lists of its own.
                let own = saved.iter().filter(|name| emptied.contains(*name)).map(|name| {
                    let copied = b.call(b.attribute(b.name(name.clone()), "copy"), []);
                    b.assign_name(name.clone(), copied)
                });
                backward.splice(0..0, own);
                if !saved.is_empty() {
                    let stores = saved.iter().map(|name| b.name_store(name.clone()));
                    let targets = b.tuple_in(stores, Context::Store);
                    backward.insert(0, b.assign(targets, b.name(holder.clone())));
                }
                let params = b.params([holder, seed.clone()]);
                let forward = self.text(first, self.def.params.clone(), body, &BTreeMap::new());
                let backward = self.text(second, params, backward, &comments);
                Ok(vec![forward, Generated { backward: 2, derivatives, ..backward }])
            }
        }
    }

    fn objects(&self) -> Vec<(String, String)> {
        let functions = &self.around.functions;
        let has_objects = |(_, path): &(&Name, &String)| self.around.resolver.held(path).contains("object");
        let mut known: BTreeMap<Name, String> = self.around.read.borrow().clone();
        let lists = functions.containers.iter().filter(has_objects);
        known.extend(functions.objects.iter().chain(lists).map(|(name, path)| (name.clone(), path.clone())));
        known.into_iter().map(|(name, path)| (name.to_string(), path)).collect()
    }

    fn writer<'s>(&'s mut self, result: &'s Name, forms: KeptForms) -> Passes<'s, 's> {
        Passes {
            b: self.b,
            naming: &mut self.naming,
            source: self.function.source,
            optimized: self.options.optimized,
            whole: self.b.origin(),
            around: self.around,
            result,
            numbers: self.numbers,
            kinds: self.kinds,
            comments: BTreeMap::new(),
            derived: BTreeMap::new(),
            last: None,
            entries: Entries::default(),
            forms,
            place: None,
        }
    }

    /// The derivatives in the order of the user's lines.
    fn derivatives(&self, derived: BTreeMap<usize, (Span, String, Vec<Name>)>) -> Vec<DerivativeOf> {
        let lines = LineIndex::new(self.function.source);
        let mut found: Vec<DerivativeOf> = derived
            .into_values()
            .map(|(span, operation, reads)| DerivativeOf {
                line: lines.line_column(span.start).line,
                operation,
                reads: reads.iter().map(ToString::to_string).collect(),
            })
            .collect();
        found.sort_by_key(|one| one.line);
        found
    }

    /// The line of the text on which a statement of a function stands.
    fn line_of(
        &self,
        params: Params,
        body: &[Stmt],
        index: usize,
        comments: &BTreeMap<NodeId, String>,
    ) -> u32 {
        if index == 0 {
            return 2;
        }
        // `def before(…):`, and `pass` in place of the statements.
        let head = unparse(&[self.b.function_def("before", params, Vec::new())]).text;
        let before = unparse_commented(&body[..index], comments).text;
        u32::try_from(head.lines().count() + before.lines().count()).unwrap_or(0)
    }

    fn tidy(&self, body: &mut Vec<Stmt>, comments: &mut BTreeMap<NodeId, String>) {
        if !self.options.optimized {
            return;
        }
        let own: NameSet = bound_in(&self.def.body).into_iter().collect();
        let parameters = self.def.params.iter().map(|param| &param.name);
        // `bx` of the user's `x` is what a reader looks for.
        let shown: NameSet =
            own.iter().chain(parameters).filter_map(|name| self.naming.known_derivative(name)).collect();
        let made = |name: &Name| !own.contains(name) && !shown.contains(name);
        copies::remove_copies(body, &made, comments);
        tidy::remove_dead(body, self.around, comments);
        tidy::inline(body, &made, comments);
    }

    /// The user's parameters, and the adjoint of the result if the caller gives it.
    fn params(&self, seed: &Name) -> Params {
        let b = self.b;
        let mut params = self.def.params.clone();
        if self.options.is_seed_fixed {
            return params;
        }
        let default = self.options.has_default_seed.then(|| b.constant(ConstantKind::Float, "1.0"));
        let has_default =
            params.positional.iter().chain(&params.positional_only).any(|param| param.default.is_some());
        let is_last = params.vararg.is_none()
            && params.keyword_only.is_empty()
            && params.kwarg.is_none()
            && (default.is_some() || !has_default);
        let param = Param { default, ..b.param(seed.clone()) };
        if is_last {
            params.positional.push(param)
        } else {
            params.keyword_only.push(param)
        }
        params
    }

    fn text(
        &self,
        name: &str,
        params: Params,
        body: Vec<Stmt>,
        comments: &BTreeMap<NodeId, String>,
    ) -> Generated {
        let def = self.b.function_def(name, params, body);
        let written = unparse_commented(&[def], comments);
        let lines = LineIndex::new(self.function.source);
        let mut offset = 0_u32;
        let mut map = Vec::new();
        for line in written.text.lines() {
            let indent = u32::try_from(line.len() - line.trim_start().len()).unwrap_or(0);
            let at = offset + indent;
            let origin = written.source_map.origin(Span::new(at, at)).unwrap_or(self.b.origin());
            map.push(lines.line_column(origin.start).line);
            offset += u32::try_from(line.len()).unwrap_or(0) + 1;
        }
        Generated {
            name: name.to_owned(),
            text: written.text,
            lines: map,
            backward: 0,
            objects: self.objects(),
            derivatives: Vec::new(),
        }
    }
}

/// Something that has the shape of the result: a number where it is one, a parameter, or the result itself.
fn like(b: Builder<'_>, result: &Name, wrt: &[Name], shapes: &Shapes) -> Expr {
    let Some(shape) = shapes.get(result) else { return b.name(result.clone()) };
    if shape.is_empty() {
        return b.constant(ConstantKind::Float, "0.0");
    }
    let same = wrt.iter().find(|name| shapes.get(*name) == Some(shape));
    b.name(same.unwrap_or(result).clone())
}

/// `tangent.require_class(model, Model)` for each parameter whose class the derivative relies on.
fn class_guards(b: Builder<'_>, around: &Surroundings<'_>, parameters: &[Name]) -> Vec<Stmt> {
    let classes = around.classes.borrow();
    let guard = |name: &Name| {
        let path = around.functions.objects.get(name).map_or("", String::as_str);
        let class = around.resolver.class_name(path);
        let class = if class.contains('.') { b.string(&class) } else { b.name(class) };
        b.expr_stmt(helper(b, "require_class", [b.name(name.clone()), class]))
    };
    parameters.iter().filter(|name| classes.contains(*name)).map(guard).collect()
}

/// What the forward pass begins with.
fn first_statements(
    b: Builder<'_>,
    around: &Surroundings<'_>,
    parameters: &[Name],
    writes: &Writes,
) -> Vec<Stmt> {
    let own = writes.parameters.iter().filter(|(_, kind)| kind.is_copied()).map(|(name, kind)| {
        let given = b.name(name.clone());
        let copy = match kind {
            WriteKind::List => b.call(b.name("list"), [given]),
            WriteKind::Array => helper(b, "own_array", [given, b.string(name)]),
            _ => helper(b, "own_copy", [given, b.string(name)]),
        };
        b.assign_name(name.clone(), copy)
    });
    class_guards(b, around, parameters).into_iter().chain(own).collect()
}

/// What a forward pass makes sure of where it begins, and whether at its end its result is one of its own.
struct Guards {
    first: Vec<Stmt>,
    gives_one_twice: bool,
}

fn one_or_tuple(b: Builder<'_>, mut values: Vec<Expr>) -> Expr {
    match values.pop() {
        Some(only) if values.is_empty() => only,
        Some(last) => {
            values.push(last);
            b.tuple(values)
        }
        None => b.none(),
    }
}

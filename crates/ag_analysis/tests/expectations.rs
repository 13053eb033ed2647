//! The analyses against expectations written as comments: see `tests/analysis`.
//!
//! `x = y  # reads: y; writes: x` is checked on the line's statement. Keys are `reads`, `writes`, `may write`,
//! `unbinds`, `live in` and `live out`; `reads names` and `modifies` are about qualified names.
//! `unbound: x` names the reads of the line that may find their variable
//! unbound; in the files of `reaching_definitions`, lines that do not say so must have none.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use ag_analysis::{BitSet, ControlFlowGraph, FunctionFacts, QualifiedName, Scopes, Variables, liveness};
use ag_errors::{LineIndex, Span};
use ag_syntax::parse_module;
use ag_syntax::tree::{Expr, NodeId, Stmt, StmtKind};
use ag_syntax::visit::{Visitor, walk_expr, walk_stmt};

type Names = BTreeSet<String>;
/// What is said of each line, by key.
type Lines = BTreeMap<u32, BTreeMap<String, Names>>;

#[test]
fn activity() {
    check("activity");
}

#[test]
fn qualified_names() {
    check("qualified_names");
}

#[test]
fn liveness_of_variables() {
    check("liveness");
}

#[test]
fn reaching_definitions() {
    check("reaching_definitions");
}

fn check(folder: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/analysis").join(folder);
    let mut paths: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    // Python leaves its `__pycache__` there.
    paths.retain(|path| path.is_file());
    paths.sort();
    let mut count = 0;
    for path in paths {
        count += check_file(&path);
    }
    assert!(count > 0, "nothing is expected in {}", folder.display());
}

fn check_file(path: &Path) -> usize {
    let source = fs::read_to_string(path).unwrap();
    let expected = expectations(&source);
    let found = facts(&source);
    let mut count = 0;
    for (line, expected) in &expected {
        for (key, names) in expected {
            let found = found.get(line).and_then(|line| line.get(key)).cloned().unwrap_or_default();
            assert_eq!(&found, names, "{}:{line}: {key}", path.display());
            count += 1;
        }
    }
    if path.parent().unwrap().ends_with("reaching_definitions") {
        for (line, found) in &found {
            let is_expected = expected.get(line).is_some_and(|line| line.contains_key("unbound"));
            assert!(is_expected || !found.contains_key("unbound"), "{}:{line}: unbound", path.display());
        }
    }
    count
}

fn expectations(source: &str) -> Lines {
    let mut lines = Lines::new();
    for (line, text) in (1..).zip(source.lines()) {
        let Some((_, comment)) = text.split_once("  # ") else { continue };
        for item in comment.split(';') {
            let (key, names) = item.split_once(':').unwrap();
            lines.entry(line).or_default().insert(key.trim().to_owned(), listed(names));
        }
    }
    lines
}

/// The names of a list: the commas of `a[i, j]` are its own.
fn listed(text: &str) -> Names {
    let mut depth = 0_i32;
    let names = text.split(|character| {
        depth += i32::from(character == '[') - i32::from(character == ']');
        character == ',' && depth == 0
    });
    names.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

/// The line of every node.
struct Places<'s> {
    index: LineIndex,
    lines: BTreeMap<NodeId, u32>,
    source: &'s str,
}

impl Places<'_> {
    fn note(&mut self, id: NodeId, span: Span) {
        assert!(span.end as usize <= self.source.len());
        self.lines.insert(id, self.index.line_column(span.start).line);
    }
}

impl<'a> Visitor<'a> for Places<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        self.note(stmt.id, stmt.span);
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.note(expr.id, expr.span);
        walk_expr(self, expr);
    }
}

fn facts(source: &str) -> Lines {
    let module = parse_module(source).unwrap();
    let mut places = Places { index: LineIndex::new(source), lines: BTreeMap::new(), source };
    places.visit_body(&module.body);
    let mut found = Lines::new();
    for stmt in &module.body {
        let StmtKind::FunctionDef(def) = &stmt.kind else { continue };
        let scopes = Scopes::of(&module.body);
        let scope = scopes.of_node(stmt.id).unwrap();
        let facts = FunctionFacts::of(&def.body, &scopes, scope, &|_| Vec::new());
        let variables = &facts.variables;
        let mut add = |id: &NodeId, key: &str, names: Names| {
            found.entry(places.lines[id]).or_default().entry(key.to_owned()).or_default().extend(names);
        };
        statement_facts(&def.body, &scopes, &facts, &mut add);
        for (statement, branch) in &facts.branches {
            add(statement, "live in", names(variables, branch.live_in.iter()));
            add(statement, "live out", names(variables, branch.live_out.iter()));
        }
        for read in &facts.unbound_reads {
            let name = NameOf { id: *read, name: None }.find(&def.body);
            add(read, "unbound", Names::from([name]));
        }
    }
    found
}

/// Facts about simple statements, from the nodes of the graph.
fn statement_facts(
    body: &[Stmt],
    scopes: &Scopes,
    facts: &FunctionFacts,
    add: &mut dyn FnMut(&NodeId, &str, Names),
) {
    let variables = &facts.variables;
    let graph = ControlFlowGraph::with_qualified_names(body, scopes, variables, &|_| Vec::new());
    let mut always: BitSet = facts.captured.clone();
    variables.iter().filter(|(variable, _)| !variables.is_own(*variable)).for_each(|(v, _)| always.insert(v));
    let live = liveness(&graph, &always, |_, _| true);
    for (node, (activity, statement)) in graph.activities.iter().zip(&graph.statements).enumerate() {
        let Some(statement) = statement else { continue };
        add(statement, "reads", names(variables, activity.reads.iter().map(|(variable, _)| *variable)));
        add(statement, "writes", names(variables, activity.writes.iter().copied()));
        add(statement, "may write", names(variables, activity.may_writes.iter().copied()));
        add(statement, "reads names", forms(&activity.read_names));
        add(statement, "modifies", forms(&activity.modified_names));
        add(statement, "unbinds", names(variables, activity.unbinds.iter().copied()));
        if !facts.branches.contains_key(statement) {
            let after = live.after[node].as_ref().unwrap();
            add(statement, "live out", names(variables, after.iter()));
        }
    }
}

fn forms(names: &BTreeSet<QualifiedName>) -> Names {
    names.iter().map(ToString::to_string).collect()
}

fn names(variables: &Variables, numbers: impl Iterator<Item = u32>) -> Names {
    numbers.map(|variable| variables.name(variable).to_string()).collect()
}

/// Finds the name that an expression is.
struct NameOf {
    id: NodeId,
    name: Option<String>,
}

impl NameOf {
    fn find(mut self, body: &[Stmt]) -> String {
        self.visit_body(body);
        self.name.unwrap()
    }
}

impl<'a> Visitor<'a> for NameOf {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let ag_syntax::tree::ExprKind::Name { name, .. } = &expr.kind
            && expr.id == self.id
        {
            self.name = Some(name.to_string());
        }
        walk_expr(self, expr);
    }
}

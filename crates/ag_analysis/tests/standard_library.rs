//! Qualified names and drawings over the standard library: the names say at least what the variables
//! say, collecting them changes nothing else, and every function can be drawn.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use ag_analysis::{Activity, ControlFlowGraph, Scopes, Variable, Variables, draw_control_flow};
use ag_syntax::tree::{Name, Stmt, StmtKind};
use ag_syntax::visit::{Visitor, walk_stmt};
use ag_syntax::{ask_for_characters, parse_module};

struct Functions<'s> {
    scopes: &'s Scopes,
    source: &'s str,
    count: usize,
}

impl<'a> Visitor<'a> for Functions<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let StmtKind::FunctionDef(def) = &stmt.kind {
            let variables = Variables::of(self.scopes, self.scopes.of_node(stmt.id).unwrap());
            check_names(&def.body, self.scopes, &variables);
            check_drawing(&draw_control_flow(&def.body, self.scopes, &variables, self.source));
            self.count += 1;
        }
        walk_stmt(self, stmt);
    }
}

/// Edges lead between nodes that are drawn, the first from the start, and no node is drawn twice.
fn check_drawing(drawing: &str) {
    let (mut nodes, mut edges) = (BTreeSet::new(), Vec::new());
    for line in drawing.lines().skip(1) {
        let line = line.trim_start();
        if let (true, Some((from, to))) = (!line.contains('"'), line.split_once(' ')) {
            edges.push((from, to.rsplit(' ').next().unwrap()));
        } else {
            let shape = line.find(['(', '[', '{']).unwrap();
            assert!(nodes.insert(&line[..shape]), "{drawing}");
        }
    }
    assert_eq!(edges.first().unwrap().0, "n1", "{drawing}");
    assert!(edges.iter().all(|(from, to)| nodes.contains(from) && nodes.contains(to)), "{drawing}");
}

fn check_names(body: &[Stmt], scopes: &Scopes, variables: &Variables) {
    let plain = ControlFlowGraph::of(body, scopes, variables, &|_| Vec::new());
    let named = ControlFlowGraph::with_qualified_names(body, scopes, variables, &|_| Vec::new());
    assert_eq!(plain.activities.len(), named.activities.len());
    for (plain, named) in plain.activities.into_iter().zip(named.activities) {
        let bases: Vec<&Name> = named.read_names.iter().map(|name| name.base()).collect();
        let modified: Vec<&Name> = named.modified_names.iter().map(|name| name.base()).collect();
        let is_in = |names: &[&Name], variable: Variable| {
            let name = variables.name(variable);
            // A private name is mangled in the one, and stands as written in the other.
            names.iter().any(|base| *base == name || (base.starts_with("__") && name.ends_with(&***base)))
        };
        // `del x` reads the variable to unbind it; the name is modified.
        let is_read = |read: Variable| is_in(&bases, read) || named.unbinds.contains(&read);
        assert!(named.reads.iter().all(|(read, _)| is_read(*read)), "{named:?}");
        let mut changed = named.writes.iter().chain(&named.may_writes);
        assert!(changed.all(|variable| is_in(&modified, *variable)), "{named:?}");
        assert_eq!(plain, Activity { read_names: [].into(), modified_names: [].into(), ..named });
    }
}

#[test]
fn names_and_drawings_of_the_standard_library() {
    let python = std::env::var("AG_PYTHON").unwrap_or_else(|_| "python3".into());
    let script =
        "import glob, os; print(*sorted(glob.glob(os.path.dirname(os.__file__) + '/*.py')), sep='\\n')";
    let output = Command::new(python).args(["-c", script]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    ask_for_characters(|_| Some('•'));
    let mut count = 0;
    for path in String::from_utf8(output.stdout).unwrap().lines() {
        let source = fs::read_to_string(path).unwrap();
        let module = parse_module(&source).unwrap();
        let scopes = Scopes::of(&module.body);
        let mut functions = Functions { scopes: &scopes, source: &source, count: 0 };
        functions.visit_body(&module.body);
        count += functions.count;
    }
    assert!(count > 1000, "only {count} functions");
}

//! The scopes against CPython's code objects, over the standard library: see `tests/analysis/code_objects.py`.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use ag_analysis::{ScopeId, Scopes};
use ag_errors::LineIndex;
use ag_syntax::tree::{Name, Stmt, StmtKind};
use ag_syntax::visit::{Visitor, walk_stmt};
use ag_syntax::{ask_for_characters, parse_module};

/// All definitions of a file with the lists found for them, by line and name.
struct Definitions<'a> {
    index: LineIndex,
    scopes: &'a Scopes,
    found: BTreeMap<(u32, String), ScopeId>,
}

impl<'t> Visitor<'t> for Definitions<'_> {
    fn visit_stmt(&mut self, stmt: &'t Stmt) {
        if let StmtKind::FunctionDef(def) = &stmt.kind {
            let line = self.index.line_column(stmt.span.start).line;
            self.found.insert((line, def.name.to_string()), self.scopes.of_node(stmt.id).unwrap());
        }
        walk_stmt(self, stmt);
    }
}

fn list(names: &[Name]) -> String {
    names.join(",")
}

#[test]
fn scopes_agree_with_code_objects() {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/analysis/code_objects.py");
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let output = Command::new(python).arg(script).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines().peekable();
    // Since 3.12, comprehensions are inlined: their variables stand among the function's.
    let inlines = lines.next().unwrap() != "3.11";
    ask_for_characters(|_| Some('•'));
    let mut count = 0;
    while let Some(path) = lines.next() {
        let source = std::fs::read_to_string(path).unwrap();
        let module = parse_module(&source).unwrap();
        let scopes = Scopes::of(&module.body);
        let index = LineIndex::new(&source);
        let mut definitions = Definitions { index, scopes: &scopes, found: BTreeMap::new() };
        definitions.visit_body(&module.body);
        while let Some(line) = lines.next_if(|line| line.contains('\t')) {
            let fields: Vec<&str> = line.split('\t').collect();
            let key = (fields[0].parse().unwrap(), fields[1].to_owned());
            let scope = definitions.found[&key];
            assert_eq!(list(&scopes.free_variables(scope)), fields[2], "free variables of {path}:{key:?}");
            if !inlines {
                assert_eq!(list(&scopes.cell_variables(scope)), fields[3], "cells of {path}:{key:?}");
                // `x: int` alone makes a local that no instruction names, so it is not listed.
                let is_listed = |name: &Name| {
                    fields[4].split(',').any(|listed| listed == &**name)
                        || !source.contains(&format!("  {name}: "))
                };
                let mut variables = scopes.local_variables(scope);
                variables.retain(is_listed);
                assert_eq!(list(&variables), fields[4], "variables of {path}:{key:?}");
            }
            count += 1;
        }
    }
    assert!(count > 1000, "only {count} functions");
}

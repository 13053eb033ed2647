//! `Scopes::of_function` says of a function what `Scopes::of` says, over the standard library.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::process::Command;

use ag_analysis::Scopes;
use ag_syntax::parse_module;
use ag_syntax::tree::{Stmt, StmtKind};
use ag_syntax::visit::{Visitor, walk_stmt};

struct Functions<'s> {
    /// The top-level statement that is read.
    around: &'s Stmt,
    whole: &'s Scopes,
    count: usize,
}

impl<'a> Visitor<'a> for Functions<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if matches!(stmt.kind, StmtKind::FunctionDef(_)) {
            let scopes = Scopes::of_function(std::slice::from_ref(self.around), stmt.span);
            let (here, there) = (scopes.of_node(stmt.id).unwrap(), self.whole.of_node(stmt.id).unwrap());
            assert_eq!(scopes.free_variables(here), self.whole.free_variables(there));
            assert_eq!(scopes.cell_variables(here), self.whole.cell_variables(there));
            assert_eq!(scopes.local_variables(here), self.whole.local_variables(there));
            self.count += 1;
        }
        walk_stmt(self, stmt);
    }
}

#[test]
fn a_function_needs_only_what_is_around_it_and_in_it() {
    let python = std::env::var("AG_PYTHON").unwrap_or_else(|_| "python3".into());
    let script =
        "import glob, os; print(*sorted(glob.glob(os.path.dirname(os.__file__) + '/*.py')), sep='\\n')";
    let output = Command::new(python).args(["-c", script]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut count = 0;
    for path in String::from_utf8(output.stdout).unwrap().lines() {
        let module = parse_module(&fs::read_to_string(path).unwrap()).unwrap();
        for around in &module.body {
            let whole = Scopes::of(std::slice::from_ref(around));
            let mut functions = Functions { around, whole: &whole, count: 0 };
            functions.visit_stmt(around);
            count += functions.count;
        }
    }
    assert!(count > 1_000, "{count} functions");
}

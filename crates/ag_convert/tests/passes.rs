//! Converted text, word for word: `tests/passes/<pass>/<case>.py` becomes `<case>.out.py` beside it.
//!
//! The last function of each file is converted by the whole pipeline. `AG_BLESS=1` writes what comes
//! out instead of comparing it.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use ag_convert::{Options, convert};
use ag_syntax::tree::{Stmt, StmtKind};
use ag_syntax::{FunctionQuery, find_function, parse_module};

#[test]
fn texts_are_as_expected() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/passes");
    let mut count = 0;
    let mut differences = Vec::new();
    for folder in sorted(&root) {
        for case in sorted(&folder) {
            if case.to_string_lossy().ends_with(".out.py") {
                continue;
            }
            count += 1;
            let text = converted(&fs::read_to_string(&case).unwrap());
            let expected = case.with_extension("out.py");
            if std::env::var_os("AG_BLESS").is_some() {
                fs::write(&expected, &text).unwrap();
            } else if fs::read_to_string(&expected).unwrap_or_default() != text {
                differences.push(format!("{}:\n{text}", expected.display()));
            }
        }
    }
    assert!(count > 0, "no cases in {}", root.display());
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The text of the last function of a source, or the codes and messages of what was said.
fn converted(source: &str) -> String {
    let module = parse_module(source).unwrap();
    let (name, qualname, line) = last_function(&module.body, source, "").unwrap();
    let query = FunctionQuery {
        name: &name,
        qualname: &qualname,
        first_line: line,
        lambda_position: None,
        parameters: &parameters(&module.body, &name),
    };
    let located = match find_function(&module, source, &query) {
        Ok(located) => located,
        Err(error) => panic!("{}", error.to_diagnostic().message),
    };
    match convert(&module, &located, &Options::default()) {
        Ok(converted) => {
            // What the conversion made stands for something of the function.
            for mapping in converted.source_map.mappings() {
                assert!(located.kind.span().contains(mapping.origin), "{mapping:?}");
            }
            converted.text
        }
        Err(diagnostics) => {
            diagnostics.iter().map(|error| format!("# {} {}\n", error.code, error.message)).collect()
        }
    }
}

/// Name, qualified name and line of the last function, in classes too.
fn last_function(body: &[Stmt], source: &str, prefix: &str) -> Option<(String, String, u32)> {
    let is_definition = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_));
    let stmt = body.iter().rev().find(is_definition)?;
    match &stmt.kind {
        StmtKind::FunctionDef(def) => {
            let line = ag_errors::LineIndex::new(source).line_column(stmt.span.start).line;
            Some((def.name.to_string(), format!("{prefix}{}", def.name), line))
        }
        StmtKind::ClassDef(def) => last_function(&def.body, source, &format!("{prefix}{}.", def.name)),
        _ => None,
    }
}

/// The parameters of a function in the order of `co_varnames`; private ones do not occur here.
fn parameters<'a>(body: &'a [Stmt], name: &str) -> Vec<&'a str> {
    for stmt in body.iter().rev() {
        match &stmt.kind {
            StmtKind::FunctionDef(def) if &*def.name == name => {
                let params = &def.params;
                let ordinary = params.positional_only.iter().chain(&params.positional);
                let all = ordinary.chain(&params.keyword_only).chain(&params.vararg).chain(&params.kwarg);
                return all.map(|param| &*param.name).collect();
            }
            StmtKind::ClassDef(def) => return parameters(&def.body, name),
            _ => {}
        }
    }
    Vec::new()
}

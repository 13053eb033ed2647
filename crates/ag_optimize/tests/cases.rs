//! `tests/ir/<pass>/<case>.ir` becomes `<case>.out.ir`. With `AG_BLESS=1` the outputs are written.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use ag_ir::{Function, read, verify};
use ag_optimize::{PASSES, optimize, run};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ir").join(name)
}

/// The cases of a folder by name.
fn cases(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.to_string_lossy().ends_with(".ir") && !path.to_string_lossy().ends_with(".out.ir")
        })
        .collect();
    paths.sort();
    paths
}

/// Runs the cases of a folder; gives those whose output is not the expected one.
fn differences(name: &str, change: impl Fn(Function) -> Function) -> Vec<String> {
    let cases = cases(&folder(name));
    assert!(!cases.is_empty(), "no cases of {name}");
    let mut differences = Vec::new();
    for path in cases {
        let text = fs::read_to_string(&path).unwrap();
        let function = read(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        verify(&function).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
        let actual = change(function).to_string();
        let output = path.with_extension("out.ir");
        if std::env::var_os("AG_BLESS").is_some() {
            fs::write(&output, &actual).unwrap();
        }
        let expected = fs::read_to_string(&output).unwrap_or_default();
        if actual != expected {
            differences.push(format!("{}\nexpected:\n{expected}actual:\n{actual}", path.display()));
        }
    }
    differences
}

#[test]
fn passes_do_what_their_cases_show() {
    for pass in PASSES {
        let differences = differences(pass.name, |mut function| {
            run(*pass, &mut function);
            function
        });
        assert!(differences.is_empty(), "{}", differences.join("\n"));
    }
}

#[test]
fn the_pipeline_does_what_its_cases_show() {
    let differences = differences("pipeline", optimize);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

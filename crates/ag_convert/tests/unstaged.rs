//! Converted functions against CPython: see `tests/unstaged/run_programs.py` and `tests/unstaged/convert_library.py`.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::Command;

/// Runs a script of `tests/unstaged` with the example `convert_file`, which `cargo test` has built.
fn run(script: &str, arguments: &[&str]) {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/unstaged");
    let this = std::env::current_exe().unwrap();
    let converter = this.parent().unwrap().parent().unwrap().join("examples/convert_file");
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let output =
        Command::new(python).arg(tests.join(script)).arg(converter).args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{errors}");
}

#[test]
fn unstaged_programs_mean_what_cpython_says() {
    run("run_programs.py", &[]);
}

#[test]
fn converted_modules_pass_cpythons_own_tests() {
    // A quick part of the list in the script.
    let modules =
        ["textwrap", "fractions", "statistics", "configparser", "argparse", "ast", "test.test_patma"];
    run("library_suites.py", &modules);
}

#[test]
fn the_standard_library_converts_and_compiles() {
    run("convert_library.py", &["--top-level"]);
}

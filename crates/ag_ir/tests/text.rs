//! The text form: what is written reads back, and what is wrong is told with its place.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use ag_ir::read;

#[test]
fn files_read_back_as_they_stand() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ir/text");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let function = read(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(function.to_string(), text, "{}", path.display());
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn list_types_read_back() {
    let text = "version 1\nfunction f(%0: list<f64[3, ?]>, %1: list<list<bool[]>>) {\n  return %1, %0\n}\n";
    assert_eq!(read(text).unwrap().to_string(), text);
}

#[test]
fn what_the_host_does_reads_back() {
    let text =
        "version 1\nfunction f(%0: f64[]) {\n  print %0 site=0\n  return\n}\nsite 0 \"print('x', {0})\"\n";
    let function = read(text).unwrap();
    assert_eq!(function.to_string(), text);
    assert_eq!(function.sites, ["print('x', {0})".into()]);
}

fn fault(text: &str) -> String {
    match read(text) {
        Ok(function) => format!("no fault:\n{function}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn faults_have_a_place_and_a_reason() {
    let cases = [
        ("", "line 1, column 1: expected `function`, found the end of the text"),
        (
            "version 2\nfunction f() { return }",
            "line 1, column 1: this graph is of version 2 of the text form, which is not read here: version 1 is",
        ),
        ("function f() { return } site 1 \"print()\"", "line 1, column 30: site 0 comes first"),
        ("function f(%0: f65[]) { return }", "line 1, column 16: no element type is named f65"),
        ("function f() {\n  %0: f64[] = neg %1\n}", "line 2, column 19: %1 is used before it is bound"),
        ("function f() {\n  %0: f64[] = nig\n}", "line 2, column 15: no op is named nig"),
        ("function f() { %0: i64[] = constant 2.5 return }", "line 1, column 37: `2.5` is not a i64"),
        ("function f() { %0: i64[2] = constant [1] return }", "line 1, column 40: expected `,`, found `]`"),
        (
            "function f() { %0: i64[] = constant 0x00 return }",
            "line 1, column 37: the type needs 8 bytes, here are 1",
        ),
        ("function f(%0: list<f64[]) { return }", "line 1, column 26: expected `>`, found `)`"),
        ("function f(%0: i64[], %0: i64[]) { return }", "line 1, column 23: %0 is bound a second time"),
        ("function f(%0.x: i64[]) { return %0.y }", "line 1, column 34: %0 was bound with another name: x"),
        ("function f() { return } }", "line 1, column 25: expected the end of the text, found `}`"),
        ("function f() { check error=\"x return }", "line 1, column 28: a quoted text does not end"),
        ("function f() { cast return }", "line 1, column 16: cast needs a result with an array type"),
        (
            "function f(%9: i64[99999999999999999999]) {}",
            "line 1, column 20: 99999999999999999999 is too large",
        ),
        (
            "function f(%4000000000: i64[]) { return }",
            "line 1, column 42: 1 values are numbered up to %4000000000",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(fault(text), expected, "{text}");
    }
}

#[test]
fn deep_lists_are_refused_and_not_a_crash() {
    let text = format!("function f(%0: {}", "list<".repeat(100_000));
    assert!(fault(&text).contains("lists nest deeper than 200"), "{}", fault(&text));
}

#[test]
fn deep_regions_are_refused_and_not_a_crash() {
    let text = format!("function f(%0: bool[]) {{ {}", "if %0 then { ".repeat(100_000));
    assert!(fault(&text).contains("regions nest deeper than 200"), "{}", fault(&text));
}

//! The whole standard library of the running CPython, with CPython as the judge: every file must
//! survive parse and unparse with an equal `ast`, and every function must be found by its code object.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use ag_errors::Mapping;
use ag_syntax::tree::{Expr, ExprKind, FStringPart, Module};
use ag_syntax::visit::{Visitor, walk_expr};
use ag_syntax::{
    FunctionQuery, LocateError, ask_for_characters, find_function, parse_module, string_literal, unparse,
    unparse_expr,
};

/// Of how many files one has its source map compared with CPython's positions, which takes long.
const FILES_PER_MAP: usize = 6;

/// Runs one step of `tests/syntax/stdlib_round_trip.py` and returns what it printed.
fn python(step: &str, folder: &Path) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/syntax/stdlib_round_trip.py");
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let output = Command::new(&python).arg(script).arg(step).arg(folder).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{python:?} {step} failed:\n{printed}\n{errors}");
    printed
}

/// A folder that is removed at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("ag_syntax_stdlib_{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The characters that the library names, as in `"\N{BULLET}"`.
static NAMED: OnceLock<BTreeMap<String, char>> = OnceLock::new();

fn named_characters(folder: &Path) -> BTreeMap<String, char> {
    let table = fs::read_to_string(folder.join("characters.tsv")).unwrap();
    let line = |line: &str| {
        let (name, code) = line.split_once('\t').unwrap();
        (name.to_owned(), char::from_u32(code.parse().unwrap()).unwrap())
    };
    table.lines().map(line).collect()
}

#[test]
fn the_standard_library_survives() {
    let folder = Folder::new();
    print!("{}", python("collect", &folder.0));
    NAMED.get_or_init(|| named_characters(&folder.0));
    ask_for_characters(|name| NAMED.get()?.get(name).copied());
    let functions = functions_by_file(&folder.0);
    let (mut bytes, mut parsing, mut unparsing) = (0, Duration::ZERO, Duration::ZERO);
    let mut fstrings = FStrings::default();
    let (mut located, mut lost) = (0, Vec::new());
    let names = fs::read_to_string(folder.0.join("names.txt")).unwrap();
    for (number, name) in names.lines().enumerate() {
        let source = fs::read_to_string(folder.0.join(format!("in/{number}.py"))).unwrap();
        bytes += source.len();
        let started = Instant::now();
        let module = parse_module(&source).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        parsing += started.elapsed();
        let started = Instant::now();
        let unparsed = unparse(&module.body);
        unparsing += started.elapsed();
        check_mappings(name, &source, &module, &unparsed.text, unparsed.source_map.mappings());
        fs::write(folder.0.join(format!("out/{number}.py")), &unparsed.text).unwrap();
        if number % FILES_PER_MAP == 0 {
            let lines = map_lines(unparsed.source_map.mappings());
            fs::write(folder.0.join(format!("out/{number}.map")), lines).unwrap();
        }
        fstrings.visit_body(&module.body);
        for line in functions.get(&number).into_iter().flatten() {
            match find(&module, &source, line) {
                Ok(()) => located += 1,
                Err(reason) => lost.push(format!("{name}: {line}: {reason}")),
            }
        }
    }
    fs::write(folder.0.join("out/fstrings.txt"), &fstrings.0).unwrap();
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    println!("parsed {bytes} bytes at {:.0} MB/s, unparsed at {:.0} MB/s", rate(parsing), rate(unparsing));
    println!("found {located} functions, lost {}", lost.len());
    let compared = python("compare", &folder.0);
    print!("{compared}");
    assert!(compared.contains(", 0 failures, "), "{compared}");
    assert!(lost.is_empty(), "{}", lost.join("\n"));
    assert!(located > 10_000, "only {located} functions: is this a standard library?");
}

/// A source map as `tests/syntax/stdlib_round_trip.py` reads it.
fn map_lines(mappings: &[Mapping]) -> String {
    let line = |Mapping { generated, origin }: &Mapping| {
        format!("{} {} {} {}\n", generated.start, generated.end, origin.start, origin.end)
    };
    mappings.iter().map(line).collect()
}

/// The lines of `functions.tsv` by the number of their file.
fn functions_by_file(folder: &Path) -> BTreeMap<usize, Vec<String>> {
    let table = fs::read_to_string(folder.join("functions.tsv")).unwrap();
    let mut functions = BTreeMap::<usize, Vec<String>>::new();
    for line in table.lines() {
        let (number, function) = line.split_once('\t').unwrap();
        functions.entry(number.parse().unwrap()).or_default().push(function.to_owned());
    }
    functions
}

/// Whether exactly one place is found for a function of CPython.
fn find(module: &Module, source: &str, line: &str) -> Result<(), String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, qualname, first_line, position, parameters] = fields[..] else { panic!("{line}") };
    let parameters: Vec<&str> = parameters.split(',').filter(|name| !name.is_empty()).collect();
    let numbers: Vec<u32> = position.split(',').filter_map(|number| number.parse().ok()).collect();
    let query = FunctionQuery {
        name,
        qualname,
        first_line: first_line.parse().unwrap(),
        lambda_position: numbers.first_chunk().map(|[line, column, end, last]| (*line, *column, *end, *last)),
        parameters: &parameters,
    };
    match find_function(module, source, &query) {
        Ok(located) if located.kind.params().iter().count() == parameters.len() => Ok(()),
        Ok(located) => Err(format!("wrong place {:?}", located.kind.span())),
        // Some versions give the code of `lambda: 0` no position: then two on a line are refused.
        Err(LocateError::Ambiguous { .. }) if name == "<lambda>" && position.is_empty() => Ok(()),
        Err(error) => Err(format!("{error:?}")),
    }
}

/// Mappings lie in both texts, nest, and map every name to itself.
fn check_mappings(file: &str, source: &str, module: &Module, text: &str, mappings: &[Mapping]) {
    let mut open: Vec<Mapping> = Vec::new();
    for mapping in mappings {
        assert!(mapping.generated.start < mapping.generated.end, "{file}: empty {mapping:?}");
        assert!(mapping.generated.end as usize <= text.len(), "{file}: {mapping:?}");
        assert!(mapping.origin.end as usize <= source.len(), "{file}: {mapping:?}");
        open.retain(|outer| outer.generated.end > mapping.generated.start);
        if let Some(outer) = open.last() {
            assert!(outer.generated.contains(mapping.generated), "{file}: {outer:?} cuts {mapping:?}");
            let is_if = text[mapping.generated.start as usize..].starts_with("elif");
            assert!(
                is_if || outer.origin.contains(mapping.origin),
                "{file}: {outer:?} does not hold {mapping:?}"
            );
        }
        open.push(*mapping);
    }
    let mut names = Names::default();
    names.visit_body(&module.body);
    for mapping in mappings {
        let origin = (mapping.origin.start, mapping.origin.end);
        if names.0.contains_key(&origin) && mapping.origin.text(source).is_ascii() {
            assert_eq!(mapping.generated.text(text), mapping.origin.text(source), "{file}: {mapping:?}");
        }
    }
}

/// The spans of all names.
#[derive(Default)]
struct Names(BTreeMap<(u32, u32), ()>);

impl<'a> Visitor<'a> for Names {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr.kind {
            ExprKind::Name { .. } => {
                self.0.insert((expr.span.start, expr.span.end), ());
            }
            // What is inside an f-string is copied with it and has no mapping of its own.
            ExprKind::FString(_) => {}
            _ => walk_expr(self, expr),
        }
    }
}

/// Every f-string: its text and its parts, as a Python tuple.
#[derive(Default)]
struct FStrings(String);

impl FStrings {
    fn parts(parts: &[FStringPart]) -> String {
        let part = |part: &FStringPart| match part {
            FStringPart::Literal(text) => text.to_string(),
            FStringPart::Interpolation { value, conversion, spec, debug } => {
                let debug = debug.as_ref().map_or(String::new(), |text| format!("{text}, "));
                let value = string_literal(&unparse_expr(value));
                let conversion = conversion.map_or("None".to_owned(), |conversion| format!("'{conversion}'"));
                let spec = spec.as_ref().map_or("None".to_owned(), |spec| Self::parts(spec));
                format!("{debug}[{value}, {conversion}, {spec}]")
            }
        };
        let parts: Vec<String> = parts.iter().map(part).collect();
        format!("[{}]", parts.join(", "))
    }
}

impl<'a> Visitor<'a> for FStrings {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let ExprKind::FString(fstring) = &expr.kind
            && !fstring.is_template
        {
            let parts = Self::parts(&fstring.parts);
            self.0.push_str(&format!("({}, {parts})\0", string_literal(&fstring.text)));
        }
        walk_expr(self, expr);
    }
}

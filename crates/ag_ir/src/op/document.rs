//! Makes `docs/ops.md` from the tables of ops and compares it with the file; `AG_BLESS=1` writes it.

#![allow(clippy::unwrap_used)]

use super::forms::FORMS;
use super::properties::ROWS;
use super::results::RESULTS;
use super::{
    BinaryOp, CompareOp, DTypeRule, Derivative, Fails, Overflow, ReduceOp, Rounding, Takes, UnaryOp,
};
use crate::types::DType;

const HEAD: &str = "# Ops

What a node of the graph does. Written by `crates/ag_ir/src/op/document.rs` from the tables of ops, `op/table.rs`,
`op/forms.rs`, `op/results.rs` and `op/properties.rs` in `crates/ag_ir/src`; what an op of no regular family means is in
`op.rs` beside them. `tests/test_ops_against_numpy.py` holds the first tables against the Python functions they name, in
the interpreter and in the engine.

*Near* is how many units in the last place a float may be away from what that function gives, *checked* whether the
op fails where a Python int would leave 64 bits. An operand without a kind is any array; the kinds are those of
`OperandKind` in `op/columns.rs`, the words of what an op returns those of `ResultRule` in `op/results.rs`.
";

fn types(takes: Takes) -> String {
    let names: Vec<&str> =
        DType::ALL.into_iter().filter(|dtype| takes.holds(*dtype)).map(DType::name).collect();
    names.join(" ")
}

fn near(rounding: Rounding, takes: Takes) -> String {
    match rounding {
        _ if !takes.holds(DType::F64) => String::new(),
        Rounding::Alike | Rounding::Ulps(0) => "exact".to_owned(),
        Rounding::Ulps(ulps) => ulps.to_string(),
    }
}

const fn derivative(derivative: Derivative) -> &'static str {
    match derivative {
        Derivative::Smooth | Derivative::Moved => "yes",
        Derivative::Zero => "zero",
    }
}

const fn checked(fails: Fails) -> &'static str {
    match fails {
        Fails::Never => "",
        Fails::May | Fails::OfIntegers => "yes",
    }
}

/// A table of the document: its title, its columns, its rows.
fn table(title: &str, columns: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let head = line(columns.iter().map(ToString::to_string).collect());
    let rule = line(columns.iter().map(|_| "---".to_owned()).collect());
    let rows: String = rows.iter().cloned().map(line).collect();
    format!("\n## {title}\n\n{head}{rule}{rows}")
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

fn regular() -> String {
    let columns = ["op", "Python", "takes", "gives", "checked", "derivative", "near", ""];
    let unary = UnaryOp::ALL.iter().map(|op| {
        let gives = match op.gives() {
            DTypeRule::Is(dtype) => dtype.name(),
            DTypeRule::Same(_) | DTypeRule::Drawn(..) => "the same",
        };
        let fails = checked(op.fails(Overflow::Check));
        let (takes, near) = (types(op.takes()), near(op.rounding(), op.takes()));
        let texts = [gives, fails, derivative(op.derivative()), &near, op.documentation()];
        [code(op.name()), code(op.means()), takes].into_iter().chain(texts.map(str::to_owned)).collect()
    });
    let binary = BinaryOp::ALL.iter().map(|op| {
        let fails = checked(op.fails(Overflow::Check));
        let (takes, near) = (types(op.takes()), near(op.rounding(), op.takes()));
        let texts = ["the same", fails, derivative(op.derivative()), &near, op.documentation()];
        [code(op.name()), code(op.means()), takes].into_iter().chain(texts.map(str::to_owned)).collect()
    });
    let compare = CompareOp::ALL
        .iter()
        .map(|op| vec![code(op.name()), code(op.means()), types(Takes::All), op.documentation().to_owned()]);
    let reduce = ReduceOp::ALL.iter().map(|op| {
        let others = [("arg", op.has_arg()), ("cum", op.is_cumulative())];
        let others: Vec<String> = others
            .iter()
            .filter(|(_, has)| *has)
            .map(|(word, _)| code(&format!("{word}{}", op.name())))
            .collect();
        let texts = [derivative(op.derivative()), op.documentation()].map(str::to_owned);
        [code(op.name()), code(op.means()), types(op.takes()), others.join(", ")]
            .into_iter()
            .chain(texts)
            .collect()
    });
    table("Element by element, of one operand", &columns, &unary.collect::<Vec<_>>())
        + &table("Element by element, of two operands", &columns, &binary.collect::<Vec<_>>())
        + &table("Comparisons", &["op", "Python", "takes", ""], &compare.collect::<Vec<_>>())
        + &table(
            "Reductions",
            &["op", "Python", "takes", "also", "derivative", ""],
            &reduce.collect::<Vec<_>>(),
        )
}

/// The name of the op in a pattern.
fn variant(pattern: &str) -> &str {
    let name = pattern.trim_start_matches("Op::").trim_start_matches("List(ListOp::");
    &name[..name.find([' ', '(', '{', ')']).unwrap_or(name.len())]
}

/// A rule without what only the compiler needs.
fn rule(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace(['*', '&'], "").replace(".as_slice()", "").replace("DType::", "")
}

fn results() -> String {
    let rows: Vec<Vec<String>> = RESULTS
        .iter()
        .map(|(pattern, results)| {
            let list = if pattern.contains("ListOp::") { "List" } else { "" };
            vec![code(&format!("{list}{}", variant(pattern))), code(&rule(results))]
        })
        .collect();
    table("Results", &["op", "returns"], &rows)
}

fn properties() -> String {
    let columns = ["op", "fails", "effect", "ends", "batching", "updates", "derivative", "cost", "folds"];
    let rows: Vec<Vec<String>> = ROWS
        .iter()
        .map(|(pattern, cells)| {
            // A cell that is no word refers to the op's attributes.
            let is_plain = |cell: &str| cell.chars().all(char::is_alphanumeric);
            let cell = |cell: &&str| {
                if is_plain(cell) { (*cell).to_owned() } else { "by its attributes".to_owned() }
            };
            std::iter::once(code(variant(pattern))).chain(cells.iter().map(cell)).collect()
        })
        .collect();
    table("Of all ops", &columns, &rows)
}

/// The word of a row; for a family, the word of each op with the same beginning.
fn words(word: &str) -> String {
    let parts: Vec<&str> = word.trim_matches(['(', ')']).split_whitespace().collect();
    match parts[..] {
        [word] => code(word.trim_matches('"')),
        ["\"\"", family, _] => format!("each of `{family}`"),
        [prefix, family, _] => format!("`{}` and each of `{family}`", prefix.trim_matches('"')),
        _ => unreachable!("a row with the word {word}"),
    }
}

/// An operand, with the kind of which it is, if that is not any array.
fn operand(name: &str, more: &str, kind: &str) -> String {
    let kind = match kind {
        "" => String::new(),
        kind if kind.contains('.') || kind.contains('*') => ": by its attributes".to_owned(),
        kind => format!(": {kind}"),
    };
    format!("{}{more}{kind}", code(name))
}

fn forms() -> String {
    let rows: Vec<Vec<String>> = FORMS
        .iter()
        .map(|(word, fixed, rest, attributes, regions)| {
            let fixed = fixed.iter().map(|(name, kind)| operand(name, "", kind));
            let rest = rest.iter().map(|(name, kind)| operand(name, "…", kind));
            let attributes = attributes.iter().map(|(name, kind)| format!("{}: {kind}", code(name)));
            let regions = regions.iter().map(|name| code(name));
            vec![
                words(word),
                fixed.chain(rest).collect::<Vec<_>>().join(", "),
                attributes.collect::<Vec<_>>().join(", "),
                regions.collect::<Vec<_>>().join(", "),
            ]
        })
        .collect();
    table("Nodes", &["op", "operands", "attributes", "regions"], &rows)
}

#[test]
fn the_document_is_what_the_tables_say() {
    let text = HEAD.to_owned() + &regular() + &forms() + &results() + &properties();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ops.md");
    if std::env::var_os("AG_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), text, "AG_BLESS=1 writes it anew");
}

#[test]
fn no_two_ops_have_one_name() {
    let names = UnaryOp::ALL.iter().map(|op| op.name());
    let names = names.chain(BinaryOp::ALL.iter().map(|op| op.name()));
    let names = names.chain(CompareOp::ALL.iter().map(|op| op.name()));
    let mut names: Vec<&str> = names.chain(ReduceOp::ALL.iter().map(|op| op.name())).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(UnaryOp::ALL.iter().all(|op| UnaryOp::named(op.name()) == Some(*op)));
    assert!(BinaryOp::ALL.iter().all(|op| BinaryOp::of_builder(op.builder_name()) == Some(*op)));
}

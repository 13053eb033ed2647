//! How long conversion takes, and how its time grows: `cargo run --release -p ag_convert --example convert_speed`.

use std::fmt::Write;
use std::time::{Duration, Instant};

use ag_convert::{Options, convert};
use ag_syntax::{FunctionQuery, find_function, parse_module};

const NUMERICAL: &str = include_str!("../../../benchmarks/functions/numerical_94.py");

fn main() {
    let parameters = ["matrix", "right", "tolerance", "limit", "omega", "trace"];
    measure("numerical, 94 lines", NUMERICAL, "solve", &parameters);
    for count in [1_000, 2_000, 4_000, 10_000] {
        measure(&format!("{count} straight-line statements"), &straight_line(count), "f", &["x"]);
    }
    for count in [100, 1_000] {
        measure(&format!("{count} branches in a row"), &branches(count), "f", &["x"]);
        measure(&format!("{count} statements in a try"), &in_try(count), "f", &["x"]);
    }
}

/// Prints the best of many runs.
fn measure(title: &str, source: &str, name: &str, parameters: &[&str]) {
    let query = FunctionQuery { name, qualname: name, first_line: 1, lambda_position: None, parameters };
    let (mut parsing, mut converting, mut lines) = (Duration::MAX, Duration::MAX, 0);
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(500) {
        let before = Instant::now();
        let Ok(module) = parse_module(source) else { return println!("{title}: does not parse") };
        parsing = parsing.min(before.elapsed());
        let Ok(located) = find_function(&module, source, &query) else {
            return println!("{title}: not found");
        };
        let before = Instant::now();
        let Ok(converted) = convert(&module, &located, &Options::default()) else {
            return println!("{title}: not converted");
        };
        converting = converting.min(before.elapsed());
        lines = converted.text.lines().count();
    }
    let written = source.lines().count();
    println!(
        "{title}: parse {:.3} ms, convert {:.3} ms, {written} lines to {lines} ({:.2} times)",
        parsing.as_secs_f64() * 1e3,
        converting.as_secs_f64() * 1e3,
        lines as f64 / written as f64,
    );
}

fn straight_line(count: usize) -> String {
    let mut text = String::from("def f(x):\n    v0 = x\n");
    for index in 1..count {
        let _ = writeln!(text, "    v{index} = v{} * {index} + g(x, v{})", index - 1, index / 2);
    }
    let _ = writeln!(text, "    return v{}", count - 1);
    text
}

fn branches(count: usize) -> String {
    let mut text = String::from("def f(x):\n    y = 0\n");
    for index in 0..count {
        let _ = writeln!(text, "    if x > {index}:\n        y += {index}\n        t{index} = y");
    }
    text.push_str("    return y\n");
    text
}

fn in_try(count: usize) -> String {
    let mut text = String::from("def f(x):\n    v0 = x\n    try:\n");
    for index in 1..count {
        let _ = writeln!(text, "        v{index} = v{} + g({index})", index - 1);
    }
    text.push_str("    except ValueError:\n        return v0\n    return v1\n");
    text
}

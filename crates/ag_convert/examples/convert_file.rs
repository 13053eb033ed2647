//! Converts functions of a file: the door for tests that are driven by Python.
//!
//! `convert_file PATH` reads one query a line from the standard input: name, qualified name, first line, parameters
//! (with commas), position of an instruction of a lambda (four numbers with commas, or nothing), by
//! tabs. For each it writes `ok`, name, free variables, name of the operators, generated functions and
//! the length of the text in bytes, by tabs, then the text; or `error` and the message.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use ag_convert::{Options, convert};
use ag_syntax::{FunctionQuery, find_function, parse_module};

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: convert_file PATH < queries");
        return ExitCode::FAILURE;
    };
    match run(&path) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(path: &str) -> std::io::Result<()> {
    let source = std::fs::read_to_string(path)?;
    let module = parse_module(&source).map_err(|error| std::io::Error::other(error.message))?;
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, qualname, first_line, parameters, position] = fields[..] else {
            return Err(std::io::Error::other("a query has five fields"));
        };
        let parameters: Vec<&str> = parameters.split(',').filter(|name| !name.is_empty()).collect();
        let numbers: Vec<u32> = position.split(',').filter_map(|number| number.parse().ok()).collect();
        let lambda_position = match numbers[..] {
            [a, b, c, d] => Some((a, b, c, d)),
            _ => None,
        };
        let first_line = first_line.parse().map_err(std::io::Error::other)?;
        let query = FunctionQuery { name, qualname, first_line, lambda_position, parameters: &parameters };
        let converted = find_function(&module, &source, &query)
            .map_err(|error| vec![error.to_diagnostic()])
            .and_then(|located| convert(&module, &located, &Options::default()));
        match converted {
            Ok(converted) => {
                let free = converted.free_variables.join(",");
                let generated = converted.generated_functions.join(",");
                let (name, operators) = (&converted.function_name, &converted.operators_name);
                writeln!(out, "ok\t{name}\t{free}\t{operators}\t{generated}\t{}", converted.text.len())?;
                out.write_all(converted.text.as_bytes())?;
            }
            Err(diagnostics) => {
                let messages: Vec<String> =
                    diagnostics.iter().map(|error| format!("{} {}", error.code, error.message)).collect();
                writeln!(out, "error\t{}", messages.join("; "))?;
            }
        }
    }
    Ok(())
}

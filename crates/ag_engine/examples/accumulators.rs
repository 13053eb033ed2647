//! Measures what a backward pass does: a recursion that hands on arrays and adds to them, tapes, products
//! that are added up.
//!
//! ```text
//! cargo run --release -p ag_engine --example accumulators
//! ```

use std::error::Error;
use std::time::{Duration, Instant};

use ag_engine::{Executable, Input, Output};
use ag_ir::{Array, DType, Host, HostError, read};

type Outcome<T> = Result<T, Box<dyn Error>>;

struct Silent;

impl Host for Silent {
    fn print(&mut self, _: u32, _: &[Array]) -> Result<(), HostError> {
        Ok(())
    }
}

/// The depth of the recursion, and the repetitions of the loops.
const COUNT: i64 = 1000;

/// `f(n, w, x)` gives `w` with `UPDATE` done to it `n` times, on the way back.
const RECURSION: &str = "
function main(%0: i64[], %1: f64[150, 300], %2: f64[150], %3: f64[300]) {
  %4: f64[150, 300] = call %0, %1, %2, %3 callee=0
  return %4
}
function f(%0: i64[], %1: f64[150, 300], %2: f64[150], %3: f64[300]) {
  %4: i64[] = constant 0
  %5: i64[] = constant 1
  %6: bool[] = le %0, %4
  %7: f64[150, 300] = if %6 then { yield %1 } else {
    %8: i64[] = sub %0, %5
    %9: f64[150, 300] = call %8, %1, %2, %3 callee=0
    UPDATE
    yield %10
  }
  return %7
}";

const UPDATES: &[(&str, &str)] = &[
    ("nothing", "%10: f64[150, 300] = reshape %9"),
    ("a row is added to", "%10: f64[150, 300] = scatter_add %9, %3, %4 axis=0"),
    ("a rank-one product is added", "%11: f64[150, 300] = dot %2, %3 DOT %10: f64[150, 300] = add %9, %11"),
];

/// Loops that put values on a tape, and take them off.
const TAPES: &str = "
function main(%0: i64[], %1: TYPE) {
  %2: i64[] = constant 0
  %3: i64[] = constant 1
  for %2, %0, %3 body(%4: i64[]) { tape_push %1 tape=0 yield }
  %5: TYPE = for %2, %0, %3, %1 body(%6: i64[], %7: TYPE) {
    %8: TYPE = tape_pop tape=0
    yield %8
  }
  return %5
}";

/// `w += dot(x, y)` in a loop.
const PRODUCTS: &str = "
function main(%0: i64[], %1: RESULT, %2: LEFT, %3: RIGHT) {
  %4: i64[] = constant 0
  %5: i64[] = constant 1
  %6: RESULT = for %4, %0, %5, %1 body(%7: i64[], %8: RESULT) {
    PRODUCT
    %10: RESULT = add %8, %9
    yield %10
  }
  return %6
}";

/// The least time of some runs on inputs that are all small numbers.
fn measure(text: &str, count: i64) -> Outcome<Duration> {
    let function = read(text).map_err(|error| format!("{error}\n{text}"))?;
    ag_ir::verify(&function).map_err(|errors| format!("{errors:?}"))?;
    let executable = Executable::compile(&function).map_err(|error| error.to_string())?;
    let sizes = |value| function.tensor(value).sizes().ok_or("an array of unknown size");
    let memory = |sizes: &[usize]| 1e-3_f64.to_ne_bytes().repeat(sizes.iter().product());
    let (mut shapes, mut held) = (Vec::new(), Vec::new());
    for param in &function.body.params {
        shapes.push(sizes(*param)?);
        held.push(memory(&sizes(*param)?));
    }
    held[0] = count.to_ne_bytes().to_vec();
    let result_sizes = sizes(function.body.results[0])?;
    let mut result = memory(&result_sizes);
    let mut least = Duration::MAX;
    for _ in 0..7 {
        let mut inputs = Vec::new();
        for (number, bytes) in held.iter().enumerate() {
            let dtype = function.tensor(function.body.params[number]).dtype;
            inputs.push(Input::new(dtype, &shapes[number], bytes)?);
        }
        let mut outputs = [Output::new(DType::F64, &result_sizes, &mut result)?];
        let start = Instant::now();
        executable.run(&inputs, &mut outputs, &mut Silent).map_err(|error| format!("{:?}", error.failure))?;
        least = least.min(start.elapsed());
    }
    Ok(least)
}

fn show(what: &str, time: Duration, count: i64) {
    println!("{what:<48} {:>10.3} µs each", time.as_secs_f64() * 1e6 / count as f64);
}

fn main() -> Outcome<()> {
    for (what, update) in UPDATES {
        let text = RECURSION.replace("UPDATE", update);
        let text = text.replace("DOT", "left_batch=[] right_batch=[] left_contract=[] right_contract=[]");
        show(&format!("recursion, f64[150, 300]: {what}"), measure(&text, COUNT)?, COUNT);
    }
    for (ty, count) in
        [("f64[]", 1_000_000), ("f64[8]", 100_000), ("f64[1000]", 10_000), ("f64[131072]", 100)]
    {
        show(&format!("tape, {ty}: on and off"), measure(&TAPES.replace("TYPE", ty), count)?, count);
    }
    for (left, right, result, contract, is_transposed) in [
        ("f64[150]", "f64[300]", "f64[150, 300]", ["", ""], false),
        ("f64[150]", "f64[300]", "f64[300, 150]", ["", ""], true),
        ("f64[150, 300]", "f64[300]", "f64[150]", ["1", "0"], false),
        ("f64[16, 64]", "f64[16, 64]", "f64[64, 64]", ["0", "0"], false),
        ("f64[16, 256]", "f64[16, 256]", "f64[256, 256]", ["0", "0"], false),
    ] {
        let axes = format!(
            "left_batch=[] right_batch=[] left_contract=[{}] right_contract=[{}]",
            contract[0], contract[1]
        );
        let product = if is_transposed {
            format!("%11: f64[150, 300] = dot %2, %3 {axes} %9: {result} = transpose %11 axes=[1, 0]")
        } else {
            format!("%9: {result} = dot %2, %3 {axes}")
        };
        let text = PRODUCTS.replace("PRODUCT", &product);
        let text = text.replace("RESULT", result).replace("LEFT", left).replace("RIGHT", right);
        let what = format!("{result} += {left} . {right}{}", if is_transposed { ", transposed" } else { "" });
        show(&what, measure(&text, COUNT)?, COUNT);
    }
    Ok(())
}

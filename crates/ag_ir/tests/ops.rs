//! Every op of the interpreter against what NumPy gives, and the ways in which ops fail.

#![allow(clippy::unwrap_used)]

use ag_ir::{Array, DType, Failure, Function, Host, HostError, RunError, interpret, read, verify};

struct Silent;

impl Host for Silent {
    fn print(&mut self, _: u32, _: &[Array]) -> Result<(), HostError> {
        Ok(())
    }
}

fn valid(text: &str) -> Function {
    let function = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&function).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    function
}

fn run(text: &str) -> Result<Vec<Array>, RunError> {
    interpret(&valid(text), &[], &mut Silent)
}

/// The text of a function that applies an op to constants, and returns the result and the one
/// expected.
fn function_of(op: &str, attributes: &str, operands: &[&str], expected: &str) -> String {
    let mut text = "function f() {\n".to_owned();
    let mut uses = Vec::new();
    for (number, operand) in operands.iter().chain([&expected]).enumerate() {
        let (ty, literal) = split_type(operand);
        text += &format!("  %{number}: {ty} = constant {literal}\n");
        uses.push(format!("%{number}"));
    }
    let wanted = uses.pop().unwrap();
    let ty = split_type(expected).0;
    text + &format!("  %99: {ty} = {op} {} {attributes}\n  return %99, {wanted}\n}}\n", uses.join(", "))
}

fn split_type(text: &str) -> (&str, &str) {
    let (ty, literal) = text.split_once("] ").unwrap();
    (&text[..=ty.len()], literal)
}

fn floats(array: &Array) -> Vec<f64> {
    match array.dtype {
        DType::F32 => {
            array.bytes.as_chunks::<4>().0.iter().map(|chunk| f64::from(f32::from_ne_bytes(*chunk))).collect()
        }
        DType::F64 => array.bytes.as_chunks::<8>().0.iter().map(|chunk| f64::from_ne_bytes(*chunk)).collect(),
        _ => Vec::new(),
    }
}

/// Equal to the bit, but any NaN for any; or, if near, to a few of the last bits.
fn agree(actual: &Array, expected: &Array, near: bool) -> bool {
    let tolerance = match (near, actual.dtype) {
        (false, _) => 0.0,
        (true, DType::F32) => 1e-6,
        (true, _) => 4e-15,
    };
    let same = |(x, y): (&f64, &f64)| {
        let is_equal = x == y && x.is_sign_negative() == y.is_sign_negative();
        is_equal || (x.is_nan() && y.is_nan()) || (near && (x - y).abs() <= tolerance * y.abs())
    };
    let same_type = actual.dtype == expected.dtype && actual.sizes == expected.sizes;
    if actual.dtype.is_float() {
        return same_type && floats(actual).iter().zip(&floats(expected)).all(same);
    }
    same_type && actual.bytes == expected.bytes
}

#[test]
fn ops_give_what_numpy_gives() {
    let table = include_str!("../../../tests/ir/ops/table.txt");
    let mut faults = Vec::new();
    for line in table.lines() {
        let fields: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let [how, op, attributes, operands @ .., expected] = &fields[..] else { panic!("{line}") };
        let text = function_of(op, attributes, operands, expected.trim_start_matches("= "));
        match run(&text) {
            Ok(results) if agree(&results[0], &results[1], *how == "near") => {}
            Ok(results) if results[0].dtype.is_float() => faults.push(format!(
                "{line}\n  gave {:?}\n  not  {:?}",
                floats(&results[0]),
                floats(&results[1])
            )),
            Ok(results) => faults.push(format!("{line}\n  gave {:?}", results[0])),
            Err(error) => faults.push(format!("{line}\n  failed with {:?}", error.failure)),
        }
    }
    assert!(table.lines().count() > 300);
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// What an op fails with on constants.
fn failure(op: &str, attributes: &str, operands: &[&str], result: &str) -> String {
    match run(&function_of(op, attributes, operands, result)) {
        Ok(_) => "no failure".to_owned(),
        Err(error) => format!("{:?}", error.failure),
    }
}

#[test]
fn ops_fail_where_python_does() {
    const MOST: &str = "i64[] 9223372036854775807";
    const LEAST: &str = "i64[] -9223372036854775808";
    const X: &str = "f64[3] [1.0, 2.0, 3.0]";
    let cases: &[(&str, &str, &[&str], &str, &str)] = &[
        ("add.checked", "", &[MOST, "i64[] 1"], MOST, "Overflow"),
        ("add.checked", "", &[MOST, "i64[] 0"], MOST, "no failure"),
        ("add", "", &[MOST, "i64[] 1"], LEAST, "no failure"),
        ("sub.checked", "", &[LEAST, "i64[] 1"], MOST, "Overflow"),
        ("mul.checked", "", &[LEAST, "i64[] -1"], MOST, "Overflow"),
        ("floor_div.checked", "", &[LEAST, "i64[] -1"], MOST, "Overflow"),
        ("floor_div.checked", "", &[LEAST, "i64[] 1"], MOST, "no failure"),
        ("mod.checked", "", &[LEAST, "i64[] -1"], MOST, "no failure"),
        ("pow.checked", "", &["i64[] 2", "i64[] 63"], MOST, "Overflow"),
        ("pow.checked", "", &["i64[] -2", "i64[] 63"], MOST, "no failure"),
        ("pow", "", &["i64[] 2", "i64[] -1"], MOST, "NegativePower"),
        ("pow", "", &["u8[] 2", "u8[] 255"], "u8[] 0", "no failure"),
        ("neg.checked", "", &[LEAST], MOST, "Overflow"),
        ("abs.checked", "", &[LEAST], MOST, "Overflow"),
        ("gather", "axis=0", &[X, "i64[] 3"], "f64[] 0.0", "Index { index: 3, axis: 0, size: 3 }"),
        (
            "gather",
            "axis=0",
            &[X, "i64[2] [-3, -4]"],
            "f64[2] [0.0, 0.0]",
            "Index { index: -4, axis: 0, size: 3 }",
        ),
        ("gather", "axis=0", &["f64[0] []", "i64[] 0"], "f64[] 0.0", "Index { index: 0, axis: 0, size: 0 }"),
        ("gather", "axis=0", &["f64[0] []", "i64[0] []"], "f64[0] []", "no failure"),
        ("scatter", "axis=0", &[X, "f64[] 1.0", "u8[] 9"], X, "Index { index: 9, axis: 0, size: 3 }"),
        (
            "dynamic_slice",
            "axis=0 size=2",
            &[X, "i64[] 2"],
            "f64[2] [0.0, 0.0]",
            "Index { index: 2, axis: 0, size: 3 }",
        ),
        (
            "dynamic_slice",
            "axis=0 size=2",
            &[X, "i64[] -1"],
            "f64[2] [0.0, 0.0]",
            "Index { index: -1, axis: 0, size: 3 }",
        ),
        (
            "dynamic_update_slice",
            "axis=0",
            &[X, "f64[1] [1.0]", "i64[] 3"],
            X,
            "Index { index: 3, axis: 0, size: 3 }",
        ),
    ];
    for (op, attributes, operands, result, expected) in cases {
        assert_eq!(failure(op, attributes, operands, result), *expected, "{op} {operands:?}");
    }
}

fn integers(text: &str) -> Vec<i64> {
    let arrays = run(text).unwrap();
    arrays
        .iter()
        .flat_map(|array| array.bytes.as_chunks::<8>().0)
        .map(|chunk| i64::from_ne_bytes(*chunk))
        .collect()
}

/// A `for` that gives the last index (or -99) and how many there were.
fn counted(start: i64, stop: i64, step: i64) -> Vec<i64> {
    integers(&format!(
        "function f() {{ %0: i64[] = constant {start} %1: i64[] = constant {stop} %2: i64[] = constant {step} \
         %3: i64[] = constant -99 %4: i64[] = constant 0 %5: i64[] = constant 1 \
         %6: i64[], %7: i64[] = for %0, %1, %2, %3, %4 body(%8: i64[], %9: i64[], %10: i64[]) {{ \
         %11: i64[] = add %10, %5 yield %8, %11 }} return %6, %7 }}"
    ))
}

#[test]
fn for_is_pythons_range() {
    assert_eq!(counted(0, 5, 1), [4, 5]);
    assert_eq!(counted(0, 5, 2), [4, 3]);
    assert_eq!(counted(5, 0, -2), [1, 3]);
    assert_eq!(counted(5, 0, 1), [-99, 0]);
    assert_eq!(counted(0, 5, -1), [-99, 0]);
    assert_eq!(counted(i64::MAX - 1, i64::MAX, 5), [i64::MAX - 1, 1]);
    assert_eq!(counted(i64::MIN + 1, i64::MIN, -5), [i64::MIN + 1, 1]);
}

/// Greatest common divisor, and a branch.
#[test]
fn while_and_if_run() {
    let text = "function f() { %0: i64[] = constant 1071 %1: i64[] = constant 462 %2: i64[] = constant 0 \
        %3: i64[], %4: i64[] = while %0, %1 test(%5: i64[], %6: i64[]) { %7: bool[] = ne %6, %2 yield %7 } \
        body(%8: i64[], %9: i64[]) { %10: i64[] = mod %8, %9 yield %9, %10 } \
        %11: bool[] = gt %3, %4 \
        %12: i64[], %13: i64[] = if %11 then { yield %3, %0 } else { yield %4, %1 } return %12, %13 }";
    assert_eq!(integers(text), [21, 1071]);
}

#[derive(Default)]
struct Talking {
    shown: Vec<String>,
    polls_left: usize,
}

impl Host for Talking {
    fn print(&mut self, site: u32, values: &[Array]) -> Result<(), HostError> {
        self.shown
            .push(format!("{site} {:?}", values.iter().map(|value| value.bytes[0]).collect::<Vec<_>>()));
        if site == 13 { Err(Box::new("raised")) } else { Ok(()) }
    }

    fn poll(&mut self) -> Result<(), HostError> {
        let left = self.polls_left.checked_sub(1);
        self.polls_left = left.ok_or_else(|| -> HostError { Box::new("interrupted") })?;
        Ok(())
    }
}

fn told(text: &str, polls_left: usize) -> (Vec<String>, String) {
    let mut host = Talking { polls_left, ..Talking::default() };
    let outcome = match interpret(&valid(text), &[], &mut host) {
        Ok(_) => "ended".to_owned(),
        Err(RunError { failure: Failure::Host(error), location, .. }) => {
            format!("{} {location:?}", error.downcast_ref::<&str>().unwrap())
        }
        Err(RunError { failure, location, .. }) => format!("{failure:?} {location:?}"),
    };
    (host.shown, outcome)
}

#[test]
fn effects_keep_their_order() {
    let text = "function f() { %0: bool[] = constant true %1: bool[] = constant false \
        print %0, %1 site=4 check %0 error=\"E\" message=\"holds\" print %1 site=5 \
        check %1, %0 error=\"ValueError\" message=\"no\" site=8 loc(a.py:1:0) print %0 site=6 return }";
    let (shown, outcome) = told(text, 0);
    assert_eq!(shown, ["4 [1, 0]", "5 [0]"]);
    assert_eq!(
        outcome,
        "Check { error: \"ValueError\", message: \"no\", site: Some(8), \
         values: [Array { dtype: Bool, sizes: [], bytes: [1] }] } Some(LocationId(0))"
    );
    let raising =
        "function f() { %0: u8[] = constant 7 print %0 site=13 loc(a.py:1:0) print %0 site=1 return }";
    assert_eq!(told(raising, 0), (vec!["13 [7]".to_owned()], "raised Some(LocationId(0))".to_owned()));
}

#[test]
fn the_host_can_stop_a_loop_that_does_not_end() {
    let text = "function f() { %0: bool[] = constant true \
        while test { yield %0 } body { yield } loc(a.py:1:0) return }";
    assert_eq!(told(text, 1000).1, "interrupted Some(LocationId(0))");
}

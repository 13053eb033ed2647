//! Calls: recursion, arrays, effects, depth, failures.

use ag_ir::{Array, DType, Failure, Function, Host, HostError, read};

use super::{Recorder, check, numbers, run_for, scalar_i64};
use crate::isa::Isa;

fn graph(text: &str) -> Function {
    let function = read(text).unwrap();
    ag_ir::verify(&function).unwrap_or_else(|errors| panic!("{errors:?}"));
    function
}

fn integer(results: &[Array]) -> i64 {
    i64::from_ne_bytes(results[0].bytes[..].try_into().unwrap())
}

const FACTORIAL: &str = "
function main(%0: i64[]) { %1: i64[] = call %0 callee=0 return %1 }
function factorial(%0: i64[]) {
  %1: i64[] = constant 0
  %2: bool[] = eq %0, %1
  %3: i64[] = if %2 then { %4: i64[] = constant 1 yield %4 } else {
    %5: i64[] = constant 1
    %6: i64[] = sub %0, %5
    %7: i64[] = call %6 callee=0
    %8: i64[] = mul.checked %0, %7
    yield %8
  }
  return %3
}";

#[test]
fn a_factorial() {
    let results = check(&graph(FACTORIAL), &[scalar_i64(20)]).unwrap();
    assert_eq!(integer(&results), 2_432_902_008_176_640_000);
    // The overflow happens below other calls, which return without going on.
    assert!(check(&graph(FACTORIAL), &[scalar_i64(21)]).is_none());
}

#[test]
fn even_and_odd_call_each_other() {
    let text = "
function main(%0: i64[]) { %1: bool[] = call %0 callee=0 return %1 }
function even(%0: i64[]) {
  %1: i64[] = constant 0
  %2: bool[] = eq %0, %1
  %3: bool[] = if %2 then { %4: bool[] = constant true yield %4 } else {
    %5: i64[] = constant 1
    %6: i64[] = sub %0, %5
    %7: bool[] = call %6 callee=1
    yield %7
  }
  return %3
}
function odd(%0: i64[]) {
  %1: i64[] = constant 0
  %2: bool[] = eq %0, %1
  %3: bool[] = if %2 then { %4: bool[] = constant false yield %4 } else {
    %5: i64[] = constant 1
    %6: i64[] = sub %0, %5
    %7: bool[] = call %6 callee=0
    yield %7
  }
  return %3
}";
    for (n, is_even) in [(0, 1), (1, 0), (10, 1), (777, 0)] {
        let results = check(&graph(text), &[scalar_i64(n)]).unwrap();
        assert_eq!(results[0].bytes, [is_even]);
    }
}

/// Returns an array, a scalar and another array; has an array of its own across the call.
const ARRAYS: &str = "
function main(%0: i64[], %1: f64[5]) {
  %2: f64[5], %3: i64[], %4: f64[5] = call %0, %1 callee=0
  %5: f64[5] = add %2, %4
  return %5, %3, %2
}
function deep(%0: i64[], %1: f64[5]) {
  %2: i64[] = constant 0
  %3: bool[] = le %0, %2
  %4: f64[5], %5: i64[], %6: f64[5] = if %3 then { yield %1, %0, %1 } else {
    %7: i64[] = constant 1
    %8: i64[] = sub %0, %7
    %9: f64[5] = sin %1
    %10: f64[5] = mul %9, %1
    %11: f64[5], %12: i64[], %13: f64[5] = call %8, %10 callee=0
    %14: f64[5] = add %11, %9
    %15: i64[] = add %12, %0
    print %15 site=3
    yield %14, %15, %13
  }
  return %4, %5, %6
}";

#[test]
fn arrays_and_several_results() {
    let x = Array {
        dtype: DType::F64,
        sizes: vec![5],
        bytes: [0.5, -1.0, 2.0, 3.5, f64::NAN].iter().flat_map(|x: &f64| x.to_ne_bytes()).collect(),
    };
    for n in [0, 1, 7] {
        let results = check(&graph(ARRAYS), &[scalar_i64(n), x.clone()]).unwrap();
        assert_eq!(numbers(&results[1])[0], (n * (n + 1) / 2) as f64);
    }
}

#[test]
fn large_arrays_are_not_in_the_frame() {
    let sizes = 20_000;
    let text = ARRAYS.replace("f64[5]", &format!("f64[{sizes}]"));
    let x = Array { dtype: DType::F64, sizes: vec![sizes], bytes: 0.75_f64.to_ne_bytes().repeat(sizes) };
    check(&graph(&text), &[scalar_i64(12), x]).unwrap();
}

const SUM: &str = "
function main(%0: i64[]) { %1: i64[] = call %0 callee=0 return %1 }
function sum(%0: i64[]) {
  %1: i64[] = constant 0
  %2: bool[] = eq %0, %1
  %3: i64[] = if %2 then { yield %0 } else {
    %4: i64[] = constant 1
    %5: i64[] = sub %0, %4
    %6: i64[] = call %5 callee=0 loc(a.py:4:11)
    %7: i64[] = add %6, %0
    yield %7
  }
  return %3
}";

#[test]
fn a_million_levels() {
    let results = run_for(&graph(SUM), &[scalar_i64(1_000_000)], &mut Recorder::default(), Isa::best());
    assert_eq!(integer(&results.unwrap()), 500_000_500_000);
    // So does the interpreter, if more slowly.
    let results = ag_ir::interpret(&graph(SUM), &[scalar_i64(100_000)], &mut Recorder::default());
    assert_eq!(integer(&results.unwrap()), 5_000_050_000);
}

#[test]
fn without_an_end_it_fails_where_it_calls() {
    let error = run_for(&graph(SUM), &[scalar_i64(-1)], &mut Recorder::default(), Isa::best()).unwrap_err();
    assert!(matches!(error.failure, Failure::Recursion), "{:?}", error.failure);
    assert_eq!(error.location.map(|location| location.0), Some(0));
}

struct Interrupting(usize);

impl Host for Interrupting {
    fn print(&mut self, _: u32, _: &[Array]) -> Result<(), HostError> {
        Ok(())
    }

    fn poll(&mut self) -> Result<(), HostError> {
        self.0 += 1;
        if self.0 > 2 { Err(Box::new("stop")) } else { Ok(()) }
    }
}

#[test]
fn calls_ask_the_host() {
    let fibonacci = "
function main(%0: i64[]) { %1: i64[] = call %0 callee=0 return %1 }
function f(%0: i64[]) {
  %1: i64[] = constant 2
  %2: bool[] = lt %0, %1
  %3: i64[] = if %2 then { yield %0 } else {
    %4: i64[] = constant 1
    %5: i64[] = sub %0, %4
    %6: i64[] = call %5 callee=0
    %7: i64[] = sub %0, %1
    %8: i64[] = call %7 callee=0
    %9: i64[] = add %6, %8
    yield %9
  }
  return %3
}";
    let mut host = Interrupting(0);
    let error = run_for(&graph(fibonacci), &[scalar_i64(80)], &mut host, Isa::best()).unwrap_err();
    assert!(matches!(error.failure, Failure::Host(_)));
    assert_eq!(host.0, 3);
    let results = check(&graph(fibonacci), &[scalar_i64(15)]).unwrap();
    assert_eq!(integer(&results), 610);
}

fn row(numbers: &[f64]) -> Array {
    Array {
        dtype: DType::F64,
        sizes: vec![numbers.len()],
        bytes: numbers.iter().flat_map(|x| x.to_ne_bytes()).collect(),
    }
}

/// `w` is changed before and after the inner call, and handed on; `u` is read only; the caller of the
/// outermost call reads both afterwards.
const ACCUMULATING: &str = "
function main(%0: i64[], %1: f64[5], %2: f64[5]) {
  %3: f64[5], %4: f64[] = call %0, %1, %2 callee=0
  %5: f64[5] = add %3, %1
  %6: f64[5], %7: f64[] = call %0, %5, %5 callee=0
  return %3, %5, %6, %4, %7
}
function f(%0: i64[], %1: f64[5], %2: f64[5]) {
  %3: i64[] = constant 0
  %4: bool[] = le %0, %3
  %5: f64[5], %6: f64[] = if %4 then {
    %7: f64[] = sum %2 axes=[0]
    yield %1, %7
  } else {
    %8: i64[] = constant 1
    %9: i64[] = constant 5
    %10: i64[] = sub %0, %8
    %11: i64[] = mod %0, %9
    %12: f64[] = gather %2, %11 axis=0
    %13: f64[5] = scatter_add %1, %12, %11 axis=0
    %14: f64[5], %15: f64[] = call %10, %13, %2 callee=0
    %16: f64[5] = add %14, %2
    %17: f64[5] = scatter %16, %15, %3 axis=0
    %18: f64[] = gather %17, %11 axis=0
    yield %17, %18
  }
  return %5, %6
}";

#[test]
fn a_parameter_is_changed_where_it_is() {
    for n in [0, 1, 2, 11] {
        let inputs = [scalar_i64(n), row(&[1.0, 2.0, 3.0, 4.0, 5.0]), row(&[0.5, -1.0, 2.0, 0.0, 8.0])];
        check(&graph(ACCUMULATING), &inputs).unwrap();
        check(&graph(&ACCUMULATING.replace("f64[5]", "f64[?]")), &inputs).unwrap();
    }
}

/// Two parameters that are swapped, or returned as one and the same result, cannot both stay where they are.
#[test]
fn parameters_change_places() {
    let text = "
function main(%0: i64[], %1: f64[3], %2: f64[3]) {
  %3: f64[3], %4: f64[3], %5: f64[3] = call %0, %1, %2 callee=0
  %6: f64[3], %7: f64[3], %8: f64[3] = call %0, %3, %3 callee=0
  return %3, %4, %5, %6, %7, %8
}
function f(%0: i64[], %1: f64[3], %2: f64[3]) {
  %3: i64[] = constant 0
  %4: bool[] = le %0, %3
  %5: f64[3], %6: f64[3], %7: f64[3] = if %4 then { yield %1, %2, %1 } else {
    %8: i64[] = constant 1
    %9: i64[] = sub %0, %8
    %10: f64[3] = add %1, %2
    %11: f64[3] = sub %1, %2
    CALL
    yield %12, %13, %14
  }
  return RESULTS
}";
    for call in ["%10, %11", "%11, %10", "%10, %2", "%2, %1", "%1, %1", "%10, %10"] {
        for results in ["%5, %6, %7", "%6, %5, %7", "%5, %5, %6", "%7, %6, %5", "%6, %6, %6"] {
            let call = format!("%12: f64[3], %13: f64[3], %14: f64[3] = call %9, {call} callee=0");
            let text = text.replace("CALL", &call).replace("RESULTS", results);
            let swapped = text
                .replace("%4: bool[] = le %0, %3", "%15: f64[3] = neg %1 %4: bool[] = le %0, %3")
                .replace("yield %1, %2, %1", "yield %15, %1, %2");
            for n in [0, 1, 2, 5] {
                let inputs = [scalar_i64(n), row(&[1.0, 2.0, 3.0]), row(&[-0.5, 4.0, 2.5])];
                for text in [&text, &swapped] {
                    check(&graph(text), &inputs).unwrap();
                    check(&graph(&text.replace("f64[3]", "f64[?]")), &inputs).unwrap();
                }
            }
        }
    }
}

/// A recursion that changes a list and returns it changes it in place.
#[test]
fn lists_are_handed_over() {
    let text = "
function main(%0: i64[], %1: list<f64[]>) {
  %2: list<f64[]> = call %0, %1 callee=0
  %3: i64[] = list_length %1
  %4: list<f64[]> = call %3, %2 callee=0
  return %1, %2, %4
}
function f(%0: i64[], %1: list<f64[]>) {
  %2: i64[] = constant 0
  %3: bool[] = le %0, %2
  %4: list<f64[]> = if %3 then { yield %1 } else {
    %5: i64[] = constant 1
    %6: i64[] = sub %0, %5
    %7: f64[] = cast %0
    %8: list<f64[]> = list_append %1, %7
    %9: list<f64[]> = call %6, %8 callee=0
    %10: list<f64[]> = for %2, %0, %5, %9 body(%11: i64[], %12: list<f64[]>) {
      %13: list<f64[]> = call %2, %12 callee=0
      %14: list<f64[]> = list_set %13, %11, %7
      yield %14
    }
    yield %10
  }
  return %4
}";
    for n in [0, 1, 5] {
        check(&graph(text), &[scalar_i64(n), row(&[1.0, 2.0, 3.0])]).unwrap();
        assert_eq!(crate::lists::LIVE_BYTES.get(), 0);
    }
}

/// `w = zeros; w = f(n, w); w[n] += 1; return w`: the zeros are made where the caller wants the result.
#[test]
fn what_becomes_a_result_is_made_where_it_belongs() {
    let text = "
function main(%0: i64[], %1: f64[500]) {
  %2: f64[] = constant 0.0
  %3: f64[500] = broadcast %2
  %4: f64[500] = call %0, %3, %1 callee=0
  %5: f64[] = constant 1.0
  %6: f64[500] = scatter_add %4, %5, %0 axis=0
  return %6
}
function f(%0: i64[], %1: f64[500], %2: f64[500]) {
  %3: i64[] = constant 0
  %4: bool[] = le %0, %3
  %5: f64[500] = if %4 then { yield %1 } else {
    %6: i64[] = constant 1
    %7: i64[] = sub %0, %6
    %8: f64[500] = call %7, %1, %2 callee=0
    %9: f64[500] = add %8, %2
    yield %9
  }
  return %5
}";
    let executable = crate::Executable::compile(&graph(text)).unwrap();
    assert!(executable.report().starts_with("arena 0 bytes"), "{}", executable.report());
    let mut random = super::Random(4);
    check(&graph(text), &[scalar_i64(7), random.tame(DType::F64, &[500])]).unwrap();
    // Where the zeros are read afterwards, they are not.
    let read =
        text.replace("return %6", "%9: f64[500] = slice %3 start=[0] size=[500] step=[1] return %9, %6");
    check(&graph(&read), &[scalar_i64(7), random.tame(DType::F64, &[500])]).unwrap();
    // The node that overwrites an array reads a row of it.
    let shifted = text.replace(
        "%6: f64[500] = scatter_add %4, %5, %0 axis=0",
        "%7: f64[499] = slice %4 start=[0] size=[499] step=[1]
         %6: f64[500] = update_slice %4, %7 start=[1] step=[1]",
    );
    check(&graph(&shifted), &[scalar_i64(7), random.tame(DType::F64, &[500])]).unwrap();
}

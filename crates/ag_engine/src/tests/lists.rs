//! Compiled lists: ops, aliases, control flow, failures, and that nothing leaks.

use ag_ir::{Array, DType, Failure, Function, read, verify};

use super::{Recorder, check, run, scalar_i64};
use crate::Executable;
use crate::lists::{Cell, LIVE_BYTES};

/// A function of a list of numbers `%0`, a matrix `%1` and the integers `%10 = 0`, `%11 = 1`, …,
/// and `%19 = -1`.
fn function(lines: &str, results: &str) -> Function {
    let mut text = "function f(%0: list<i64[]>, %1: f64[3, 2]) {\n".to_owned();
    for number in 0..10 {
        let value = if number == 9 { -1 } else { number };
        text += &format!("  %{}: i64[] = constant {value}\n", number + 10);
    }
    text += &format!("{lines}\n  return {results}\n}}\n");
    let function = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&function).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    function
}

fn inputs() -> Vec<Array> {
    let numbers = [10_i64, 11, 12, 13].iter().flat_map(|value| value.to_ne_bytes()).collect();
    let floats = [1.0_f64, 2.0, 3.0, 4.0, 5.0, 6.0].iter().flat_map(|value| value.to_ne_bytes()).collect();
    vec![
        Array { dtype: DType::I64, sizes: vec![4], bytes: numbers },
        Array { dtype: DType::F64, sizes: vec![3, 2], bytes: floats },
    ]
}

/// Checks the graph against the interpreter, and that no memory is left afterwards.
fn agrees(lines: &str, results: &str) -> Option<Vec<Array>> {
    let before = LIVE_BYTES.get();
    let results = check(&function(lines, results), &inputs());
    assert_eq!(LIVE_BYTES.get(), before, "{lines}");
    results
}

const LIST: &str = "list<i64[]>";

#[test]
fn every_op() {
    let changes = [
        "list_append %0, %15",
        "list_set %0, %11, %15",
        "list_insert %0, %11, %15",
        "list_insert %0, %18, %15",
        "list_insert %0, %19, %15",
        "list_delete %0, %10",
        "list_delete %0, %13",
        "list_concatenate %0, %0",
        "list_slice %0, %11, %13, %11",
        "list_slice %0, %10, %14, %12",
        "list_slice %0, %13, %19, %19",
        "list_slice %0, %14, %12, %12",
        "list_reverse %0",
        "list_zeros %0",
        "list_make %11, %15",
        "list_make empty",
    ];
    for change in changes {
        // Once on a borrowed list, and once on an owned one.
        let own = change.replace("%0", "%21");
        let lines =
            format!("  %20: {LIST} = {change}\n  %21: {LIST} = list_append %0, %16\n  %22: {LIST} = {own}");
        assert!(agrees(&lines, "%20, %22, %0").is_some(), "{change}");
    }
    let reads = "  %20: i64[] = list_get %0, %12
  %21: list<i64[]>, %22: i64[] = list_pop %0
  %23: i64[] = list_length %21
  %24: i64[4] = list_stack %0 size=4
  %25: list<i64[]> = list_unstack %24
  print %25, %21, %20 site=3";
    assert!(agrees(reads, "%20, %21, %22, %23, %24, %25").is_some());
}

#[test]
fn lists_of_arrays() {
    let lines = "  %20: list<f64[2]> = list_unstack %1
  %21: f64[2] = list_get %20, %11
  %22: list<f64[2]> = list_append %20, %21
  %23: list<f64[2]>, %24: f64[2] = list_pop %22
  %25: list<f64[2]> = list_append %23, %24
  %26: list<f64[2]> = list_set %25, %10, %24
  %27: list<f64[2]> = list_insert %26, %11, %21
  %28: list<f64[2]> = list_delete %27, %12
  %29: list<f64[2]> = list_reverse %28
  %30: list<f64[2]> = list_slice %29, %10, %14, %12
  %31: list<f64[2]> = list_concatenate %30, %20
  %32: f64[5, 2] = list_stack %31 size=5
  %33: list<f64[2]> = list_make %21, %24
  %34: f64[2] = add %21, %24";
    assert!(agrees(lines, "%31, %32, %33, %34, %28, %21").is_some());
}

#[test]
fn values_of_no_bytes() {
    let lines = "  %20: f64[3, 0] = slice %1 start=[0, 0] size=[3, 0] step=[1, 1]
  %21: list<f64[0]> = list_unstack %20
  %22: f64[0] = list_get %21, %12
  %23: list<f64[0]> = list_append %21, %22
  %24: list<f64[0]> = list_insert %23, %10, %22
  %25: list<f64[0]> = list_reverse %24
  %26: list<f64[0]> = list_slice %25, %11, %14, %11
  %27: i64[] = list_length %26";
    assert!(agrees(lines, "%26, %27").is_some());
}

/// `y = x; x.append(1)` on values: `y` stays.
#[test]
fn aliases_stay_as_they_are() {
    let lines = "  %20: list<i64[]> = list_append %0, %11
  %21: list<i64[]>, %22: list<i64[]> = for %10, %15, %11, %20, %20 body(%30: i64[], %31: list<i64[]>, %32: list<i64[]>) {
    %33: list<i64[]> = list_append %31, %30
    %34: list<i64[]>, %35: i64[] = list_pop %32
    yield %34, %33
  }
  %23: list<i64[]> = list_append %21, %12";
    assert!(agrees(lines, "%20, %21, %22, %23").is_some());
}

#[test]
fn control_flow_carries_lists() {
    let lines = "  %20: list<i64[]>, %21: f64[] = while %0, %90 test(%40: list<i64[]>, %41: f64[]) {
    %42: i64[] = list_length %40
    %43: bool[] = lt %42, %18
    yield %43
  } body(%44: list<i64[]>, %45: f64[]) {
    %46: i64[] = list_get %44, %11
    %47: i64[] = list_length %44
    %48: i64[] = mod %47, %12
    %49: bool[] = eq %48, %10
    %50: list<i64[]> = if %49 then {
      %51: list<i64[]> = list_append %44, %46
      yield %51
    } else {
      %52: list<i64[]> = list_insert %44, %11, %48
      yield %52
    }
    yield %50, %45
  }
  %22: list<i64[]> = list_make empty
  %23: list<i64[]> = for %10, %13, %11, %22 body(%60: i64[], %61: list<i64[]>) {
    %62: list<i64[]> = list_make %60, %60
    %63: list<i64[]> = for %10, %60, %11, %62 body(%64: i64[], %65: list<i64[]>) {
      %66: list<i64[]> = list_append %65, %64
      yield %66
    }
    %67: list<i64[]> = list_concatenate %61, %63
    yield %67
  }";
    let lines = format!("  %90: f64[] = constant 1.5\n{lines}");
    assert!(agrees(&lines, "%20, %21, %23, %0").is_some());
}

/// Each call has its own cells, which are freed even if a nested call fails.
#[test]
fn calls_take_and_give_lists() {
    let program = |end: &str| {
        format!(
            "function f(%0: i64[], %1: list<i64[]>) {{
  %2: list<i64[]>, %3: i64[] = call %0, %1 callee=0
  return %2, %1, %3
}}
function g(%0: i64[], %1: list<i64[]>) {{
  %2: i64[] = constant 0
  %3: bool[] = gt %0, %2
  %4: list<i64[]> = if %3 then {{
    %5: i64[] = constant 1
    %6: i64[] = sub %0, %5
    %7: list<i64[]> = list_append %1, %0
    %8: list<i64[]>, %9: i64[] = call %6, %7 callee=0
    %10: list<i64[]> = list_append %8, %9
    yield %10
  }} else {{
    {end}
    yield %11
  }}
  %12: i64[] = list_length %4
  return %4, %12
}}
"
        )
    };
    for depth in [0, 1, 5, 100] {
        let inputs = [scalar_i64(depth), inputs().swap_remove(0)];
        let returns = read(&program("%11: list<i64[]> = list_append %1, %0")).unwrap();
        verify(&returns).unwrap();
        assert!(check(&returns, &inputs).is_some());
        let fails = read(&program("%13: i64[] = constant 1000 %11: list<i64[]> = list_delete %1, %13"));
        assert!(check(&fails.unwrap(), &inputs).is_none());
        assert_eq!(LIVE_BYTES.get(), 0);
    }
}

#[test]
fn failures_are_the_interpreters() {
    let lines = [
        "%20: i64[] = list_get %0, %14",
        "%20: i64[] = list_get %0, %19",
        "%20: list<i64[]> = list_set %0, %14, %10",
        "%20: list<i64[]> = list_delete %0, %14",
        "%8: list<i64[]> = list_make empty %20: list<i64[]>, %21: i64[] = list_pop %8",
        "%20: list<i64[]> = list_slice %0, %10, %11, %10",
        "%20: list<i64[]> = list_slice %0, %10, %15, %11",
        "%20: list<i64[]> = list_slice %0, %19, %15, %12",
        "%20: i64[3] = list_stack %0 size=3",
        "%9: list<i64[]> = list_append %0, %11 check %99, %9 error=\"E\" message=\"m\" %20: i64[] = neg %11",
    ];
    for line in lines {
        assert!(agrees(&format!("%99: bool[] = constant false {line}"), "%20").is_none(), "{line}");
    }
}

#[test]
fn memory_that_cannot_be_had_is_a_failure() {
    let mut cell = Cell::EMPTY;
    cell.reserve(100).unwrap();
    for bytes in [usize::MAX, isize::MAX as usize - 63] {
        // The compiler may assume that an allocation that nobody uses succeeds.
        let cell = std::hint::black_box(&mut cell);
        assert!(matches!(cell.reserve(bytes), Err(Failure::OutOfMemory { .. })));
    }
    // The old memory is still there.
    assert!(cell.capacity >= 100);
    cell.free();
    assert_eq!(LIVE_BYTES.get(), 0);
}

#[test]
fn a_hundred_thousand_appends_and_reads() {
    let lines = "  %20: list<i64[]> = list_make empty
  %21: list<i64[]> = for %10, %70, %11, %20 body(%30: i64[], %31: list<i64[]>) {
    %32: list<i64[]> = list_append %31, %30
    yield %32
  }
  %22: i64[] = for %10, %70, %11, %10 body(%40: i64[], %41: i64[]) {
    %42: i64[] = list_get %21, %40
    %43: i64[] = add.checked %41, %42
    yield %43
  }";
    let function = function(&format!("  %70: i64[] = constant 100000\n{lines}"), "%22, %21");
    let executable = Executable::compile(&function).unwrap();
    let results = run(&executable, &function, &inputs(), &mut Recorder::default()).unwrap();
    assert_eq!(results[0], scalar_i64(4_999_950_000));
    assert_eq!(results[1].sizes, [100_000]);
}

/// A function of lists of lists: `%20` has the lists `[10, 11, 12, 13]`, `[5]` and `[]`.
fn nested(lines: &str) -> String {
    format!(
        "  %60: {LIST} = list_make %15
  %61: {LIST} = list_make empty
  %20: list<{LIST}> = list_make %0, %60, %61
{lines}"
    )
}

#[test]
fn lists_of_lists() {
    let lists = format!("list<{LIST}>");
    let changes = [
        "list_append %20, %0",
        "list_set %20, %11, %0",
        "list_insert %20, %11, %0",
        "list_insert %20, %19, %60",
        "list_delete %20, %10",
        "list_delete %20, %12",
        "list_concatenate %20, %20",
        "list_slice %20, %11, %13, %11",
        "list_slice %20, %12, %19, %19",
        "list_reverse %20",
        "list_set_in %20, %10, %12, %17",
        "list_append_in %20, %12, %17",
        "list_append_in %20, %10, %17",
        "list_make %0, %61",
        "list_make empty",
    ];
    for change in changes {
        // Once on lists that are read later, and once on owned ones.
        let own = change.replace("%20", "%22");
        let lines = nested(&format!(
            "  %21: {lists} = {change}
  %22: {lists} = list_append %20, %60
  %23: {lists} = {own}
  %24: {LIST} = list_flatten %21
  %25: {LIST} = list_flatten %23
  %26: {LIST} = list_flatten %20
  %27: i64[] = list_length %21"
        ));
        assert!(agrees(&lines, "%24, %25, %26, %27, %0").is_some(), "{change}");
    }
    let reads = nested(&format!(
        "  %21: {LIST} = list_get %20, %10
  %22: {lists}, %23: {LIST} = list_pop %20
  %24: i64[] = list_get_in %20, %10, %13
  %25: i64[] = list_length_in %20, %10
  %26: {lists}, %27: i64[] = list_pop_in %20, %10
  %28: i64[] = list_length_in %26, %10
  %29: {LIST} = list_flatten %26"
    ));
    assert!(agrees(&reads, "%21, %23, %24, %25, %27, %28, %29").is_some());
}

#[test]
fn lists_of_lists_in_loops_and_branches() {
    let lists = format!("list<{LIST}>");
    let lines = nested(&format!(
        "  %21: {lists} = list_make empty
  %22: {lists}, %23: {lists} = for %10, %17, %11, %20, %21 body(%30: i64[], %31: {lists}, %32: {lists}) {{
    %33: bool[] = lt %30, %13
    %34: {lists} = if %33 then {{
      %35: {lists} = list_append %31, %0
      yield %35
    }} else {{
      %36: {lists} = list_append_in %31, %11, %30
      %37: {lists}, %38: {LIST} = list_pop %36
      yield %37
    }}
    %39: {LIST} = list_get %34, %10
    %40: {lists} = list_append %32, %39
    yield %40, %34
  }}
  %24: {LIST} = list_flatten %22
  %25: {LIST} = list_flatten %23"
    ));
    assert!(agrees(&lines, "%24, %25").is_some());
}

#[test]
fn what_is_not_in_a_list_of_lists() {
    for line in [
        "list_get_in %20, %13, %10",
        "list_get_in %20, %10, %14",
        "list_get_in %20, %12, %10",
        "list_get_in %20, %19, %10",
        "list_length_in %20, %13",
    ] {
        assert!(agrees(&nested(&format!("  %21: i64[] = {line}")), "%21").is_none(), "{line}");
    }
    for line in ["list_set_in %20, %11, %11, %15", "list_append_in %20, %13, %15", "list_delete %20, %13"] {
        let lines = nested(&format!("  %21: list<{LIST}> = {line}\n  %22: i64[] = list_length %21"));
        assert!(agrees(&lines, "%22").is_none(), "{line}");
    }
    let pop = nested(&format!("  %21: list<{LIST}>, %22: i64[] = list_pop_in %20, %12"));
    assert!(agrees(&pop, "%22").is_none());
}

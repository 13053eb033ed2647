//! Values of lists and tapes that stay where they are: none is seen changed, and none needs memory of its own
//! where it could stay.

use ag_ir::{Array, DType, Function, read, verify};

use super::check;
use crate::Executable;
use crate::lists::LIVE_BYTES;

/// Bytes of a row.
const ROW: usize = 4096 * 8;

/// A function of a list of rows `%0`, a row `%1` and the integers `%10 = 0`, `%11 = 1`, ….
fn function(lines: &str, results: &str) -> Function {
    let mut text = "function f(%0: list<f64[4096]>, %1: f64[4096]) {\n".to_owned();
    for number in 0..5 {
        text += &format!("  %{}: i64[] = constant {number}\n", number + 10);
    }
    text += &format!("{lines}\n  return {results}\n}}\n");
    let function = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&function).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    function
}

fn rows(count: usize) -> Array {
    let bytes = (0..count * 4096).flat_map(|place| (place as f64 * 0.7).sin().to_ne_bytes()).collect();
    Array { dtype: DType::F64, sizes: vec![count, 4096], bytes }
}

/// Checks a graph against the interpreter, and returns how many rows its arena has room for.
fn rows_of_arena(lines: &str, results: &str) -> usize {
    let function = function(lines, results);
    let row = Array { sizes: vec![4096], ..rows(1) };
    let before = LIVE_BYTES.get();
    assert!(check(&function, &[rows(4), row]).is_some(), "{lines}");
    assert_eq!(LIVE_BYTES.get(), before, "{lines}");
    let report = Executable::compile(&function).unwrap().report();
    let bytes = report.split(' ').nth(1).and_then(|bytes| bytes.parse::<usize>().ok());
    bytes.unwrap() / ROW
}

const GET: &str = "  %20: f64[4096] = list_get %0, %12";
const SUM: &str = "f64[] = sum";

#[test]
fn a_value_that_is_read_stays_in_the_list() {
    let lines = format!("{GET}\n  %21: {SUM} %20 axes=[0]");
    assert_eq!(rows_of_arena(&lines, "%21"), 0);
    let own =
        "  %18: list<f64[4096]> = list_append %0, %1\n  %19: list<f64[4096]>, %20: f64[4096] = list_pop %18";
    assert_eq!(rows_of_arena(&format!("{own}\n  %21: {SUM} %20 axes=[0]"), "%21, %19"), 0);
    let view = format!(
        "{GET}\n  %21: f64[64, 64] = reshape %20\n  %22: f64[64] = gather %21, %12 axis=0\n  %23: {SUM} %22 axes=[0]"
    );
    assert_eq!(rows_of_arena(&view, "%23"), 0);
}

/// `y = ys[2]; ys.append(x); use(y)`: the list may move, or its place may be taken.
#[test]
fn a_value_that_outlives_a_change_is_copied() {
    let changes = [
        "list_append %19, %1",
        "list_set %19, %12, %1",
        "list_insert %19, %10, %1",
        "list_delete %19, %10",
        "list_reverse %19",
        "list_concatenate %19, %0",
    ];
    for change in changes {
        let lines = format!(
            "  %19: list<f64[4096]> = list_append %0, %1
  %20: f64[4096] = list_get %19, %12
  %21: list<f64[4096]> = {change}
  %22: f64[4096] = sin %20
  %23: {SUM} %22 axes=[0]"
        );
        assert!(rows_of_arena(&lines, "%23, %21") > 0, "{change}");
        let popped = format!(
            "  %18: list<f64[4096]> = list_append %0, %1
  %19: list<f64[4096]>, %20: f64[4096] = list_pop %18
  %21: list<f64[4096]> = {change}
  %22: f64[4096] = sin %20
  %23: {SUM} %22 axes=[0]"
        );
        assert!(rows_of_arena(&popped, "%23, %21") > 0, "{change}");
    }
}

/// Through a view, a branch and a loop, a value is followed to its last use, or copied.
#[test]
fn views_of_views_are_followed() {
    let list = "  %19: list<f64[4096]> = list_append %0, %1";
    let reshaped = format!(
        "{list}
  %20: f64[4096] = list_get %19, %12
  %21: f64[64, 64] = reshape %20
  %22: f64[64] = gather %21, %12 axis=0
  %23: list<f64[4096]> = list_set %19, %12, %1
  %24: {SUM} %22 axes=[0]"
    );
    rows_of_arena(&reshaped, "%24, %23");
    let branch = format!(
        "{list}
  %20: f64[4096] = list_get %19, %12
  %21: bool[] = lt %10, %11
  %22: f64[4096] = if %21 then {{ yield %20 }} else {{ yield %1 }}
  %23: list<f64[4096]> = list_set %19, %12, %1
  %24: {SUM} %22 axes=[0]"
    );
    rows_of_arena(&branch, "%24, %23");
    let carried = format!(
        "{list}
  %20: f64[4096] = list_get %19, %12
  %21: f64[4096], %22: list<f64[4096]> = for %10, %13, %11, %20, %19 body(%30: i64[], %31: f64[4096], %32: list<f64[4096]>) {{
    %33: list<f64[4096]> = list_set %32, %12, %31
    %34: f64[4096] = list_get %33, %11
    %35: f64[4096] = add %34, %31
    yield %35, %33
  }}
  %24: {SUM} %20 axes=[0]"
    );
    rows_of_arena(&carried, "%24, %21, %22");
}

const LOOP: &str = "  %20: list<f64[4096]> = list_make empty
  %21: list<f64[4096]> = for %10, %14, %11, %20 body(%30: i64[], %31: list<f64[4096]>) {";

#[test]
fn a_value_that_is_appended_is_made_in_the_list() {
    let lines = format!(
        "{LOOP}\n    %32: f64[4096] = sin %1\n    %33: list<f64[4096]> = list_append %31, %32\n    yield %33\n  }}"
    );
    assert_eq!(rows_of_arena(&lines, "%21"), 0);
    // Two at once, one of which the other is made of.
    let two = format!(
        "{LOOP}
    %32: f64[4096] = sin %1
    %33: list<f64[4096]> = list_append %31, %32
    %34: f64[4096] = list_get %33, %10
    %35: f64[4096] = mul %34, %34
    %36: list<f64[4096]> = list_append %33, %35
    yield %36
  }}"
    );
    assert!(rows_of_arena(&two, "%21") > 0, "the list may move while its value is read");
    let both = format!(
        "{LOOP}
    %32: f64[4096] = sin %1
    %33: {SUM} %32 axes=[0]
    %34: f64[4096] = mul %32, %33
    %35: list<f64[4096]> = list_append %31, %34
    %36: list<f64[4096]> = list_append %35, %32
    yield %36
  }}"
    );
    rows_of_arena(&both, "%21");
    // What is appended to lives on: the value is put into a copy.
    let twice = "  %19: list<f64[4096]> = list_append %0, %1
  %20: f64[4096] = sin %1
  %21: list<f64[4096]> = list_append %19, %20
  %22: list<f64[4096]> = list_append %19, %1";
    rows_of_arena(twice, "%21, %22");
}

#[test]
fn a_list_that_dies_is_its_stack() {
    let lines = format!(
        "{LOOP}\n    %32: f64[4096] = sin %1\n    %33: list<f64[4096]> = list_append %31, %32\n    yield %33\n  }}
  %22: f64[4, 4096] = list_stack %21 size=4
  %23: f64[4, 4096] = mul %22, %22
  %24: f64[4096] = sum %23 axes=[0]"
    );
    assert_eq!(rows_of_arena(&lines, "%24"), 0);
    let sized = lines.replace("[4, 4096] = list_stack %21 size=4", "[?, 4096] = list_stack %21");
    let sized = sized.replace("%23: f64[4, 4096]", "%23: f64[?, 4096]");
    assert_eq!(rows_of_arena(&sized, "%24, %22"), 0);
    let lives = "  %19: list<f64[4096]> = list_append %0, %1
  %20: f64[5, 4096] = list_stack %19 size=5
  %21: list<f64[4096]> = list_set %19, %10, %1
  %22: f64[4096] = sum %20 axes=[0]";
    assert!(rows_of_arena(lives, "%21, %22") >= 5);
    let short = "  %19: list<f64[4096]> = list_append %0, %1\n  %20: f64[3, 4096] = list_stack %19 size=3\n  %21: f64[4096] = sum %20 axes=[0]";
    let row = Array { sizes: vec![4096], ..rows(1) };
    assert!(check(&function(short, "%21"), &[rows(4), row]).is_none(), "the length is compared");
}

#[test]
fn values_on_tapes_are_made_and_read_there() {
    let lines = format!(
        "  for %10, %14, %11 body(%30: i64[]) {{
    %31: f64[4096] = sin %1
    tape_push %31 tape=0
    yield
  }}
  %20: f64[] = constant 0.0
  %21: f64[] = for %10, %14, %11, %20 body(%40: i64[], %41: f64[]) {{
    %42: f64[4096] = tape_pop tape=0
    %43: {SUM} %42 axes=[0]
    %44: f64[] = add %41, %43
    yield %44
  }}"
    );
    assert_eq!(rows_of_arena(&lines, "%21"), 0);
    // What is taken off outlives what is put on.
    let reused = format!(
        "  tape_push %1 tape=0
  %20: f64[4096] = tape_pop tape=0
  %21: f64[4096] = cos %1
  tape_push %21 tape=0
  %22: f64[4096] = tape_pop tape=0
  %23: f64[4096] = sub %20, %22
  %24: {SUM} %23 axes=[0]"
    );
    assert!(rows_of_arena(&reused, "%24") > 0);
    // A value is used after it is put on, and after it is taken off.
    let used = format!(
        "  %20: f64[4096] = cos %1
  tape_push %20 tape=0
  %21: {SUM} %20 axes=[0]
  %22: f64[4096] = tape_pop tape=0
  tape_push %1 tape=0
  %23: {SUM} %20 axes=[0]
  %24: f64[4096] = tape_pop tape=0"
    );
    rows_of_arena(&used, "%21, %23, %24");
}

//! Tapes: values of all kinds, in loops and recursions, beyond a chunk, on several threads, and what is
//! refused.

use ag_ir::{Array, DType, Failure, Function, Host, HostError, read, verify};

use super::{Recorder, check, i64_array, numbers, run, run_for, scalar_i64};
use crate::Executable;
use crate::isa::Isa;
use crate::lists::LIVE_BYTES;

fn graph(text: &str) -> Function {
    let function = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&function).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    function
}

/// `for i in range(n)`: pushes a value made from `i`; `for i in range(n)`: pops one and adds its contents,
/// multiplied by `i`, so that the order matters. `between` comes after the first loop.
fn there_and_back(ty: &str, make: &str, total: &str, between: &str) -> Function {
    graph(&format!(
        "function f(%0: i64[]) {{
           %1: i64[] = constant 0
           %2: i64[] = constant 1
           %3: f64[] = constant 0.0
           for %1, %0, %2 body(%4: i64[]) {{
             %5: f64[] = cast %4
             {make}
             tape_push %9 tape=4000000000
             yield
           }}
           {between}
           %20: f64[] = for %1, %0, %2, %3 body(%21: i64[], %22: f64[]) {{
             %23: {ty} = tape_pop tape=4000000000
             {total}
             %30: f64[] = cast %21
             %31: f64[] = mul %29, %30
             %32: f64[] = add %22, %31
             yield %32
           }}
           return %20
         }}"
    ))
}

#[test]
fn values_of_every_kind() {
    let sum = |axes: &str| format!("%29: f64[] = sum %23 axes=[{axes}]");
    let cases = [
        ("f64[]", "%9: f64[] = sin %5".to_owned(), "%29: f64[] = neg %23".to_owned()),
        ("f32[]", "%9: f32[] = cast %5".to_owned(), "%29: f64[] = cast %23".to_owned()),
        ("bool[]", "%9: bool[] = cast %5".to_owned(), "%29: f64[] = cast %23".to_owned()),
        ("i64[]", "%9: i64[] = add %4, %2".to_owned(), "%29: f64[] = cast %23".to_owned()),
        ("f64[3]", "%9: f64[3] = broadcast %5".to_owned(), sum("0")),
        ("f64[3, 50]", "%9: f64[3, 50] = broadcast %5".to_owned(), sum("0, 1")),
        ("f64[0]", "%9: f64[0] = broadcast %5".to_owned(), sum("0")),
        ("f64[?]", "%9: f64[?] = iota_to %4".to_owned(), sum("0")),
        ("f64[?, 2]", "%9: f64[?, 2] = broadcast %5, %4".to_owned(), sum("0, 1")),
        (
            "list<f64[]>",
            "%8: f64[?] = iota_to %4 %9: list<f64[]> = list_unstack %8".to_owned(),
            "%28: f64[?] = list_stack %23 %29: f64[] = sum %28 axes=[0]".to_owned(),
        ),
        (
            "list<list<f64[]>>",
            "%8: f64[?] = iota_to %4 %7: list<f64[]> = list_unstack %8
             %6: list<f64[]> = list_append %7, %5
             %9: list<list<f64[]>> = list_make %7, %6, %7, %6"
                .to_owned(),
            "%27: list<f64[]> = list_flatten %23
             %28: f64[?] = list_stack %27 %29: f64[] = sum %28 axes=[0]"
                .to_owned(),
        ),
    ];
    for (ty, make, total) in cases {
        // The values of a saved tape are popped as if it had not been saved, and the interpreter's bytes are
        // the engine's.
        for between in ["", "%40: u8[?] = tape_save tape=4000000000 tape_load %40 tape=4000000000"] {
            let function = there_and_back(ty, &make, &total, between);
            for count in [0, 1, 3, 700] {
                assert!(check(&function, &[scalar_i64(count)]).is_some(), "{ty}");
                assert_eq!(LIVE_BYTES.get(), 0, "{ty}");
            }
        }
        let saved = format!(
            "function f(%0: i64[]) {{
               %1: i64[] = constant 0
               %2: i64[] = constant 1
               for %1, %0, %2 body(%4: i64[]) {{ %5: f64[] = cast %4 {make} tape_push %9 tape=1 yield }}
               %40: u8[?] = tape_save tape=1
               %41: u8[?] = tape_save tape=1
               return %40, %41
             }}"
        );
        for count in [0, 1, 3, 700] {
            assert!(check(&graph(&saved), &[scalar_i64(count)]).is_some(), "{ty}");
        }
    }
}

/// Each call pushes the values that it needs after the next call on a tape that all calls share.
const RECURSION: &str = "
function main(%0: i64[], %1: f64[4]) {
  %2: f64[4], %3: i64[] = call %0, %1 callee=0
  return %2, %3
}
function deep(%0: i64[], %1: f64[4]) {
  %2: i64[] = constant 0
  %3: bool[] = le %0, %2
  %4: f64[4], %5: i64[] = if %3 then { yield %1, %0 } else {
    %6: i64[] = constant 1
    %7: i64[] = sub %0, %6
    %8: f64[4] = sin %1
    tape_push %8 tape=1
    tape_push %0 tape=0
    %9: f64[4], %10: i64[] = call %7, %8 callee=0
    %11: i64[] = tape_pop tape=0
    %12: f64[4] = tape_pop tape=1
    %13: f64[4] = add %12, %9
    %14: i64[] = mul %10, %6
    %15: i64[] = add %14, %11
    yield %13, %15
  }
  return %4, %5
}";

#[test]
fn a_tape_is_one_for_all_functions() {
    let row = i64_array(&[1, 2, 3, 4]).bytes;
    let row = Array { dtype: DType::F64, sizes: vec![4], bytes: row };
    for depth in [0, 1, 5, 400] {
        check(&graph(RECURSION), &[scalar_i64(depth), row.clone()]).unwrap();
    }
}

/// A megabyte for each iteration: more than a chunk, none of which is moved.
#[test]
fn large_arrays_fill_chunk_after_chunk() {
    let make = "%9: f64[131072] = broadcast %5";
    let function = there_and_back("f64[131072]", make, "%29: f64[] = sum %23 axes=[0]", "");
    let executable = Executable::compile(&function).unwrap();
    for count in [30_i64, 3, 30] {
        let results = run(&executable, &function, &[scalar_i64(count)], &mut Recorder::default()).unwrap();
        let expected: i64 = (0..count).map(|i| (count - 1 - i) * i * 131_072).sum();
        assert_eq!(numbers(&results[0]), [expected as f64]);
    }
}

#[test]
fn runs_at_once_have_tapes_of_their_own() {
    let function = there_and_back("f64[]", "%9: f64[] = sin %5", "%29: f64[] = neg %23", "");
    let executable = Executable::compile(&function).unwrap();
    let alone = |count: i64| {
        let results = run(&executable, &function, &[scalar_i64(count)], &mut Recorder::default());
        numbers(&results.unwrap()[0])
    };
    let expected: Vec<Vec<f64>> = (0..4).map(|thread| alone(5000 + thread)).collect();
    std::thread::scope(|scope| {
        for (thread, expected) in expected.iter().enumerate() {
            scope.spawn(move || {
                for _ in 0..20 {
                    assert_eq!(alone(5000 + thread as i64), *expected);
                }
            });
        }
    });
}

struct Impatient;

impl Host for Impatient {
    fn print(&mut self, _: u32, _: &[Array]) -> Result<(), HostError> {
        Err(Box::new("stop"))
    }
}

/// Values that a failed run leaves on a tape are not there in the next run.
#[test]
fn a_run_that_fails_leaves_nothing() {
    let function = graph(
        "function f(%0: i64[]) {
           %1: i64[] = constant 7
           %2: bool[] = eq %0, %1
           tape_push %0 tape=0
           if %2 then { print %0 site=1 yield } else { yield }
           tape_push %1 tape=0
           %3: i64[] = tape_pop tape=0
           %4: i64[] = tape_pop tape=0
           return %4, %3
         }",
    );
    let executable = Executable::compile(&function).unwrap();
    for number in [7, 3, 7, 4] {
        let results = run(&executable, &function, &[scalar_i64(number)], &mut Impatient);
        assert_eq!(results.is_err(), number == 7);
        if let Ok(results) = results {
            assert_eq!((numbers(&results[0])[0], numbers(&results[1])[0]), (number as f64, 7.0));
        }
    }
}

#[test]
fn what_is_not_a_graph_of_ours_is_refused() {
    let empty = graph("function f() { %0: f64[] = tape_pop tape=2 return %0 }");
    let Err(error) = run_for(&empty, &[], &mut Recorder::default(), Isa::Base) else { panic!() };
    let Failure::Check { message, .. } = error.failure else { panic!() };
    assert_eq!(&*message, "a value is taken from an empty tape");
    let refusal = |text: &str| match Executable::compile(&graph(text)) {
        Ok(_) => panic!("{text} compiles"),
        Err(error) => error.to_string(),
    };
    let mixed = "function f(%0: f64[]) { tape_push %0 tape=2 %1: i64[] = tape_pop tape=2 return %1 }";
    assert_eq!(refusal(mixed), "tape 2 has values of type f64[] and i64[]");
    assert_eq!(
        refusal("function f(%0: f64[]) { %1: f64[] = identity %0 return %1 }"),
        "identity is for gradients: `ag_optimize` drops it"
    );
    assert_eq!(
        refusal(
            "function f(%0: f64[]) { %1: f64[] = checkpoint %0 primal(%2: f64[]) { yield %2 } return %1 }"
        ),
        "checkpoint is for gradients: `ag_optimize` drops it"
    );
}

/// `for i in range(n): table[i] += row` where `table` is nobody else's: no copy of it is made.
#[test]
fn additions_are_made_in_place() {
    let function = graph(
        "function f(%0: i64[], %1: f64[3, 2], %2: f64[2], %9: f64[?]) {
           %3: i64[] = constant 0
           %4: i64[] = constant 1
           %5: i64[] = constant 3
           %6: f64[3, 2], %13: f64[?] = for %3, %0, %4, %1, %9 body(%7: i64[], %8: f64[3, 2], %14: f64[?]) {
             %10: i64[] = mod %7, %5
             %11: f64[3, 2] = scatter_add %8, %2, %10 axis=0
             %15: f64[] = gather %2, %4 axis=0
             %12: f64[3, 2] = scatter_add %11, %15, %10, %4 axis=0
             %16: f64[?] = scatter_add %14, %15, %10 axis=0
             yield %12, %16
           }
           return %6, %13
         }",
    );
    let mut random = super::Random(9);
    let inputs = [
        scalar_i64(11),
        random.tame(DType::F64, &[3, 2]),
        random.tame(DType::F64, &[2]),
        random.tame(DType::F64, &[5]),
    ];
    check(&function, &inputs).unwrap();
}

//! A loop that runs again works in memory that the process has: no allocation, and no page fault.
//!
//! What a run hands to its caller is the caller's: these graphs return scalars.
#![allow(clippy::unwrap_used)]

mod counting;

use ag_engine::{Executable, Input, Output};
use ag_ir::{DType, Host, HostError, read};

/// The minor page faults of this thread; none where the system does not say.
fn page_faults() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/thread-self/stat").ok()?;
    // The name of the thread, in parentheses, may hold spaces.
    text.rsplit_once(')')?.1.split_whitespace().nth(7)?.parse().ok()
}

struct Quiet;

impl Host for Quiet {
    fn print(&mut self, _: u32, _: &[ag_ir::Array]) -> Result<(), HostError> {
        Ok(())
    }

    fn poll(&mut self) -> Result<(), HostError> {
        Ok(())
    }
}

/// Bytes, aligned for any element.
fn bytes_of(numbers: &mut [f64]) -> &mut [u8] {
    // SAFETY: they are as many bytes, and any bytes are numbers.
    unsafe { std::slice::from_raw_parts_mut(numbers.as_mut_ptr().cast(), size_of_val(numbers)) }
}

/// The allocations and the page faults of three runs of a function of arrays of these sizes, which returns a number.
fn asked_for(text: &str, sizes: &[&[usize]]) -> [[usize; 3]; 2] {
    let function = read(text).unwrap_or_else(|error| panic!("{error}"));
    let executable = Executable::compile(&ag_optimize::optimize(function)).unwrap();
    let mut arrays: Vec<Vec<f64>> = sizes
        .iter()
        .map(|sizes| {
            let count = sizes.iter().product();
            (0..count).map(|place| (place as f64 * 0.37).sin() * 0.1).collect()
        })
        .collect();
    let inputs: Vec<Input<'_>> = arrays
        .iter_mut()
        .zip(sizes)
        .map(|(array, sizes)| Input::new(DType::F64, sizes, bytes_of(array)).unwrap())
        .collect();
    let mut results = [f64::NAN; 3];
    let (mut allocations, mut faults) = ([0; 3], [0; 3]);
    for run in 0..3 {
        let mut outputs = [Output::new(DType::F64, &[], bytes_of(&mut results[run..=run])).unwrap()];
        let _ = page_faults();
        let faults_before = page_faults();
        let before = counting::allocations();
        executable.run(&inputs, &mut outputs, &mut Quiet).unwrap();
        allocations[run] = counting::allocations() - before;
        faults[run] = page_faults().zip(faults_before).map_or(0, |(after, before)| after - before);
    }
    assert!(results[0].is_finite() && results[0] != 0.0, "{results:?}");
    assert!(results.iter().all(|result| result.to_bits() == results[0].to_bits()), "{results:?}");
    [allocations, faults]
}

/// A graph of the same arguments that has no loop.
fn without_loop(sizes: &[&[usize]]) -> String {
    let params: Vec<String> =
        sizes.iter().enumerate().map(|(number, sizes)| format!("%{number}: f64{sizes:?}")).collect();
    let (result, axes) = (sizes.len(), (0..sizes[0].len()).collect::<Vec<usize>>());
    let params = params.join(", ");
    format!("function f({params}) {{\n  %{result}: f64[] = sum %0 axes={axes:?}\n  return %{result}\n}}")
}

/// The later runs of a function must not ask for memory. Where calls of kernels are checked
/// (`AUTOGRAPH_CHECKS=1`, debug builds), each run notes which memory it has: a graph without a loop says how much that is.
fn runs_steadily(text: &str, sizes: &[&[usize]]) {
    let nothing = without_loop(sizes);
    let [noted, _] = asked_for(&nothing, sizes);
    assert!(ag_ir::checks_itself() || noted[1..] == [0, 0], "allocations of the runs {noted:?}\n{nothing}");
    let [allocations, faults] = asked_for(text, sizes);
    assert!(allocations[0] > noted[0], "the first run allocates");
    assert_eq!(allocations[1..], noted[1..], "allocations of the runs {allocations:?}\n{text}");
    assert_eq!(faults[1..], [0, 0], "page faults of the runs {faults:?}\n{text}");
}

/// `ys.append(np.sin(h) * 2); h = …; np.sum(np.stack(ys))`, with sizes that are known, and that the run
/// knows.
#[test]
fn a_loop_that_appends_and_stacks() {
    for (size, attribute) in [("?", ""), ("40", " size=40")] {
        runs_steadily(
            &format!(
                "function f(%0: f64[64, 128]) {{
  %1: list<f64[64, 128]> = list_make empty
  %2: i64[] = constant 0
  %3: i64[] = constant 40
  %4: i64[] = constant 1
  %5: f64[64, 128], %6: list<f64[64, 128]> = for %2, %3, %4, %0, %1 body(%7: i64[], %8: f64[64, 128], %9: list<f64[64, 128]>) {{
    %10: f64[64, 128] = cos %8
    %11: f64[64, 128] = sin %10
    %12: list<f64[64, 128]> = list_append %9, %11
    yield %10, %12
  }}
  %13: f64[{size}, 64, 128] = list_stack %6{attribute}
  %14: f64[] = sum %13 axes=[0, 1, 2]
  return %14
}}"
            ),
            &[&[64, 128]],
        );
    }
}

/// `np.fft.fft` of 16,384 numbers, whose plan needs room for as many.
#[test]
fn a_loop_of_fourier_transforms() {
    runs_steadily(
        "function f(%0: f64[2, 16384]) {
  %1: i64[] = constant 0
  %2: i64[] = constant 5
  %3: i64[] = constant 1
  %4: f64[2, 16384] = for %1, %2, %3, %0 body(%5: i64[], %6: f64[2, 16384]) {
    %7: f64[2, 16384] = fft %6
    %8: f64[2, 16384] = sin %7
    yield %8
  }
  %9: f64[] = sum %4 axes=[0, 1]
  return %9
}",
        &[&[2, 16384]],
    );
}

/// The two-loop recursion of L-BFGS, with pairs in lists that are appended to, read, and shortened in front.
#[test]
fn the_lists_of_l_bfgs() {
    runs_steadily(
        "function f(%0: f64[5000], %1: f64[5000]) {
  %2: list<f64[5000]> = list_make empty
  %3: list<f64[]> = list_make empty
  %4: i64[] = constant 0
  %5: i64[] = constant 30
  %6: i64[] = constant 1
  %7: i64[] = constant 8
  %8: f64[5000], %9: list<f64[5000]>, %10: list<f64[]> = for %4, %5, %6, %0, %2, %3 body(%11: i64[], %12: f64[5000], %13: list<f64[5000]>, %14: list<f64[]>) {
    %15: i64[] = list_length %13
    %16: list<f64[]> = list_make empty
    %17: f64[5000], %18: list<f64[]> = for %4, %15, %6, %12, %16 body(%19: i64[], %20: f64[5000], %21: list<f64[]>) {
      %22: f64[5000] = list_get %13, %19
      %23: f64[] = dot %22, %20 left_contract=[0] right_contract=[0]
      %24: f64[] = list_get %14, %19
      %25: f64[] = mul %23, %24
      %26: list<f64[]> = list_append %21, %25
      %27: f64[5000] = mul %25, %22
      %28: f64[5000] = sub %20, %27
      yield %28, %26
    }
    %29: f64[5000] = mul %1, %17
    %30: f64[5000] = sin %29
    %31: f64[5000] = sub %12, %30
    %32: list<f64[5000]> = list_append %13, %30
    %34: f64[] = constant 0.001
    %35: list<f64[]> = list_append %14, %34
    %36: i64[] = list_length %32
    %37: bool[] = gt %36, %7
    %38: list<f64[5000]>, %39: list<f64[]> = if %37 then {
      %40: list<f64[5000]> = list_delete %32, %4
      %41: list<f64[]> = list_delete %35, %4
      yield %40, %41
    } else {
      yield %32, %35
    }
    yield %31, %38, %39
  }
  %42: f64[] = sum %8 axes=[0]
  return %42
}",
        &[&[5000], &[5000]],
    );
}

/// The gradient of a recurrent network of one row: values that one loop puts on tapes, and another takes off.
///
/// The library of large products allocates room for packed operands at each; small ones are the engine's own.
#[test]
fn the_tapes_of_a_recurrent_network() {
    runs_steadily(
        "function f(%0: f64[256], %1: f64[256, 256]) {
  %2: i64[] = constant 0
  %3: i64[] = constant 60
  %4: i64[] = constant 1
  %5: f64[256] = for %2, %3, %4, %0 body(%6: i64[], %7: f64[256]) {
    %8: f64[256] = dot %7, %1 left_contract=[0] right_contract=[0]
    %9: f64[256] = tanh %8
    tape_push %7 tape=0
    tape_push %9 tape=1
    %10: f64[256] = add %9, %7
    yield %10
  }
  %11: f64[256, 256] = mul %1, %1
  %12: f64[256], %13: f64[256, 256] = for %2, %3, %4, %5, %11 body(%14: i64[], %15: f64[256], %16: f64[256, 256]) {
    %17: f64[256] = tape_pop tape=1
    %18: f64[256] = tape_pop tape=0
    %19: f64[256] = mul %17, %17
    %20: f64[256] = mul %15, %19
    %21: f64[256, 256] = dot %18, %20 left_contract=[] right_contract=[]
    %22: f64[256, 256] = add %16, %21
    %23: f64[256] = dot %1, %20 left_contract=[1] right_contract=[0]
    yield %23, %22
  }
  %24: f64[] = sum %13 axes=[0, 1]
  return %24
}",
        &[&[256], &[256, 256]],
    );
}

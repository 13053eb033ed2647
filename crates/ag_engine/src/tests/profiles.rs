//! Graphs that measure themselves: every graph of the other tests runs so too, and gives the same bits.

use ag_ir::{Array, Function, Op, read};

use super::{Recorder, describe, run_for, run_profiled, scalar_i64, text};
use crate::Profile;
use crate::isa::Isa;

/// Runs a graph with and without measuring, and compares.
pub(super) fn check_profiled(function: &Function, inputs: &[Array]) {
    let isa = Isa::best();
    let (mut plain, mut measured) = (Recorder::default(), Recorder::default());
    let wanted = run_for(function, inputs, &mut plain, isa);
    let got = run_profiled(function, inputs, &mut measured, isa);
    assert_eq!(plain.printed, measured.printed, "{}", text(function));
    match (got, wanted) {
        (Ok((results, profile)), Ok(wanted)) => {
            assert_eq!(results, wanted, "{}", text(function));
            check_sums(&profile);
        }
        (Err(got), Err(wanted)) => assert_eq!(describe(&got), describe(&wanted)),
        (got, wanted) => {
            panic!("{:?} {:?}\n{}", got.map(|_| ()).is_ok(), wanted.is_ok(), text(function));
        }
    }
}

/// The parts of a profile fit its whole.
fn check_sums(profile: &Profile) {
    let of_steps: f64 = profile.steps.iter().map(|step| step.nanoseconds).sum();
    let of_units: f64 = profile.units.iter().map(|unit| unit.nanoseconds).sum();
    let slack = 1e-6 * of_units + 1e-3;
    assert!((of_units + profile.results - profile.nanoseconds).abs() <= slack, "{profile:?}");
    assert!(of_steps <= of_units + slack, "{profile:?}");
    for (number, unit) in profile.units.iter().enumerate().filter(|(number, unit)| unit.group == *number) {
        let group = || profile.units.iter().filter(|other| other.group == number);
        let steps: Vec<_> = group().flat_map(|unit| &profile.steps[unit.steps.clone()]).collect();
        let ran = steps.iter().any(|step| step.executions > 0);
        let of_steps: f64 = steps.iter().map(|step| step.nanoseconds).sum();
        let of_units: f64 = group().map(|unit| unit.nanoseconds).sum();
        assert!(!ran || (of_steps - of_units).abs() <= slack, "{unit:?} {profile:?}");
    }
    let executions: u64 = profile.units.iter().map(|unit| unit.executions).sum();
    assert!(profile.events.len() as u64 + profile.left_out >= executions, "{profile:?}");
    for pair in profile.events.windows(2) {
        assert!(pair[0].start <= pair[0].end && pair[0].end <= pair[1].end, "{pair:?}");
    }
}

fn executions(profile: &Profile, op: &str) -> Vec<u64> {
    profile.steps.iter().filter(|step| step.op == op).map(|step| step.executions).collect()
}

/// `steps = 0; while n != 1: n = n // 2 if n % 2 == 0 else 3 * n + 1; steps += 1`
const COLLATZ: &str = "function collatz(%0: i64[]) {
  %1: i64[] = constant 0
  %2: i64[] = constant 1
  %3: i64[] = constant 2
  %4: i64[] = constant 3
  %5: i64[], %6: i64[] = while %0, %1 test(%7: i64[], %8: i64[]) {
    %9: bool[] = ne %7, %2
    yield %9
  } body(%10: i64[], %11: i64[]) {
    %12: i64[] = mod %10, %3
    %13: bool[] = eq %12, %1
    %14: i64[] = if %13 then {
      %15: i64[] = floor_div %10, %3
      yield %15
    } else {
      %16: i64[] = mul %10, %4
      %17: i64[] = add %16, %2
      yield %17
    }
    %18: i64[] = add %11, %2
    yield %14, %18
  }
  return %6
}";

#[test]
fn runs_of_blocks_are_counted_exactly() {
    let function = read(COLLATZ).unwrap();
    for isa in Isa::available() {
        for start in [27_i64, 1, 7] {
            let (mut n, mut halved, mut tripled) = (start, 0, 0);
            while n != 1 {
                if n % 2 == 0 {
                    (n, halved) = (n / 2, halved + 1);
                } else {
                    (n, tripled) = (3 * n + 1, tripled + 1);
                }
            }
            let mut host = Recorder::default();
            let (_, profile) = run_profiled(&function, &[scalar_i64(start)], &mut host, isa).unwrap();
            assert_eq!(executions(&profile, "floor_div"), [halved]);
            assert_eq!(executions(&profile, "mul"), [tripled]);
            assert_eq!(executions(&profile, "mod"), [halved + tripled]);
            assert_eq!(executions(&profile, "ne"), [halved + tripled + 1]);
        }
    }
}

#[test]
fn a_loop_of_scalars_is_one_unit_and_kernels_are_their_own() {
    let (mut host, isa) = (Recorder::default(), Isa::best());
    let (_, profile) = run_profiled(&read(COLLATZ).unwrap(), &[scalar_i64(27)], &mut host, isa).unwrap();
    assert_eq!(profile.units.len(), 1, "{:?}", profile.units);
    assert_eq!(profile.units[0].executions, 1);
    let text = "function products(%0: f64[8, 8], %1: i64[]) {
      %2: i64[] = constant 0
      %3: i64[] = constant 1
      %4: f64[8, 8] = for %2, %1, %3, %0 body(%5: i64[], %6: f64[8, 8]) {
        %7: f64[8, 8] = dot %6, %0 left_batch=[] right_batch=[] left_contract=[1] right_contract=[0]
        yield %7
      }
      return %4
    }";
    let function = read(text).unwrap();
    let input = Array { dtype: ag_ir::DType::F64, sizes: vec![8, 8], bytes: vec![0; 512] };
    let (_, profile) = run_profiled(&function, &[input, scalar_i64(150)], &mut host, isa).unwrap();
    let dots: Vec<_> = profile.steps.iter().filter(|step| step.op == "dot").collect();
    assert_eq!(dots.len(), 1);
    assert_eq!((dots[0].executions, dots[0].operations), (150, 150 * 2 * 8 * 8 * 8));
    assert_eq!((dots[0].read, dots[0].written), (150 * 2 * 512, 150 * 512));
    assert_eq!(profile.events.len(), 100, "as many as were asked for");
    assert!(profile.left_out >= 50, "{}", profile.left_out);
}

#[test]
fn work_on_sizes_of_the_run_is_counted() {
    let text = "function sized(%0: f64[?], %1: f64[3]) {
      %2: bool[?] = gt %0, %0
      %3: bool[?] = logical_not %2
      %4: i64[?] = nonzero %3
      %5: f64[?] = gather %0, %4 axis=0
      %6: f64[?] = mul %5, %5
      %7: f64[?] = exp %6
      return %7
    }";
    let function = read(text).unwrap();
    for count in [0, 1, 5, 1000] {
        let input = Array { dtype: ag_ir::DType::F64, sizes: vec![count], bytes: vec![0; count * 8] };
        let given = Array { dtype: ag_ir::DType::F64, sizes: vec![3], bytes: vec![0; 24] };
        let mut host = Recorder::default();
        let (_, profile) = run_profiled(&function, &[input, given], &mut host, Isa::best()).unwrap();
        let operations: u64 = profile.steps.iter().map(|step| step.operations).sum();
        assert_eq!(operations, 2 * count as u64, "{profile:?}");
        assert!(matches!(function.body.nodes[2].op, Op::Nonzero));
    }
}

//! Random functions do the same before and after every pass: results to the bit (of a NaN only that
//! it is one), prints, and the failure with its location.

#![allow(clippy::unwrap_used)]

#[path = "../../ag_ir/tests/random_function/mod.rs"]
mod random_function;

use ag_ir::{Array, DType, Function, Host, HostError, interpret};
use ag_optimize::{PASSES, optimize, run};
use proptest::prelude::*;
use random_function::random_function;

#[derive(Default)]
struct Recorder {
    printed: Vec<String>,
    polls: usize,
}

impl Host for Recorder {
    fn print(&mut self, site: u32, values: &[Array]) -> Result<(), HostError> {
        let values: Vec<Array> = values.iter().cloned().map(usual_nans).collect();
        self.printed.push(format!("{site}: {values:?}"));
        Ok(())
    }

    fn poll(&mut self) -> Result<(), HostError> {
        self.polls += 1;
        if self.polls > 20_000 { Err(Box::new("too long")) } else { Ok(()) }
    }
}

fn usual_nans(mut array: Array) -> Array {
    match array.dtype {
        DType::F32 => {
            for chunk in array.bytes.as_chunks_mut::<4>().0 {
                if f32::from_ne_bytes(*chunk).is_nan() {
                    *chunk = f32::NAN.to_ne_bytes();
                }
            }
        }
        DType::F64 => {
            for chunk in array.bytes.as_chunks_mut::<8>().0 {
                if f64::from_ne_bytes(*chunk).is_nan() {
                    *chunk = f64::NAN.to_ne_bytes();
                }
            }
        }
        _ => {}
    }
    array
}

/// Everything that a run does, as text; nothing if it takes too long.
fn outcome(function: &Function, inputs: &[Array]) -> Option<String> {
    let mut host = Recorder::default();
    let result = match interpret(function, inputs, &mut host) {
        Ok(arrays) => format!("{:?}", arrays.into_iter().map(usual_nans).collect::<Vec<_>>()),
        Err(error) => format!("{:?} at {:?}", error.failure, error.location),
    };
    if host.polls > 20_000 { None } else { Some(format!("{:?} {result}", host.printed)) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_pass_keeps_the_meaning(numbers in prop::collection::vec(any::<u32>(), 0..500)) {
        let (function, inputs) = random_function(numbers);
        let Some(expected) = outcome(&function, &inputs) else { return Ok(()) };
        for pass in PASSES {
            let mut changed = function.clone();
            run(*pass, &mut changed);
            let actual = outcome(&changed, &inputs);
            prop_assert_eq!(
                actual.as_ref(),
                Some(&expected),
                "{} changed\n{}into\n{}", pass.name, function, changed
            );
        }
        let optimized = optimize(function.clone());
        prop_assert_eq!(
            outcome(&optimized, &inputs), Some(expected),
            "optimize changed\n{}into\n{}", function, optimized
        );
    }
}

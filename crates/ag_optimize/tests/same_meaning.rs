//! Random functions do the same before and after every pass: results to the bit (of a NaN only that
//! it is one), prints, and the failure with its location.

#![allow(clippy::unwrap_used)]

#[path = "../../ag_ir/tests/random_function/mod.rs"]
mod random_function;

use std::collections::BTreeMap;

use ag_ir::{
    Array, BinaryOp, Block, Builder, CompareOp, Constant, DType, Function, Host, HostError, Node, Op,
    Overflow, Type, UnaryOp, interpret,
};
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
        Err(error) => {
            let kept: Vec<(u32, Array)> =
                error.kept.into_iter().map(|(slot, array)| (slot, usual_nans(array))).collect();
            format!("{:?} at {:?} keeping {kept:?}", error.failure, error.location)
        }
    };
    if host.polls > 20_000 { None } else { Some(format!("{:?} {result}", host.printed)) }
}

/// Whether an int has left 64 bits: a pass may give it more.
fn leaves_64_bits(outcome: &str) -> bool {
    outcome.contains(&format!("{:?} at", ag_ir::Failure::Overflow))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_pass_keeps_the_meaning(numbers in prop::collection::vec(any::<u32>(), 0..500)) {
        let (function, inputs) = random_function(numbers);
        let Some(expected) = outcome(&function, &inputs) else { return Ok(()) };
        for pass in PASSES {
            let mut changed = function.clone();
            // The other passes know no scopes.
            run(PASSES[0], &mut changed);
            run(*pass, &mut changed);
            let actual = outcome(&changed, &inputs);
            let may_differ = pass.name == "wide_ints" && leaves_64_bits(&expected);
            prop_assert!(
                may_differ || actual.as_ref() == Some(&expected),
                "{} changed\n{}into\n{}", pass.name, function, changed
            );
        }
        let optimized = optimize(function.clone());
        prop_assert!(
            leaves_64_bits(&expected) || outcome(&optimized, &inputs) == Some(expected),
            "optimize changed\n{}into\n{}", function, optimized
        );
    }
}

/// All values of a dtype that arithmetic treats in a way of its own.
fn special(dtype: DType) -> Vec<Vec<u8>> {
    const FLOATS: [f64; 9] = [0.0, -0.0, 1.0, -1.0, 2.0, 0.1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    const INTEGERS: [i64; 7] = [0, 1, 2, -1, 63, i64::MAX, i64::MIN];
    match dtype {
        DType::Bool => vec![vec![0], vec![1]],
        DType::U8 => INTEGERS.iter().map(|value| vec![*value as u8]).collect(),
        DType::I32 => INTEGERS.iter().map(|value| (*value as i32).to_ne_bytes().to_vec()).collect(),
        DType::I64 => INTEGERS.iter().map(|value| value.to_ne_bytes().to_vec()).collect(),
        DType::F32 => FLOATS.iter().map(|value| (*value as f32).to_ne_bytes().to_vec()).collect(),
        DType::F64 => FLOATS.iter().map(|value| value.to_ne_bytes().to_vec()).collect(),
    }
}

/// `x op c` or `c op x`, if there is such an op.
fn with_constant(op: &Op, constant: &Constant, count: usize, swapped: bool) -> Option<Function> {
    let mut builder = Builder::new("f");
    let x = builder.param(Type::known(constant.dtype, &[count]));
    let c = builder.emit(Op::Constant(constant.clone()), &[], None).ok()?[0];
    let operands = if swapped { [c, x] } else { [x, c] };
    let results = builder.emit(op.clone(), &operands, None).ok()?;
    Some(builder.finish(results))
}

/// Every binary op of every dtype with every special constant on either side, on every special
/// value: what is taken for an identity is one.
#[test]
fn identities_hold_for_special_values() {
    let overflows = [Overflow::Wrap, Overflow::Check];
    let ops = BinaryOp::ALL.iter().flat_map(|op| overflows.map(|overflow| Op::Binary(*op, overflow)));
    let (mut tried, mut simplified) = (0, 0);
    for (op, dtype) in ops.flat_map(|op| DType::ALL.map(|dtype| (op.clone(), dtype))) {
        let special = special(dtype);
        for (bytes, swapped) in special.iter().flat_map(|bytes| [(bytes, false), (bytes, true)]) {
            let constant = Constant { dtype, sizes: vec![], bytes: bytes.as_slice().into() };
            for x in &special {
                let Some(function) = with_constant(&op, &constant, 1, swapped) else { continue };
                let input = Array { dtype, sizes: vec![1], bytes: x.clone() };
                let optimized = optimize(function.clone());
                let inputs = [input];
                assert_eq!(outcome(&optimized, &inputs), outcome(&function, &inputs), "{function}{inputs:?}");
                tried += 1;
                simplified += usize::from(optimized.body.nodes.is_empty());
            }
        }
    }
    assert!(tried > 5000 && simplified > 300, "{simplified} of {tried}");
}

/// Numbers of a linear congruential generator.
fn numbers(seed: u64, count: usize) -> Vec<u32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    (0..count).map(|_| next()).collect()
}

/// Keeps each result in one of two slots.
fn keep_all(block: &mut Block) {
    for mut node in std::mem::take(&mut block.nodes) {
        node.regions.iter_mut().for_each(keep_all);
        let kept = node.results.first().map(|value| Node {
            op: Op::Keep(value.0 % 2),
            operands: vec![*value],
            results: Vec::new(),
            regions: Vec::new(),
            location: None,
        });
        block.nodes.push(node);
        block.nodes.extend(kept);
    }
}

/// The property above says little if random functions hold little.
#[test]
fn random_functions_reach_everything() {
    let (mut words, mut ended) = (BTreeMap::<String, usize>::new(), 0);
    let mut changed = vec![0; PASSES.len()];
    let count = 600;
    for seed in 0..count {
        let (function, inputs) = random_function(numbers(seed, 400));
        let text = function.to_string();
        let mut without_scopes = function.clone();
        run(PASSES[0], &mut without_scopes);
        for word in text.split_whitespace() {
            *words.entry(word.to_owned()).or_default() += 1;
        }
        ended += usize::from(interpret(&function, &inputs, &mut Recorder::default()).is_ok());
        for (pass, changed) in PASSES.iter().zip(&mut changed) {
            let before = if pass.name == "scopes" { &function } else { &without_scopes };
            let mut before = before.clone();
            if pass.name == "keeps" {
                keep_all(&mut before.body);
            }
            let mut after = before.clone();
            run(*pass, &mut after);
            if pass.name == "keeps" {
                assert_eq!(outcome(&before, &inputs), outcome(&after, &inputs), "{before}");
            }
            *changed += usize::from(after.to_string() != before.to_string());
        }
    }
    let expected = "constant iota select cast broadcast reshape transpose slice dynamic_slice update_slice \
        dynamic_update_slice gather scatter concatenate sum argmax cumsum dot if while for check print \
        add add.checked neg neg.checked eq mul_add_mod size iota_to with_shape nonzero slice_range \
        scatter_add list_zeros tape_push tape_pop tape_save tape_load identity stop_gradient with_slope checkpoint";
    for word in expected.split_whitespace() {
        assert!(words.get(word).is_some_and(|times| *times > 5), "{word}: {:?}", words.get(word));
    }
    println!("{ended} of {count} end, passes change {changed:?}");
    assert!(ended > 120, "only {ended} of {count} runs end without a failure");
    assert!(changed.iter().all(|times| *times > 100), "passes change {changed:?}");
}

/// `if x == 0: … elif x == 1: …` nests as deep as it is long.
#[test]
fn a_long_chain_of_branches_does_not_exhaust_the_stack() {
    let mut builder = Builder::new("chain");
    let x = builder.param(Type::scalar(DType::I64));
    let mut tests = Vec::new();
    for number in 0..1000_i64 {
        let constant = builder.scalar(DType::I64, &number.to_ne_bytes()).unwrap();
        tests.push((builder.emit(Op::Compare(CompareOp::Eq), &[x, constant], None).unwrap()[0], constant));
        builder.open();
    }
    let mut end = x;
    for (test, constant) in tests.into_iter().rev() {
        let otherwise = builder.close(vec![end]);
        builder.open();
        let negative = builder.emit(Op::Unary(UnaryOp::Neg, Overflow::Wrap), &[constant], None).unwrap();
        let then = builder.close(negative);
        end = builder.emit_with_regions(Op::If, &[test], vec![then, otherwise], None).unwrap()[0];
    }
    let function = builder.finish(vec![end]);
    let optimized = optimize(function.clone());
    for x in [0_i64, 1, 999, 1000] {
        let inputs = [Array { dtype: DType::I64, sizes: vec![], bytes: x.to_ne_bytes().to_vec() }];
        assert_eq!(outcome(&optimized, &inputs), outcome(&function, &inputs));
    }
}

//! The results of nodes with regions: control flow and scopes.

use super::{InferError, Inferred, RegionTypes, refuse};
use crate::op::{Op, Scope};
use crate::types::{DType, Type};

fn same_types(what: &str, left: &[Type], right: &[&Type]) -> Result<(), InferError> {
    if left.len() != right.len() {
        return refuse(format!("{what}: {} values against {}", left.len(), right.len()));
    }
    match left.iter().zip(right).find(|(l, r)| *l != **r) {
        Some((l, r)) => refuse(format!("{what}: {l} against {r}")),
        None => Ok(()),
    }
}

pub(super) fn infer_if(regions: &[RegionTypes]) -> Inferred {
    let [then, otherwise] = regions else { return refuse("an if has two regions") };
    if !then.params.is_empty() || !otherwise.params.is_empty() {
        return refuse("the regions of an if take no parameters");
    }
    same_types("branches of an if", &then.results, &otherwise.results.iter().collect::<Vec<_>>())?;
    Ok(then.results.clone())
}

pub(super) fn infer_while(operands: &[&Type], regions: &[RegionTypes]) -> Inferred {
    let [test, body] = regions else { return refuse("a while has two regions") };
    same_types("test of a while", &test.params, operands)?;
    same_types("entry of a while", &body.params, operands)?;
    same_types("iteration of a while", &body.results, operands)?;
    if test.results != [Type::scalar(DType::Bool)] {
        return refuse("the test of a while gives one bool[]");
    }
    Ok(body.results.clone())
}

pub(super) fn infer_for(operands: &[&Type], regions: &[RegionTypes]) -> Inferred {
    let [_, _, _, carries @ ..] = operands else {
        return refuse("a for takes start, stop and step");
    };
    let [body] = regions else { return refuse("a for has one region") };
    let index = Type::scalar(DType::I64);
    let entered: Vec<&Type> = std::iter::once(&index).chain(carries.iter().copied()).collect();
    same_types("entry of a for", &body.params, &entered)?;
    same_types("iteration of a for", &body.results, carries)?;
    Ok(body.results.clone())
}

pub(super) fn infer_scope(op: &Op, operands: &[&Type], regions: &[RegionTypes]) -> Inferred {
    let count = op.region_count();
    if regions.len() != count {
        return refuse(format!("a scope has {count} regions, here are {}", regions.len()));
    }
    let primal = &regions[0];
    same_types("entry of a scope", &primal.params, operands)?;
    match (op, regions) {
        (Op::Scope(Scope::CustomVjp), [_, forward, backward]) => {
            same_types("forward rule", &forward.params, operands)?;
            let Some((results, residuals)) = forward.results.split_at_checked(primal.results.len()) else {
                return refuse("a forward rule gives less than its function");
            };
            same_types("forward rule", results, &borrowed(&primal.results))?;
            infer_backward(&primal.results, residuals, &with_tangents(&primal.params), backward)?;
        }
        (Op::Scope(Scope::CustomJvp), [_, tangent]) => {
            infer_tangent(&primal.results, &primal.params, tangent)?;
        }
        (Op::Scope(scope @ (Scope::VjpRule(_) | Scope::JvpRule(_))), [_, rule]) => {
            let Some((given, rest)) = primal.params.split_at_checked(primal.results.len()) else {
                return refuse("a rule has less operands than results");
            };
            same_types("rule", given, &borrowed(&primal.results))?;
            if matches!(scope, Scope::JvpRule(_)) {
                infer_tangent(given, rest, rule)?;
                return Ok(primal.results.clone());
            }
            let Some((smooth, residuals)) = rest.split_at_checked(rule.results.len()) else {
                return refuse("a backward rule gives more adjoints than there are operands");
            };
            infer_backward(given, residuals, smooth, rule)?;
        }
        _ => {}
    }
    Ok(primal.results.clone())
}

/// Checks a rule from the residuals and the adjoints of results to the adjoints of operands.
fn infer_backward(
    results: &[Type],
    residuals: &[Type],
    operands: &[Type],
    rule: &RegionTypes,
) -> Result<(), InferError> {
    let entered = [residuals, &with_tangents(results)].concat();
    same_types("backward rule", &rule.params, &borrowed(&entered))?;
    same_types("backward rule", &rule.results, &borrowed(operands))
}

/// Checks a rule from operands and their tangents to results and theirs.
fn infer_tangent(results: &[Type], operands: &[Type], rule: &RegionTypes) -> Result<(), InferError> {
    let entered = [operands, &with_tangents(operands)].concat();
    same_types("tangent rule", &rule.params, &borrowed(&entered))?;
    let given = [results, &with_tangents(results)].concat();
    same_types("tangent rule", &rule.results, &borrowed(&given))
}

fn with_tangents(types: &[Type]) -> Vec<Type> {
    types.iter().filter(|ty| ty.has_tangent()).cloned().collect()
}

fn borrowed(types: &[Type]) -> Vec<&Type> {
    types.iter().collect()
}

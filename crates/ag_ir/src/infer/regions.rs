//! The results of nodes with regions: control flow and scopes.

use super::{InferError, Inferred, RegionTypes, refuse};
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

pub(super) fn infer_scope(count: usize, operands: &[&Type], regions: &[RegionTypes]) -> Inferred {
    if regions.len() != count {
        return refuse(format!("a scope has {count} regions, here are {}", regions.len()));
    }
    let primal = &regions[0];
    same_types("entry of a scope", &primal.params, operands)?;
    let tangents = |types: &[Type]| types.iter().filter(|ty| ty.has_tangent()).cloned().collect::<Vec<_>>();
    if let [_, forward, backward] = regions {
        same_types("forward rule", &forward.params, operands)?;
        let Some((results, residuals)) = forward.results.split_at_checked(primal.results.len()) else {
            return refuse("a forward rule gives less than its function");
        };
        same_types("forward rule", results, &primal.results.iter().collect::<Vec<_>>())?;
        let entered = [residuals, &tangents(results)].concat();
        same_types("backward rule", &backward.params, &entered.iter().collect::<Vec<_>>())?;
        let adjoints = tangents(&primal.params);
        same_types("backward rule", &backward.results, &adjoints.iter().collect::<Vec<_>>())?;
    } else if let [_, tangent] = regions {
        let entered = [&primal.params[..], &tangents(&primal.params)].concat();
        same_types("tangent rule", &tangent.params, &entered.iter().collect::<Vec<_>>())?;
        let given = [&primal.results[..], &tangents(&primal.results)].concat();
        same_types("tangent rule", &tangent.results, &given.iter().collect::<Vec<_>>())?;
    }
    Ok(primal.results.clone())
}

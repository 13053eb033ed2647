//! Batched scopes stay scopes: a gradient of the batched code uses the batched rule.
//!
//! ```text
//! scope %x { primal } { forward } { backward }        // of one row; %w is the same for all rows
//! ```
//!
//! The adjoint of an operand that is the same for all rows is the sum over the rows' adjoints. Either all
//! results with adjoints are batched or none, so that each adjoint belongs to one row.

use ag_ir::{Block, Node, Op, ReduceOp, Scope, Type, ValueId};

use super::Batcher;
use crate::error::GradientError;

impl Batcher<'_> {
    pub(super) fn scope(&mut self, node: &Node, scope: Scope) -> Result<(), GradientError> {
        if matches!(scope, Scope::VjpRule(_) | Scope::JvpRule(_)) {
            return self.used_rule(node);
        }
        let (given, got) = (self.flags(&node.operands), self.flags(&node.results));
        let borders = node.operands.iter().chain(&node.results).zip(given.iter().chain(&got));
        for (value, is_batched) in borders {
            let ty = self.builder.function().ty(*value);
            let has_rule = matches!(scope, Scope::CustomVjp | Scope::CustomJvp);
            if has_rule && *is_batched && matches!(ty, Type::List(_)) && ty.has_tangent() {
                return self.refuse_at_once("a rule for derivatives of a list which differs between rows");
            }
        }
        let operands = self.all_leaves(&node.operands, &given)?;
        let mut regions = vec![self.region(&node.regions[0], &given, &got)?];
        let (given_tangents, got_tangents) =
            (self.flags_of_floats(&node.operands), self.flags_of_floats(&node.results));
        match (scope, &node.regions[1..]) {
            (Scope::CustomVjp, [forward, backward]) => {
                let residuals = self.flags(&forward.results[node.results.len()..]);
                regions.push(self.region(forward, &given, &[&got[..], &residuals].concat())?);
                let entered = [&residuals[..], &got_tangents].concat();
                regions.push(self.backward(backward, &entered, &given_tangents)?);
            }
            (Scope::CustomJvp, [tangent]) => {
                let (entered, left) =
                    ([&given[..], &given_tangents].concat(), [&got[..], &got_tangents].concat());
                regions.push(self.region(tangent, &entered, &left)?);
            }
            _ => {}
        }
        let results = self.emit_with(Op::Scope(scope), &operands, regions)?;
        self.bind_all(&node.results, &got, &results)
    }

    fn flags(&self, values: &[ValueId]) -> Vec<bool> {
        self.varying.are_batched(self.instance, values)
    }

    /// The derivative that the rule belongs to has been taken: what is left are the values.
    fn used_rule(&mut self, node: &Node) -> Result<(), GradientError> {
        let got = self.flags(&node.results);
        let leaves = self.all_leaves(&node.operands[..got.len()], &got)?;
        self.bind_all(&node.results, &got, &leaves)
    }

    /// Whether values are batched, only for those that have adjoints.
    fn flags_of_floats(&self, values: &[ValueId]) -> Vec<bool> {
        let function = self.builder.function();
        let floats: Vec<ValueId> =
            values.iter().copied().filter(|value| function.ty(*value).has_tangent()).collect();
        self.flags(&floats)
    }

    fn region(&mut self, region: &Block, params: &[bool], results: &[bool]) -> Result<Block, GradientError> {
        let mark = self.enter();
        self.builder.open();
        self.bind_params(&region.params, params)?;
        self.nodes(region)?;
        let results = self.all_leaves(&region.results, results)?;
        self.leave(mark);
        Ok(self.builder.close(results))
    }

    /// The batched region that computes adjoints.
    fn backward(&mut self, region: &Block, params: &[bool], wanted: &[bool]) -> Result<Block, GradientError> {
        let mark = self.enter();
        self.builder.open();
        self.bind_params(&region.params, params)?;
        self.nodes(region)?;
        let mut results = Vec::new();
        for (result, is_batched) in region.results.iter().zip(wanted) {
            if *is_batched || !self.is_batched(*result) {
                results.extend(self.leaves(*result, *is_batched)?);
            } else {
                let adjoints = self.in_rows(*result)?;
                let sum = Op::Reduce { op: ReduceOp::Sum, axes: vec![0], keepdims: false };
                let [adjoint] = adjoints[..] else {
                    return self
                        .refuse_at_once("a rule for the adjoint of a list which differs between rows");
                };
                results.push(self.emit(sum, &[adjoint])?);
            }
        }
        self.leave(mark);
        Ok(self.builder.close(results))
    }
}

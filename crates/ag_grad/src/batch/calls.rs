//! Batched calls: one copy of the function for each pattern of batched operands. The number of rows becomes
//! an operand.
//!
//! ```text
//! %1: f64[] = call %x, %k callee=0                 // of one row; uses %c of a block around
//! %1: f64[n] = call %count, %x, %k, %c callee=1    // a copy: %x is batched, %k and %c are not
//! ```
//!
//! A recursion whose test differs between rows calls itself for the rows that continue, because the call
//! stands in a branch. Values that a function captures from outside the region are not batched.

use std::rc::Rc;

use ag_ir::{Call, DType, Node, Op, Type};

use super::Batcher;
use super::rows::Rows;
use super::varying::Instance;
use crate::error::GradientError;

impl Batcher<'_> {
    pub(super) fn call(&mut self, node: &Node, call: &Call) -> Result<(), GradientError> {
        let called = self.varying.called(self.instance, call.callee, &node.operands);
        if self.varying.is_plain(&called) {
            return self.as_it_is(node);
        }
        let captures = self.varying.captures.get(&call.callee).cloned().unwrap_or_default();
        let instance = self.varying.number(&called);
        let callee = self.copy_of(instance, &called, call.callee)?;
        let mut operands = vec![self.count()];
        operands.extend(self.all_leaves(&node.operands, &called.params)?);
        operands.extend(self.all_leaves(&captures, &called.captures)?);
        let are_batched = self.varying.are_batched(self.instance, &node.results);
        let results = self.all_types(&node.results, &are_batched);
        let results = self.emit_all(Op::Call(Call { callee, results }), &operands)?;
        self.bind_all(&node.results, &are_batched, &results)
    }

    /// The number of the batched function.
    fn copy_of(&mut self, instance: usize, called: &Instance, callee: usize) -> Result<usize, GradientError> {
        let dim = self.dim();
        if let Some(number) = self.copies.get(&(instance, dim.known())) {
            return Ok(*number);
        }
        let body = self.varying.bodies.get(&callee).map(Rc::clone);
        let Some(body) = body.filter(|body| body.params.len() == called.params.len()) else {
            return self.refuse("call: of the function that is being made, which is not known yet");
        };
        let name = self.builder.name_of(callee).unwrap_or_else(|| "rows".into());
        let number = self.builder.declare(name);
        self.copies.insert((instance, dim.known()), number);
        let captures = self.varying.captures.get(&callee).cloned().unwrap_or_default();
        let (values, rows) = (std::mem::take(&mut self.values), std::mem::take(&mut self.rows));
        let undo = std::mem::take(&mut self.undo);
        let caller = std::mem::replace(&mut self.instance, instance);
        self.builder.open();
        let count = self.builder.param(Type::scalar(DType::I64));
        self.rows = vec![Rows { dim, count: Some(count), picks: None }];
        self.bind_params(&body.params, &called.params)?;
        self.bind_params(&captures, &called.captures)?;
        self.nodes(&body)?;
        let are_batched = self.varying.are_batched(instance, &body.results);
        let results = self.all_leaves(&body.results, &are_batched)?;
        let copy = self.builder.close(results);
        self.builder.define(number, copy);
        (self.values, self.rows, self.undo, self.instance) = (values, rows, undo, caller);
        Ok(number)
    }
}

//! The verifier: checks the rules that all passes and back-ends rely on.
//!
//! ```text
//! function f(%0: f64[]) {
//!   %1: f64[3] = add %0, %2      // `add` of f64[] and f64[] gives f64[]; %2 is bound below
//!   %2: f64[] = neg %0
//!   return %1
//! }
//! ```
//!
//! The rules:
//!
//! - A value is bound once: as a parameter of one block or as a result of one node.
//! - A value is used only where it is in scope: further down in the block that binds it, or in a
//!   region there. A node's own regions do not see its results.
//! - Every number of a value or location is one that the function has.
//! - A node's results have the number and the types that [`infer`] gives for its op, operands and
//!   regions; this covers how many operands and regions an op takes, and the types with which
//!   regions are entered and left.
//! - Ops without control flow have no regions.
//! - A call names a function of the graph and passes as many arguments as that has parameters, of their
//!   types; it has the results of that function. Only the main function of a graph holds functions.
//! - A constant has exactly the bytes that its dtype and sizes need, and a `bool` is 0 or 1.
//! - A list holds no arrays with unknown sizes.
//! - Memory can hold each value: it has `isize::MAX` bytes at most.
//! - No parameter or result of the graph is a list of lists, which has no form outside of it.
//!
//! A value that no block binds may remain in the table of values; passes leave such holes.

use std::fmt;

use crate::build::region_types;
use crate::function::{Block, Function, LocationId, Node, ValueId};
use crate::infer::{RegionTypes, check_element, check_memory, infer};
use crate::op::{Call, Constant, Op};
use crate::types::{DType, Type};

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// What is wrong; one line, naming values as the text form does.
    pub message: String,
    /// The location of the node with the fault, if it has one.
    pub location: Option<LocationId>,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for VerifyError {}

/// Checks all rules for a graph with all its functions.
///
/// # Errors
/// Every broken rule, in order of the text.
pub fn verify(function: &Function) -> Result<(), Vec<VerifyError>> {
    let mut errors = verify_one(function, &function.functions);
    errors.extend(border_faults(function));
    for callee in &function.functions {
        errors.extend(verify_one(callee, &function.functions));
        if !callee.functions.is_empty() {
            let message = format!("{} has functions of its own", callee.name);
            errors.push(VerifyError { message, location: None });
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The rules that one function of a graph breaks; `functions` are those of the graph.
#[must_use]
pub fn verify_one(function: &Function, functions: &[Function]) -> Vec<VerifyError> {
    let count = function.values.len();
    let mut verifier = Verifier {
        function,
        functions,
        is_bound: vec![false; count],
        is_in_scope: vec![false; count],
        errors: Vec::new(),
        location: None,
    };
    verifier.block(&function.body);
    verifier.errors
}

struct Verifier<'a> {
    function: &'a Function,
    functions: &'a [Function],
    is_bound: Vec<bool>,
    is_in_scope: Vec<bool>,
    errors: Vec<VerifyError>,
    location: Option<LocationId>,
}

impl Verifier<'_> {
    fn fault(&mut self, message: String) {
        self.errors.push(VerifyError { message, location: self.location });
    }

    fn bind(&mut self, id: ValueId) {
        let index = id.0 as usize;
        if index >= self.is_bound.len() {
            return self.fault(format!("%{} is no value of the function", id.0));
        }
        if self.is_bound[index] {
            self.fault(format!("%{} is bound a second time", id.0));
        }
        if let Some(Err(error)) = self.function.values[index].ty.element().map(check_element) {
            self.fault(format!("%{}: {error}", id.0));
        }
        if let Err(error) = check_memory(&self.function.values[index].ty) {
            self.fault(format!("%{}: {error}", id.0));
        }
        self.is_bound[index] = true;
        self.is_in_scope[index] = true;
    }

    fn use_of(&mut self, id: ValueId) {
        match self.is_in_scope.get(id.0 as usize) {
            Some(true) => {}
            Some(false) => self.fault(format!("%{} is used where it is not in scope", id.0)),
            None => self.fault(format!("%{} is no value of the function", id.0)),
        }
    }

    fn block(&mut self, block: &Block) {
        for param in &block.params {
            self.bind(*param);
        }
        for node in &block.nodes {
            self.node(node);
        }
        self.location = None;
        for result in &block.results {
            self.use_of(*result);
        }
        let inside = block.params.iter().chain(block.nodes.iter().flat_map(|node| &node.results));
        for id in inside {
            if let Some(in_scope) = self.is_in_scope.get_mut(id.0 as usize) {
                *in_scope = false;
            }
        }
    }

    fn node(&mut self, node: &Node) {
        self.location = node.location;
        if let Some(location) = node.location
            && location.0 as usize >= self.function.locations.len()
        {
            self.fault(format!("{}: there is no location {}", node.op.name(), location.0));
        }
        for operand in &node.operands {
            self.use_of(*operand);
        }
        for region in &node.regions {
            self.block(region);
            self.location = node.location;
        }
        self.shape_of(node);
        for result in &node.results {
            self.bind(*result);
        }
    }

    /// Checks what inference cannot see, then runs inference.
    fn shape_of(&mut self, node: &Node) {
        if node.op.region_count() == 0 && !node.regions.is_empty() {
            let (name, count) = (node.op.name(), node.regions.len());
            self.fault(format!("{name} has no regions, here are {count}"));
        }
        if let Op::Constant(constant) = &node.op
            && let Some(message) = constant_fault(constant)
        {
            self.fault(message);
        }
        if self.are_known(node) {
            self.types(node);
            if let Op::Call(call) = &node.op {
                self.call(node, call);
            }
        }
    }

    /// Whether a call fits the function that it calls.
    fn call(&mut self, node: &Node, call: &Call) {
        let Some(callee) = self.functions.get(call.callee) else {
            return self.fault(format!("call: the graph has no function {}", call.callee));
        };
        let (params, given) = (&callee.body.params, &node.operands);
        if params.len() != given.len() {
            let (name, count) = (&callee.name, given.len());
            return self.fault(format!("call: {name} takes {} values, here are {count}", params.len()));
        }
        for (param, operand) in params.iter().zip(given) {
            let (wanted, ty) = (callee.values.get(param.0 as usize), self.function.ty(*operand));
            if wanted.is_some_and(|wanted| wanted.ty != *ty) {
                self.fault(format!("call: %{} is {ty}, which {} does not take", operand.0, callee.name));
            }
        }
        let results = callee.body.results.iter().filter_map(|id| callee.values.get(id.0 as usize));
        if !results.map(|value| &value.ty).eq(&call.results) {
            self.fault(format!("call: {} gives other values", callee.name));
        }
    }

    /// Whether all values at the node's border are values of the function, so that their types can
    /// be asked for.
    fn are_known(&self, node: &Node) -> bool {
        let borders = node.regions.iter().flat_map(|region| region.params.iter().chain(&region.results));
        node.operands
            .iter()
            .chain(&node.results)
            .chain(borders)
            .all(|id| (id.0 as usize) < self.function.values.len())
    }

    fn types(&mut self, node: &Node) {
        let function = self.function;
        let operands: Vec<&Type> = node.operands.iter().map(|id| function.ty(*id)).collect();
        let regions: Vec<RegionTypes> =
            node.regions.iter().map(|region| region_types(function, region)).collect();
        let name = || node.op.name();
        match infer(&node.op, &operands, &regions) {
            Err(error) => self.fault(format!("{}: {error}", name())),
            Ok(types) if types.len() != node.results.len() => {
                let (given, here) = (types.len(), node.results.len());
                self.fault(format!("{} gives {given} values, here are {here}", name()));
            }
            Ok(types) => {
                for (id, ty) in node.results.iter().zip(types) {
                    if *function.ty(*id) != ty {
                        let (name, is) = (name(), function.ty(*id));
                        let message = format!("{name} gives {ty}, but %{} is {is}", id.0);
                        self.fault(message);
                    }
                }
            }
        }
    }
}

/// The faults of parameters and results that have no form outside of the graph.
fn border_faults(function: &Function) -> Vec<VerifyError> {
    let border = function.body.params.iter().chain(&function.body.results);
    let fault = |id: &ValueId| {
        let ty = &function.values.get(id.0 as usize)?.ty;
        let message = format!("%{} is a {ty}, which has no form outside of a graph", id.0);
        ty.stacked(0).is_none().then_some(VerifyError { message, location: None })
    };
    border.filter_map(fault).collect()
}

fn constant_fault(constant: &Constant) -> Option<String> {
    let needed =
        constant.sizes.iter().try_fold(constant.dtype.size(), |bytes, size| bytes.checked_mul(*size));
    if needed != Some(constant.bytes.len()) {
        let ty = Type::known(constant.dtype, &constant.sizes);
        return Some(format!("a constant {ty} of {} bytes", constant.bytes.len()));
    }
    let bad = constant.bytes.iter().find(|byte| constant.dtype == DType::Bool && **byte > 1)?;
    Some(format!("a bool constant with the byte {bad}"))
}

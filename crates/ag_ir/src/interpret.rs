//! The reference interpreter: slow, obvious, and the specification of every op.

mod arrays;
mod data;
mod elementwise;

use std::collections::BTreeMap;

use self::data::Data;
use crate::function::{Block, Function, Node, ValueId};
use crate::op::Op;
use crate::run::{Array, Failure, Host, RunError};

/// Runs a function on inputs of its parameters' types.
///
/// # Errors
/// When a check fails, an index is out of range, checked arithmetic overflows, or the host raises.
///
/// # Panics
/// If the function is not valid, see [`crate::verify`], or the inputs are not of its types.
pub fn interpret(function: &Function, inputs: &[Array], host: &mut dyn Host) -> Result<Vec<Array>, RunError> {
    let mut machine = Machine { values: BTreeMap::new(), host };
    for (param, input) in function.body.params.iter().zip(inputs) {
        machine.values.insert(*param, Data::from_array(input));
    }
    let results = machine.block(&function.body)?;
    Ok(results.iter().map(Data::to_array).collect())
}

struct Machine<'a> {
    values: BTreeMap<ValueId, Data>,
    host: &'a mut dyn Host,
}

impl Machine<'_> {
    fn value(&self, id: ValueId) -> &Data {
        &self.values[&id]
    }

    /// Runs the nodes of a block whose parameters are bound, and gives its results.
    fn block(&mut self, block: &Block) -> Result<Vec<Data>, RunError> {
        for node in &block.nodes {
            let results = self.node(node)?;
            self.values.extend(node.results.iter().copied().zip(results));
        }
        Ok(block.results.iter().map(|id| self.value(*id).clone()).collect())
    }

    fn region(&mut self, region: &Block, arguments: Vec<Data>) -> Result<Vec<Data>, RunError> {
        self.values.extend(region.params.iter().copied().zip(arguments));
        self.block(region)
    }

    fn node(&mut self, node: &Node) -> Result<Vec<Data>, RunError> {
        let operands: Vec<Data> = node.operands.iter().map(|id| self.value(*id).clone()).collect();
        match &node.op {
            Op::If => {
                let taken = if operands[0].is_true() { &node.regions[0] } else { &node.regions[1] };
                self.region(taken, Vec::new())
            }
            Op::While => self.run_while(node, operands),
            Op::For => self.run_for(node, &operands),
            op => {
                let wrapped = self.simple(op, &operands);
                wrapped.map_err(|failure| RunError { failure, location: node.location })
            }
        }
    }

    fn run_while(&mut self, node: &Node, mut carries: Vec<Data>) -> Result<Vec<Data>, RunError> {
        let (test, body) = (&node.regions[0], &node.regions[1]);
        while self.region(test, carries.clone())?[0].is_true() {
            self.poll(node)?;
            carries = self.region(body, carries)?;
        }
        Ok(carries)
    }

    fn run_for(&mut self, node: &Node, operands: &[Data]) -> Result<Vec<Data>, RunError> {
        let (start, stop, step) = (operands[0].integer(), operands[1].integer(), operands[2].integer());
        let mut carries = operands[3..].to_vec();
        let mut index = start;
        while if step > 0 { index < stop } else { index > stop } {
            self.poll(node)?;
            let mut arguments = vec![Data::scalar_i64(index)];
            arguments.append(&mut carries);
            carries = self.region(&node.regions[0], arguments)?;
            let Some(next) = index.checked_add(step) else { break };
            index = next;
        }
        Ok(carries)
    }

    fn poll(&mut self, node: &Node) -> Result<(), RunError> {
        self.host.poll().map_err(|error| RunError { failure: Failure::Host(error), location: node.location })
    }

    /// An op without regions.
    fn simple(&mut self, op: &Op, operands: &[Data]) -> Result<Vec<Data>, Failure> {
        let one = |data: Data| Ok(vec![data]);
        match (op, operands) {
            (Op::Constant(constant), _) => {
                one(Data::from_bytes(constant.dtype, constant.sizes.clone(), &constant.bytes))
            }
            (Op::Iota { dtype, size }, _) => one(arrays::iota(*dtype, *size)),
            (Op::Unary(op, overflow), [x]) => one(elementwise::unary(*op, *overflow, x)?),
            (Op::Binary(op, overflow), [x, y]) => {
                let (x, y) = arrays::paired(x, y);
                one(elementwise::binary(*op, *overflow, &x, &y)?)
            }
            (Op::Compare(op), [x, y]) => {
                let (x, y) = arrays::paired(x, y);
                one(elementwise::compare(*op, &x, &y))
            }
            (Op::Select, [test, x, y]) => one(arrays::choose(test, x, y)),
            (Op::Cast(dtype), [x]) => one(elementwise::cast(*dtype, x)),
            (Op::Broadcast(shape), [x]) => one(x.broadcast(&known(shape))),
            (Op::Reshape(shape), [x]) => one(Data::new(known(shape), x.elements.clone())),
            (Op::Transpose(permutation), [x]) => one(arrays::transpose(x, permutation)),
            (Op::Slice { start, size, step }, [x]) => one(arrays::slice(x, start, size, step)),
            (Op::DynamicSlice { axis, size }, [x, start]) => {
                one(arrays::dynamic_slice(x, start, *axis, *size)?)
            }
            (Op::UpdateSlice { start, step }, [x, v]) => one(arrays::update_slice(x, v, start, step)),
            (Op::DynamicUpdateSlice { axis }, [x, v, start]) => {
                one(arrays::dynamic_update_slice(x, v, start, *axis)?)
            }
            (Op::Gather { axis, .. }, [x, picks @ ..]) => {
                one(arrays::gather(x, *axis, &picks.iter().collect::<Vec<_>>())?)
            }
            (Op::Scatter { axis, .. }, [x, v, picks @ ..]) => {
                one(arrays::scatter(x, v, *axis, &picks.iter().collect::<Vec<_>>())?)
            }
            (Op::Concatenate(axis), values) => {
                one(arrays::concatenate(*axis, &values.iter().collect::<Vec<_>>()))
            }
            (Op::Reduce { op, axes, keepdims }, [x]) => one(arrays::reduce(*op, axes, *keepdims, x)?),
            (Op::ArgReduce { op, axis }, [x]) => one(arrays::arg_reduce(*op, *axis, x)?),
            (Op::Cumulative { op, axis }, [x]) => one(arrays::cumulative(*op, *axis, x)?),
            (Op::Dot(axes), [x, y]) => one(arrays::dot(axes, x, y)?),
            (Op::Check(check), [ok, values @ ..]) => {
                if ok.is_true() {
                    return Ok(vec![]);
                }
                Err(Failure::Check {
                    error: check.error.clone(),
                    message: check.message.clone(),
                    site: check.site,
                    values: values.iter().map(Data::to_array).collect(),
                })
            }
            (Op::Print { site }, values) => {
                let arrays: Vec<Array> = values.iter().map(Data::to_array).collect();
                self.host.print(*site, &arrays).map_err(Failure::Host)?;
                Ok(vec![])
            }
            (op, operands) => unreachable!("{op:?} of {} operands in a verified graph", operands.len()),
        }
    }
}

fn known(shape: &[crate::types::Dim]) -> Vec<usize> {
    crate::types::Type::new(crate::types::DType::Bool, shape.to_vec()).sizes().unwrap_or_default()
}

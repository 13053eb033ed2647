//! The reference interpreter: slow, obvious, and the specification of every op.
//!
//! A call in the graph is a recursive call of the interpreter, on a stack that grows on the heap; [`DEEPEST`]
//! is the limit.

mod arrays;
mod data;
mod elementwise;
mod fourier;
mod lines;
mod lists;
mod matrices;
mod tapes;

pub use elementwise::mul_add_mod;

use std::collections::BTreeMap;
use std::rc::Rc;

use self::data::Data;
use self::lists::Value;
use crate::function::{Block, Function, Node, ValueId};
use crate::op::{Check, Op, Store};
use crate::run::{Array, Failure, Host, RunError, run_callback};
use crate::sizes::sizes_of_result;
use crate::types::Type;

/// Runs a function on inputs of its parameters' types.
///
/// # Errors
/// If a check fails, an index is out of range, checked arithmetic overflows, or the host raises.
///
/// # Panics
/// If the function is not valid, see [`crate::verify()`], or the inputs are not of its types.
pub fn interpret(function: &Function, inputs: &[Array], host: &mut dyn Host) -> Result<Vec<Array>, RunError> {
    let mut machine = Machine {
        functions: &function.functions,
        values: vec![None; function.values.len()],
        tapes: BTreeMap::new(),
        tape_types: tapes::types(function),
        depth: 0,
        kept: BTreeMap::new(),
        host,
    };
    let params = function.body.params.iter().map(|param| function.ty(*param));
    let arguments = inputs.iter().zip(params).map(|(input, ty)| Value::from_array(input, ty)).collect();
    let results = machine.region(&function.body, arguments).map_err(|error| RunError {
        kept: machine.kept.iter().map(|(slot, value)| (*slot, value.to_array())).collect(),
        ..error
    })?;
    Ok(results.iter().map(|result| result.to_array()).collect())
}

/// The result of an op without regions and effects, for passes that fold constants.
///
/// # Errors
/// When the op fails on these operands.
///
/// # Panics
/// If the operands are not of types that [`crate::infer()`] accepts, or the op has regions or effects.
pub fn evaluate(op: &Op, operands: &[Array]) -> Result<Array, Failure> {
    let operands: Vec<Rc<Data>> = operands.iter().map(|array| Rc::new(Data::from_array(array))).collect();
    Ok(pure(op, &operands)?.to_array())
}

/// As [`evaluate`], for an op that may have several results.
///
/// # Errors
/// See [`evaluate`].
///
/// # Panics
/// See [`evaluate`].
pub fn evaluate_all(op: &Op, operands: &[Array]) -> Result<Vec<Array>, Failure> {
    if let (Op::Nonzero, [operand]) = (op, operands) {
        return Ok(arrays::nonzero(&Data::from_array(operand)).iter().map(Data::to_array).collect());
    }
    Ok(vec![evaluate(op, operands)?])
}

/// The deepest nesting of calls; each level takes some kilobytes.
const DEEPEST: usize = 1_100_000;
/// Bytes of stack that a call needs at most before the next call checks again.
const NEEDED_STACK: usize = 128 * 1024;
/// Bytes by which the stack grows when it is short.
const MORE_STACK: usize = 64 * 1024 * 1024;

struct Machine<'a> {
    /// The functions of the graph.
    functions: &'a [Function],
    /// The current value of each value id; values in a loop are bound again in every iteration.
    values: Vec<Option<Value>>,
    /// The values on each tape.
    tapes: BTreeMap<u32, Vec<Value>>,
    /// The types of the values on each tape.
    tape_types: BTreeMap<u32, Type>,
    /// The number of active calls.
    depth: usize,
    /// The kept value of each slot.
    kept: BTreeMap<u32, Value>,
    host: &'a mut dyn Host,
}

impl Machine<'_> {
    fn value(&self, id: ValueId) -> Value {
        match &self.values[id.0 as usize] {
            Some(value) => value.clone(),
            None => unreachable!("%{} is used before it is bound in a verified graph", id.0),
        }
    }

    fn list(&self, ids: &[ValueId]) -> Vec<Value> {
        ids.iter().map(|id| self.value(*id)).collect()
    }

    fn bind(&mut self, ids: &[ValueId], values: Vec<Value>) {
        for (id, value) in ids.iter().zip(values) {
            self.values[id.0 as usize] = Some(value);
        }
    }

    /// Runs a block with these arguments and returns its results.
    fn region(&mut self, block: &Block, arguments: Vec<Value>) -> Result<Vec<Value>, RunError> {
        self.bind(&block.params, arguments);
        for node in &block.nodes {
            let results = self.node(node)?;
            self.bind(&node.results, results);
        }
        Ok(self.list(&block.results))
    }

    fn node(&mut self, node: &Node) -> Result<Vec<Value>, RunError> {
        let operands = self.list(&node.operands);
        let result = match &node.op {
            Op::If => {
                let taken = if operands[0].tensor().is_true() { &node.regions[0] } else { &node.regions[1] };
                return self.region(taken, Vec::new());
            }
            Op::While => return self.run_while(node, operands),
            Op::For => return self.run_for(node, &operands),
            Op::Scope(_) => return self.region(&node.regions[0], operands),
            Op::Identity(_) => return Ok(operands.into_iter().take(1).collect()),
            Op::TapePush(tape) => {
                self.tapes.entry(*tape).or_default().extend(operands);
                return Ok(Vec::new());
            }
            Op::TapePop(pop) => match self.tapes.entry(pop.tape).or_default().pop() {
                Some(value) => return Ok(vec![value]),
                // A saved tape does not say how many values without elements there were.
                None => match tapes::without_elements(&pop.ty) {
                    Some(value) => return Ok(vec![value]),
                    None => unreachable!("a pop of the empty tape {}", pop.tape),
                },
            },
            Op::TapeSave(tape) => {
                let values = self.tapes.remove(tape).unwrap_or_default();
                return Ok(vec![tapes::saved(&values, self.tape_types.get(tape)).into()]);
            }
            Op::TapeLoad(tape) => {
                let values = tapes::loaded(operands[0].tensor(), self.tape_types.get(tape));
                self.tapes.entry(*tape).or_default().extend(values);
                return Ok(Vec::new());
            }
            Op::Call(call) => return self.call(node, &self.functions[call.callee], operands),
            Op::Check(check) => run_check(check, &operands).map(|()| vec![]),
            Op::Print { site } => {
                let arrays: Vec<Array> = operands.iter().map(|value| value.to_array()).collect();
                self.host.print(*site, &arrays).map(|()| vec![]).map_err(Failure::Host)
            }
            Op::Keep(slot) => {
                self.kept.extend(operands.into_iter().map(|value| (*slot, value)));
                return Ok(Vec::new());
            }
            Op::KeepEnd(_) => return Ok(Vec::new()),
            Op::Nonzero => Ok(arrays::nonzero(operands[0].tensor()).into_iter().map(Value::from).collect()),
            Op::List(op) => lists::run(op, &operands),
            Op::Callback(callback) => {
                let arrays: Vec<Array> = operands.iter().map(|value| value.to_array()).collect();
                let results = run_callback(self.host, callback, &arrays).map_err(Failure::Host);
                results.map(|results| results.iter().map(|array| Data::from_array(array).into()).collect())
            }
            op => {
                let operands: Vec<Rc<Data>> =
                    operands.iter().map(|value| Rc::clone(value.tensor())).collect();
                pure(op, &operands).map(|data| vec![data.into()])
            }
        };
        result.map_err(|failure| RunError::new(failure, node.location))
    }

    fn run_while(&mut self, node: &Node, mut carries: Vec<Value>) -> Result<Vec<Value>, RunError> {
        let (test, body) = (&node.regions[0], &node.regions[1]);
        while self.region(test, carries.clone())?[0].tensor().is_true() {
            self.poll(node)?;
            carries = self.region(body, carries)?;
        }
        Ok(carries)
    }

    fn run_for(&mut self, node: &Node, operands: &[Value]) -> Result<Vec<Value>, RunError> {
        let (start, stop, step) =
            (operands[0].tensor().integer(), operands[1].tensor().integer(), operands[2].tensor().integer());
        let mut carries = operands[3..].to_vec();
        let mut index = start;
        while if step > 0 { index < stop } else { index > stop } {
            self.poll(node)?;
            let mut arguments = vec![Value::from(Data::scalar_i64(index))];
            arguments.append(&mut carries);
            carries = self.region(&node.regions[0], arguments)?;
            let Some(next) = index.checked_add(step) else { break };
            index = next;
        }
        Ok(carries)
    }

    /// Runs a function with values of its own.
    fn call(
        &mut self,
        node: &Node,
        callee: &Function,
        arguments: Vec<Value>,
    ) -> Result<Vec<Value>, RunError> {
        self.poll(node)?;
        if self.depth == DEEPEST {
            return Err(RunError::new(Failure::Recursion, node.location));
        }
        self.depth += 1;
        let callers = std::mem::replace(&mut self.values, vec![None; callee.values.len()]);
        let results = stacker::maybe_grow(NEEDED_STACK, MORE_STACK, || self.region(&callee.body, arguments));
        self.values = callers;
        self.depth -= 1;
        results.map_err(|mut error| {
            error.calls.extend(node.location);
            error
        })
    }

    fn poll(&mut self, node: &Node) -> Result<(), RunError> {
        self.host.poll().map_err(|error| RunError::new(Failure::Host(error), node.location))
    }
}

fn run_check(check: &Check, operands: &[Value]) -> Result<(), Failure> {
    if operands[0].tensor().is_true() {
        return Ok(());
    }
    Err(Failure::Check {
        error: check.error.clone(),
        message: check.message.clone(),
        site: check.site,
        values: operands[1..].iter().map(|value| value.to_array()).collect(),
    })
}

/// Fails unless there is memory for an array of these sizes; the code that then allocates it cannot fail.
fn find_room(sizes: &[usize]) -> Result<(), Failure> {
    let count = sizes.iter().product::<usize>();
    let bytes = count.saturating_mul(size_of::<f64>());
    Vec::<f64>::new().try_reserve_exact(count).map_err(|_| Failure::OutOfMemory { bytes })
}

/// Computes an op without regions and effects, which has one result.
fn pure(op: &Op, operands: &[Rc<Data>]) -> Result<Data, Failure> {
    let given: Vec<&[usize]> = operands.iter().map(|operand| operand.sizes.as_slice()).collect();
    let sizes = sizes_of_result(op, &given, &|operand| operands[operand].integer())?;
    find_room(&sizes)?;
    Ok(match (op, operands) {
        (Op::Constant(constant), _) => {
            Data::from_bytes(constant.dtype, constant.sizes.clone(), &constant.bytes)
        }
        (Op::Iota { dtype, size }, _) => arrays::iota(*dtype, *size),
        (Op::Unary(op, overflow), [x]) => elementwise::unary(*op, *overflow, x)?,
        (Op::Binary(op, overflow), [x, y]) => {
            let (x, y) = arrays::paired(x, y);
            elementwise::binary(*op, *overflow, &x, &y)?
        }
        (Op::Compare(op), [x, y]) => {
            let (x, y) = arrays::paired(x, y);
            elementwise::compare(*op, &x, &y)
        }
        (Op::Select, [test, x, y]) => arrays::choose(test, x, y),
        (Op::MulAddMod, [a, b, c, m]) => {
            let [a, b, c, m] = [a, b, c, m].map(|operand| operand.integer());
            Data::scalar_i64(elementwise::mul_add_mod(a, b, c, m))
        }
        (Op::Cast(dtype), [x]) => elementwise::cast(*dtype, x),
        (Op::IotaTo(dtype), _) => arrays::iota(*dtype, sizes[0]),
        (Op::Size(axis), [x]) => Data::scalar_i64(i64::try_from(x.sizes[*axis]).unwrap_or(i64::MAX)),
        (Op::WithShape(_), [x]) => Data::clone(x),
        (Op::Broadcast(_), [x, ..]) => x.broadcast(&sizes).into_owned(),
        (Op::Reshape(_), [x, ..]) => Data::new(sizes, x.elements.clone()),
        (Op::Transpose(permutation), [x]) => arrays::transpose(x, permutation),
        (Op::Slice { start, step, .. }, [x]) => arrays::slice(x, start, &sizes, step),
        (Op::SliceRange { axis }, [x, start, _, step]) => {
            arrays::slice_along(x, *axis, start.integer(), sizes[*axis], step.integer())
        }
        (Op::DynamicSlice { axis, size }, [x, start]) => arrays::dynamic_slice(x, start, *axis, *size)?,
        (Op::UpdateSlice { start, step }, [x, v]) => arrays::update_slice(x, v, start, step),
        (Op::DynamicUpdateSlice { axis }, [x, v, start]) => arrays::dynamic_update_slice(x, v, start, *axis)?,
        (Op::Gather { axis, .. }, [x, picks @ ..]) => arrays::gather(x, *axis, &plain(picks))?,
        (Op::Scatter { axis, store, .. }, [x, v, picks @ ..]) => match store {
            Store::Replace => arrays::scatter(x, v, *axis, &plain(picks))?,
            Store::Add => arrays::scatter_add(x, v, *axis, &plain(picks))?,
        },
        (Op::Concatenate(axis), values) => arrays::concatenate(*axis, &plain(values)),
        (Op::Reduce { op, axes, keepdims }, [x]) => arrays::reduce(*op, axes, *keepdims, x)?,
        (Op::ArgReduce { op, axis }, [x]) => arrays::arg_reduce(*op, *axis, x)?,
        (Op::ArgSort(axis), [x]) => arrays::arg_sort(*axis, x)?,
        (Op::Sort(axis), [x]) => arrays::along(*axis, x, &arrays::arg_sort(*axis, x)?),
        (Op::ArgPartition { axis, ranks }, [x]) => arrays::arg_partition(*axis, ranks, x)?,
        (Op::Partition { axis, ranks }, [x]) => {
            arrays::along(*axis, x, &arrays::arg_partition(*axis, ranks, x)?)
        }
        (Op::Search { counts_equal }, [ordered, x]) => lines::search(*counts_equal, ordered, x)?,
        (Op::Cumulative { op, axis }, [x]) => arrays::cumulative(*op, *axis, x)?,
        (Op::Dot(axes), [x, y]) => arrays::dot(axes, x, y),
        (Op::Correlate { before, .. }, [x, y]) => lines::correlate(*before, sizes, x, y),
        (Op::Decompose(kind), [x]) => matrices::decompose(*kind, x)?,
        (Op::SolveLu, [lu, side]) => matrices::solve_lu(lu, side)?,
        (Op::Fourier { is_inverse }, [x]) => fourier::transform(*is_inverse, x),
        (Op::Random { draw, dtype, .. }, [key, counter, bounds @ ..]) => {
            matrices::random(*draw, *dtype, &sizes, [key.integer(), counter.integer()], &plain(bounds))
        }
        (op, operands) => unreachable!("{op:?} of {} operands in a verified graph", operands.len()),
    })
}

fn plain(values: &[Rc<Data>]) -> Vec<&Data> {
    values.iter().map(|value| &**value).collect()
}

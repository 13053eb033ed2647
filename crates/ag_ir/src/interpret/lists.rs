//! Lists of the interpreter: a vector of values, which every op copies.

use std::rc::Rc;

use super::data::Data;
use crate::op::{ListFailure, ListOp};
use crate::run::{Array, Failure};
use crate::types::{TensorType, Type};

/// A value of a graph.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Tensor(Rc<Data>),
    List(Rc<List>),
}

/// A list and its element type, which an empty list does not show.
#[derive(Debug)]
pub(super) struct List {
    element: Type,
    values: Vec<Value>,
}

impl From<Data> for Value {
    fn from(data: Data) -> Self {
        Self::Tensor(Rc::new(data))
    }
}

impl Value {
    /// The value of a parameter of this type for an input: for a list, the rows of the array.
    pub(super) fn from_array(array: &Array, ty: &Type) -> Self {
        match ty {
            Type::Tensor(_) => Data::from_array(array).into(),
            Type::List(element) => Self::List(Rc::new(rows(array, element))),
        }
    }

    pub(super) fn to_array(&self) -> Array {
        match self {
            Self::Tensor(data) => data.to_array(),
            Self::List(list) => list.stacked(),
        }
    }

    /// The array, for operands that the verifier has checked to be arrays.
    pub(super) fn tensor(&self) -> &Rc<Data> {
        match self {
            Self::Tensor(data) => data,
            Self::List(_) => unreachable!("a list where an array is needed in a verified graph"),
        }
    }

    /// Zeros of the same sizes and lengths.
    fn zeros(&self) -> Self {
        match self {
            Self::Tensor(data) => {
                let mut array = data.to_array();
                array.bytes.fill(0);
                Data::from_array(&array).into()
            }
            Self::List(list) => list.with(list.values.iter().map(Self::zeros).collect()),
        }
    }

    /// A list of these values.
    pub(super) fn list_of(element: &Type, values: Vec<Self>) -> Self {
        Self::List(Rc::new(List { element: element.clone(), values }))
    }

    /// The values in a list.
    pub(super) fn values(&self) -> &[Self] {
        &self.list().values
    }

    fn list(&self) -> &List {
        match self {
            Self::List(list) => list,
            Self::Tensor(_) => unreachable!("an array where a list is needed in a verified graph"),
        }
    }
}

impl List {
    /// Stacks its values to one array; a list that leaves a verified graph holds arrays.
    fn stacked(&self) -> Array {
        let Some(TensorType { dtype, shape }) = self.element.tensor() else {
            unreachable!("a list of lists leaves a verified graph");
        };
        let sizes = TensorType::new(*dtype, shape.clone()).sizes().unwrap_or_default();
        Array {
            dtype: *dtype,
            sizes: std::iter::once(self.values.len()).chain(sizes).collect(),
            bytes: self.values.iter().flat_map(|value| value.tensor().to_array().bytes).collect(),
        }
    }

    fn with(&self, values: Vec<Value>) -> Value {
        Value::List(Rc::new(Self { element: self.element.clone(), values }))
    }
}

/// The list of the rows of an array.
fn rows(array: &Array, element: &Type) -> List {
    let (count, sizes) = (array.sizes[0], &array.sizes[1..]);
    let bytes = sizes.iter().product::<usize>() * array.dtype.size();
    let row = |number: usize| {
        let bytes = &array.bytes[number * bytes..(number + 1) * bytes];
        Data::from_bytes(array.dtype, sizes.to_vec(), bytes).into()
    };
    List { element: element.clone(), values: (0..count).map(row).collect() }
}

/// Runs a list op.
pub(super) fn run(op: &ListOp, operands: &[Value]) -> Result<Vec<Value>, Failure> {
    match op {
        ListOp::Make(element) => {
            return Ok(vec![Value::list_of(element, operands.to_vec())]);
        }
        ListOp::Unstack => {
            let array = operands[0].to_array();
            let element = Type::known(array.dtype, &array.sizes[1..]);
            return Ok(vec![Value::List(Rc::new(rows(&array, &element)))]);
        }
        _ => {}
    }
    let (list, rest) = (operands[0].list(), &operands[1..]);
    let mut values = list.values.clone();
    let number = |operand: usize| rest[operand].tensor().integer();
    let inside = |failure: ListFailure| place(number(0), list.values.len(), failure);
    match op {
        ListOp::Append => values.push(rest[0].clone()),
        ListOp::Pop => {
            let last = values.pop().ok_or(ListFailure::Pop)?;
            return Ok(vec![list.with(values), last]);
        }
        ListOp::Get => return Ok(vec![values.swap_remove(inside(ListFailure::Get)?)]),
        ListOp::Set => values[inside(ListFailure::Set)?] = rest[1].clone(),
        ListOp::Insert => {
            let place = usize::try_from(number(0).max(0)).unwrap_or(usize::MAX).min(values.len());
            values.insert(place, rest[1].clone());
        }
        ListOp::Delete => drop(values.remove(inside(ListFailure::Set)?)),
        ListOp::Concatenate => values.extend_from_slice(&rest[0].list().values),
        ListOp::Slice => values = slice(&values, [number(0), number(1), number(2)])?,
        ListOp::Reverse => values.reverse(),
        ListOp::Zeros => values.iter_mut().for_each(|value| *value = value.zeros()),
        ListOp::Length => return Ok(vec![length_of(values.len())]),
        ListOp::Stack { size } => {
            if let Some(size) = size.filter(|size| *size != values.len()) {
                return Err(ListFailure::Stack { size, length: values.len() }.into());
            }
            return Ok(vec![Data::from_array(&list.stacked()).into()]);
        }
        ListOp::GetIn => {
            let one = values[inside(ListFailure::Get)?].list();
            let index = place(number(1), one.values.len(), ListFailure::Get)?;
            return Ok(vec![one.values[index].clone()]);
        }
        ListOp::LengthIn => {
            return Ok(vec![length_of(values[inside(ListFailure::Get)?].list().values.len())]);
        }
        ListOp::SetIn | ListOp::AppendIn | ListOp::PopIn => {
            let at = inside(ListFailure::Get)?;
            let one = values[at].list();
            let mut inner = one.values.clone();
            let mut popped = None;
            match op {
                ListOp::SetIn => {
                    let index = place(number(1), inner.len(), ListFailure::Set)?;
                    inner[index] = rest[2].clone();
                }
                ListOp::AppendIn => inner.push(rest[1].clone()),
                ListOp::PopIn => popped = Some(inner.pop().ok_or(ListFailure::Pop)?),
                other => unreachable!("{other:?} changes no list in a list"),
            }
            values[at] = one.with(inner);
            return Ok(std::iter::once(list.with(values)).chain(popped).collect());
        }
        ListOp::Flatten => {
            let all = values.iter().flat_map(|one| one.list().values.iter().cloned()).collect();
            let element = list.element.element().unwrap_or(&list.element).clone();
            return Ok(vec![Value::List(Rc::new(List { element, values: all }))]);
        }
        ListOp::Make(_) | ListOp::Unstack => {}
    }
    Ok(vec![list.with(values)])
}

/// Checks that an index is within a list.
fn place(index: i64, length: usize, failure: ListFailure) -> Result<usize, ListFailure> {
    usize::try_from(index).ok().filter(|index| *index < length).ok_or(failure)
}

fn length_of(length: usize) -> Value {
    Data::scalar_i64(i64::try_from(length).unwrap_or(i64::MAX)).into()
}

/// The values at `range(start, stop, step)`.
fn slice(values: &[Value], [start, stop, step]: [i64; 3]) -> Result<Vec<Value>, ListFailure> {
    if step == 0 {
        return Err(ListFailure::Step);
    }
    let mut picked = Vec::new();
    let mut index = start;
    while if step > 0 { index < stop } else { index > stop } {
        let value = usize::try_from(index).ok().and_then(|index| values.get(index));
        picked.push(value.ok_or(ListFailure::Get)?.clone());
        let Some(next) = index.checked_add(step) else { break };
        index = next;
    }
    Ok(picked)
}

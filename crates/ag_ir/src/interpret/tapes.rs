//! Saved tapes: the values of a tape as bytes, in the form that the engine's tapes have.
//!
//! ```text
//! f64[2]       16 bytes                        a value of known sizes: its elements
//! f64[?, ?]    elements, sizes                 padded to whole words
//! list         elements, length                of a list of lists: the inner lists, length
//! ```

use std::collections::BTreeMap;

use super::data::{Data, Elements};
use super::lists::Value;
use crate::function::{Block, Function};
use crate::op::Op;
use crate::types::{TensorType, Type};

/// Sizes and lengths are words.
const WORD: usize = size_of::<usize>();

/// The types of the values on each tape of a graph.
pub(super) fn types(graph: &Function) -> BTreeMap<u32, Type> {
    let mut types = BTreeMap::new();
    for function in std::iter::once(graph).chain(&graph.functions) {
        collect(function, &function.body, &mut types);
    }
    types
}

fn collect(function: &Function, block: &Block, types: &mut BTreeMap<u32, Type>) {
    for node in &block.nodes {
        match &node.op {
            Op::TapePush(tape) => drop(types.insert(*tape, function.ty(node.operands[0]).clone())),
            Op::TapePop(pop) => drop(types.insert(pop.tape, pop.ty.clone())),
            _ => node.regions.iter().for_each(|region| collect(function, region, types)),
        }
    }
}

/// The bytes of these values, the first at the bottom of the tape. Without a type nothing was pushed.
pub(super) fn saved(values: &[Value], ty: Option<&Type>) -> Data {
    let mut bytes = Vec::new();
    for (value, ty) in values.iter().zip(ty.into_iter().cycle()) {
        put(value, ty, &mut bytes);
    }
    Data::new(vec![bytes.len()], Elements::U8(bytes))
}

/// The values of a saved tape. Without a type nothing is popped.
pub(super) fn loaded(bytes: &Data, ty: Option<&Type>) -> Vec<Value> {
    let (Elements::U8(bytes), Some(ty)) = (&bytes.elements, ty) else { return Vec::new() };
    let mut rest = &bytes[..];
    let mut values = Vec::new();
    while !rest.is_empty() {
        let before = rest.len();
        values.push(take(&mut rest, ty));
        assert!(rest.len() < before, "a saved tape of values of another type than {ty}");
    }
    values.reverse();
    values
}

/// The value of a type whose arrays have no elements: it takes no bytes on a tape.
pub(super) fn without_elements(ty: &Type) -> Option<Value> {
    let tensor = ty.tensor()?;
    let sizes = tensor.sizes()?;
    sizes.contains(&0).then(|| Data::from_bytes(tensor.dtype, sizes, &[]).into())
}

fn put(value: &Value, ty: &Type, bytes: &mut Vec<u8>) {
    match ty {
        Type::Tensor(tensor) => {
            let array = value.to_array();
            bytes.extend(&array.bytes);
            if tensor.has_unknown_sizes() {
                pad(bytes, array.bytes.len());
                array.sizes.iter().for_each(|size| bytes.extend(size.to_ne_bytes()));
            }
        }
        Type::List(element) => {
            let values = value.values();
            let before = bytes.len();
            values.iter().for_each(|value| put(value, element, bytes));
            if element.tensor().is_some() {
                pad(bytes, bytes.len() - before);
            }
            bytes.extend(values.len().to_ne_bytes());
        }
    }
}

fn pad(bytes: &mut Vec<u8>, written: usize) {
    bytes.resize(bytes.len() + written.next_multiple_of(WORD) - written, 0);
}

/// Takes the last value off the bytes.
fn take(bytes: &mut &[u8], ty: &Type) -> Value {
    match ty {
        Type::Tensor(tensor) if tensor.has_unknown_sizes() => {
            let mut sizes: Vec<usize> = tensor.shape.iter().map(|_| take_word(bytes)).collect();
            sizes.reverse();
            array(bytes, tensor, sizes, WORD)
        }
        Type::Tensor(tensor) => array(bytes, tensor, tensor.sizes().unwrap_or_default(), 1),
        Type::List(element) => {
            let length = take_word(bytes);
            if let Some(tensor) = element.tensor() {
                let sizes: Vec<usize> =
                    std::iter::once(length).chain(tensor.sizes().unwrap_or_default()).collect();
                return Value::from_array(&array(bytes, tensor, sizes, WORD).to_array(), ty);
            }
            let mut values: Vec<Value> = (0..length).map(|_| take(bytes, element)).collect();
            values.reverse();
            Value::list_of(element, values)
        }
    }
}

/// Takes the elements of an array, which are padded to a multiple of some bytes.
fn array(bytes: &mut &[u8], ty: &TensorType, sizes: Vec<usize>, padded_to: usize) -> Value {
    let count = sizes.iter().product::<usize>() * ty.dtype.size();
    let found = take_bytes(bytes, count.next_multiple_of(padded_to));
    Data::from_bytes(ty.dtype, sizes, &found[..count]).into()
}

fn take_word(bytes: &mut &[u8]) -> usize {
    let mut word = [0; WORD];
    word.copy_from_slice(take_bytes(bytes, WORD));
    usize::from_ne_bytes(word)
}

/// The last bytes, so many.
fn take_bytes<'b>(bytes: &mut &'b [u8], count: usize) -> &'b [u8] {
    let Some(rest) = bytes.len().checked_sub(count) else {
        unreachable!("a saved tape ends within a value");
    };
    let (before, found) = bytes.split_at(rest);
    *bytes = before;
    found
}

//! The structure of a result: each call builds new containers from the leaves.
//!
//! ```text
//! row = [a]; return row, {"first": row}
//!     list 0; leaf 0; append 0; dict 1; made 0; set 1 "first"; made 0; made 1; tuple 2 of 2; made 2
//! ```
//!
//! The structure is a program of steps on a stack, so that a deep result needs no recursion. A list, a dict
//! or an object gets its place before its parts are made, since it may contain itself.
//!
//! Invariant: an object that occurs several times in the program's result is one object in the built result.

use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::operands::Few;

/// One step. A number is the place of a container, except for a leaf.
enum Step {
    /// Pushes a leaf.
    Leaf(usize),
    /// Pushes the container at a place.
    Made(usize),
    /// Makes an empty list.
    List(usize),
    /// Pops a value and appends it to a list.
    Append(usize),
    /// Makes an empty dict.
    Dict(usize),
    /// Makes an empty object of another class of dicts.
    DictOf(usize, Py<PyAny>),
    /// Pops a factory and makes an empty `defaultdict`, whose class this is.
    Defaulting(usize, Py<PyAny>),
    /// Pops a value and stores it under a key of a dict.
    Set(usize, Py<PyAny>),
    /// Makes an object of a class, without its attributes.
    Object(usize, Py<PyAny>),
    /// Pops a value and stores it as an attribute of an object.
    Attribute(usize, Py<PyAny>),
    /// Pops this many values and the number below them, and pushes the value that the number chooses.
    Chosen(usize),
    /// Pops this many values and makes a tuple of them.
    Tuple(usize, usize),
    /// Pops this many values and makes an object of a `NamedTuple` class of them.
    Named(usize, usize, Py<PyAny>),
}

/// A step as Python passes it: a word, a number, and an object.
type StepParts<'py> = (Bound<'py, PyString>, usize, Bound<'py, PyAny>);

/// How a result is built from its leaves.
#[pyclass(module = "autograph._core", frozen)]
pub(crate) struct ResultShape {
    steps: Vec<Step>,
    /// The number of containers.
    places: usize,
    plain: Option<Plain>,
}

/// Results that need no steps.
#[derive(Clone, Copy)]
enum Plain {
    /// The only leaf.
    Leaf,
    /// A tuple of this many leaves, in order.
    Tuple(usize),
}

#[pymethods]
impl ResultShape {
    #[new]
    fn new(steps: Vec<StepParts<'_>>, places: usize) -> PyResult<Self> {
        let steps: Vec<Step> = steps.iter().map(step).collect::<PyResult<_>>()?;
        let plain = plain(&steps);
        Ok(Self { steps, places, plain })
    }

    /// Builds the result from these leaves.
    #[pyo3(name = "build")]
    fn py_build<'py>(&self, py: Python<'py>, leaves: Vec<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        self.build(py, leaves.into())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.steps.iter().try_for_each(|step| match step {
            Step::Set(_, object)
            | Step::DictOf(_, object)
            | Step::Defaulting(_, object)
            | Step::Object(_, object)
            | Step::Attribute(_, object)
            | Step::Named(_, _, object) => visit.call(object),
            _ => Ok(()),
        })
    }
}

impl ResultShape {
    /// Builds the result from these leaves.
    pub(crate) fn build<'py>(
        &self,
        py: Python<'py>,
        mut leaves: Few<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self.plain {
            Some(Plain::Leaf) if leaves.len() == 1 => leaves.pop().ok_or_else(broken),
            Some(Plain::Tuple(count)) if leaves.len() == count => Ok(PyTuple::new(py, leaves)?.into_any()),
            _ => self.run(py, &leaves),
        }
    }

    fn run<'py>(&self, py: Python<'py>, leaves: &[Bound<'py, PyAny>]) -> PyResult<Bound<'py, PyAny>> {
        let mut made: Vec<Option<Bound<'py, PyAny>>> = vec![None; self.places];
        let mut given: Vec<Bound<'py, PyAny>> = Vec::new();
        for step in &self.steps {
            match step {
                Step::Leaf(place) => given.push(leaves.get(*place).ok_or_else(broken)?.clone()),
                Step::Made(place) => given.push(at(&made, *place)?.clone()),
                Step::List(place) => put(&mut made, *place, PyList::empty(py).into_any())?,
                Step::Append(place) => {
                    at(&made, *place)?.cast::<PyList>()?.append(given.pop().ok_or_else(broken)?)?;
                }
                Step::Dict(place) => put(&mut made, *place, PyDict::new(py).into_any())?,
                Step::DictOf(place, kind) => put(&mut made, *place, kind.bind(py).call0()?)?,
                Step::Defaulting(place, kind) => {
                    let factory = given.pop().ok_or_else(broken)?;
                    put(&mut made, *place, kind.bind(py).call1((factory,))?)?;
                }
                // By the object's own method: an `OrderedDict` keeps its order apart from the dict that it is.
                Step::Set(place, key) => at(&made, *place)?.set_item(key, given.pop().ok_or_else(broken)?)?,
                Step::Object(place, kind) => {
                    let new = py.get_type::<PyAny>().call_method1(intern!(py, "__new__"), (kind,))?;
                    put(&mut made, *place, new)?;
                }
                Step::Attribute(place, name) => {
                    let value = given.pop().ok_or_else(broken)?;
                    let set = py.get_type::<PyAny>().getattr(intern!(py, "__setattr__"))?;
                    set.call1((at(&made, *place)?, name, value))?;
                }
                Step::Chosen(count) => {
                    let ways = last(py, &mut given, *count)?;
                    let place: usize = given.pop().ok_or_else(broken)?.extract()?;
                    given.push(ways.get_item(place)?);
                }
                Step::Tuple(place, count) => {
                    put(&mut made, *place, last(py, &mut given, *count)?.into_any())?;
                }
                Step::Named(place, count, kind) => {
                    let parts = last(py, &mut given, *count)?;
                    put(&mut made, *place, kind.bind(py).call1(parts)?)?;
                }
            }
        }
        given.pop().ok_or_else(broken)
    }
}

fn step((word, number, value): &StepParts<'_>) -> PyResult<Step> {
    let object = || value.clone().unbind();
    Ok(match word.to_cow()?.as_ref() {
        "leaf" => Step::Leaf(*number),
        "made" => Step::Made(*number),
        "list" => Step::List(*number),
        "append" => Step::Append(*number),
        "dict" if value.is(value.py().get_type::<PyDict>()) => Step::Dict(*number),
        "dict" => Step::DictOf(*number, object()),
        "defaultdict" => Step::Defaulting(*number, object()),
        "set" => Step::Set(*number, object()),
        "object" => Step::Object(*number, object()),
        "attribute" => Step::Attribute(*number, object()),
        "chosen" => Step::Chosen(*number),
        "tuple" => Step::Tuple(*number, value.extract()?),
        "named" => {
            let (count, kind) = value.extract()?;
            Step::Named(*number, count, kind)
        }
        other => return Err(PyValueError::new_err(format!("no step of a result: {other}"))),
    })
}

/// Whether the result is the only leaf, or a tuple of all leaves in order.
fn plain(steps: &[Step]) -> Option<Plain> {
    let (leaves, rest) =
        steps.split_at(steps.iter().take_while(|step| matches!(step, Step::Leaf(_))).count());
    let are_in_order =
        leaves.iter().enumerate().all(|(place, step)| matches!(step, Step::Leaf(leaf) if *leaf == place));
    match rest {
        [] if are_in_order && leaves.len() == 1 => Some(Plain::Leaf),
        [Step::Tuple(0, count), Step::Made(0)] if are_in_order && *count == leaves.len() => {
            Some(Plain::Tuple(*count))
        }
        _ => None,
    }
}

/// Pops the last `count` values, in order.
fn last<'py>(
    py: Python<'py>,
    given: &mut Vec<Bound<'py, PyAny>>,
    count: usize,
) -> PyResult<Bound<'py, PyTuple>> {
    let start = given.len().checked_sub(count).ok_or_else(broken)?;
    PyTuple::new(py, given.drain(start..))
}

fn at<'a, 'py>(made: &'a [Option<Bound<'py, PyAny>>], place: usize) -> PyResult<&'a Bound<'py, PyAny>> {
    made.get(place).and_then(Option::as_ref).ok_or_else(broken)
}

fn put<'py>(made: &mut [Option<Bound<'py, PyAny>>], place: usize, value: Bound<'py, PyAny>) -> PyResult<()> {
    *made.get_mut(place).ok_or_else(broken)? = Some(value);
    Ok(())
}

/// The error for steps and leaves that do not fit.
fn broken() -> PyErr {
    PyValueError::new_err("steps that do not make a result of these leaves")
}

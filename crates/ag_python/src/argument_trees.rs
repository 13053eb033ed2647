//! Arguments that are trees: checks whether a call's arguments have the structure of a specialisation, and
//! finds their leaves.
//!
//! ```text
//! f([(w, b), (v, c)], x)      positional: [[(leaf, leaf), (leaf, leaf)], leaf]      leaves: w, b, v, c, x
//! ```
//!
//! Invariants: a tree that matches has the structure that `autograph._src.trees.flatten` finds; no Python
//! runs. Any tree that is not recognised here is left to that function.

use std::borrow::Cow;
use std::sync::Arc;

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PyString, PyTuple, PyType};

use crate::known_classes::KnownClass;

/// Deeper trees are flattened in Python, which has a limit of its own.
const DEEPEST: usize = 64;

/// A tree of arguments without its leaves.
enum Shape {
    Leaf,
    /// A plain tuple.
    Tuple(Vec<Shape>),
    /// An object of a `NamedTuple` class.
    Named(Arc<KnownClass>, Vec<Shape>),
    List(Vec<Shape>),
    /// A dict, with what `autograph._src.dict_classes.dict_word` says of it.
    Dict(DictWord, Vec<(Key, Shape)>),
    /// An object of a dataclass: its fields.
    Record(Arc<KnownClass>, Vec<(Py<PyString>, Shape)>),
}

/// Which class a dict is of.
enum DictWord {
    Plain,
    /// An `OrderedDict`: the class.
    Ordered(Py<PyAny>),
    /// A `defaultdict`: the class, and the factory of the dict.
    Defaulting(Py<PyAny>, Py<PyAny>),
}

/// The key of a dict.
struct Key(Py<PyAny>);

/// The arguments of a call once they are bound: how many are positional, and the names of the others.
#[derive(PartialEq, Eq)]
pub(crate) struct Roots {
    pub(crate) positional: usize,
    pub(crate) names: Vec<String>,
}

/// The trees of all arguments.
pub(crate) struct ArgumentTrees {
    roots: Roots,
    /// Whether a call with only positional arguments needs no binding of defaults or names.
    is_plain: bool,
    shapes: Vec<Shape>,
    /// The classes in the shapes.
    classes: Vec<Arc<KnownClass>>,
    is_flat: bool,
    /// The number of leaves.
    count: usize,
}

impl ArgumentTrees {
    /// Reads the structure that `flatten((args, kwargs), [])` returns; none if only Python can match it. It
    /// has `count` leaves; `classes` are the classes in it whose objects can be read without Python.
    pub(crate) fn of(
        structure: &Bound<'_, PyAny>,
        is_plain: bool,
        count: usize,
        classes: Vec<Arc<KnownClass>>,
    ) -> PyResult<Option<Self>> {
        let (_, positional, named): (Bound<'_, PyAny>, Bound<'_, PyTuple>, Bound<'_, PyTuple>) =
            structure.extract()?;
        let mut parts: Vec<_> = positional.iter().skip(1).collect();
        let mut roots = Roots { positional: parts.len(), names: Vec::new() };
        for part in named.iter().skip(1) {
            let (name, part): (String, Bound<'_, PyAny>) = part.extract()?;
            roots.names.push(name);
            parts.push(part);
        }
        let Some(shapes) = shapes(&parts, &classes, 0)? else { return Ok(None) };
        let is_flat = shapes.iter().all(|shape| matches!(shape, Shape::Leaf));
        Ok(Some(Self { roots, is_plain, shapes, classes, is_flat, count }))
    }

    /// Whether these are trees of this many positional arguments, which need no binding.
    pub(crate) fn are_plain(&self, count: usize) -> bool {
        self.is_plain && self.roots.positional == count
    }

    /// Whether these are trees of arguments that are bound in this way.
    pub(crate) fn are_of(&self, roots: &Roots) -> bool {
        self.roots == *roots
    }

    /// Whether other trees match the same arguments.
    pub(crate) fn are_same(&self, other: &Self) -> bool {
        self.roots == other.roots && self.is_plain == other.is_plain && all_same(&self.shapes, &other.shapes)
    }

    /// The leaves of arguments, if they have this structure.
    pub(crate) fn leaves<'a, 'py>(
        &self,
        roots: &'a [Bound<'py, PyAny>],
    ) -> Option<Cow<'a, [Bound<'py, PyAny>]>> {
        if self.is_flat {
            return (self.shapes.len() == roots.len()).then_some(Cow::Borrowed(roots));
        }
        let mut leaves = Vec::with_capacity(self.count);
        collect_all(&self.shapes, roots.iter().cloned(), &mut leaves).then_some(Cow::Owned(leaves))
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.classes.iter().try_for_each(|known| known.traverse(visit))?;
        self.shapes.iter().try_for_each(|shape| shape.traverse(visit))
    }
}

impl Shape {
    fn of(structure: &Bound<'_, PyAny>, classes: &[Arc<KnownClass>], depth: usize) -> PyResult<Option<Self>> {
        // A leaf is a plain object; everything else is a tuple of a class and its parts.
        let Ok(structure) = structure.cast_exact::<PyTuple>() else { return Ok(Some(Self::Leaf)) };
        let mut parts = structure.iter();
        let (Some(kind), true) = (parts.next(), depth < DEEPEST) else { return Ok(None) };
        let py = kind.py();
        if kind.is(py.get_type::<PyTuple>()) {
            return Ok(shapes(&parts.collect::<Vec<_>>(), classes, depth + 1)?.map(Self::Tuple));
        }
        if kind.is(py.get_type::<PyList>()) {
            return Ok(shapes(&parts.collect::<Vec<_>>(), classes, depth + 1)?.map(Self::List));
        }
        let known = classes.iter().find(|known| known.is(&kind));
        if let Some(known) = known.filter(|known| known.is_tuple) {
            let parts = shapes(&parts.collect::<Vec<_>>(), classes, depth + 1)?;
            return Ok(parts.map(|parts| Self::Named(Arc::clone(known), parts)));
        }
        // For a dict or a dataclass: pairs of a key or a field name, and a part.
        let pairs: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)> =
            parts.map(|part| part.extract()).collect::<PyResult<_>>()?;
        let (keys, parts): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        let Some(parts) = shapes(&parts, classes, depth + 1)? else { return Ok(None) };
        if let Some(word) = DictWord::of(&kind)? {
            let keys = keys.into_iter().map(Key::of).collect::<PyResult<Vec<_>>>()?;
            return Ok(Some(Self::Dict(word, keys.into_iter().zip(parts).collect())));
        }
        let Some(known) = known else { return Ok(None) };
        let name = |key: Bound<'_, PyAny>| Ok(key.cast_into::<PyString>()?.unbind());
        let names: Vec<Py<PyString>> = keys.into_iter().map(name).collect::<PyResult<_>>()?;
        Ok(Some(Self::Record(Arc::clone(known), names.into_iter().zip(parts).collect())))
    }

    /// Appends the leaves of a value, if it has this structure.
    fn collect<'py>(&self, value: Bound<'py, PyAny>, leaves: &mut Vec<Bound<'py, PyAny>>) -> bool {
        match self {
            Self::Leaf => {
                leaves.push(value);
                true
            }
            Self::Tuple(parts) => {
                value.cast_exact::<PyTuple>().is_ok_and(|tuple| collect_all(parts, tuple.iter(), leaves))
            }
            Self::Named(kind, parts) => {
                kind.is_of(&value)
                    && value.cast::<PyTuple>().is_ok_and(|tuple| collect_all(parts, tuple.iter(), leaves))
            }
            Self::List(parts) => {
                value.cast_exact::<PyList>().is_ok_and(|list| collect_all(parts, list.iter(), leaves))
            }
            Self::Dict(word, items) if word.is_of(&value) => value.cast::<PyDict>().is_ok_and(|dict| {
                // Nothing runs Python here, so the dict stays as it is while it is read.
                dict.len() == items.len()
                    && word.is_in_order(dict, items)
                    && items
                        .iter()
                        .zip(dict.iter())
                        .all(|((known, shape), (key, value))| known.is(&key) && shape.collect(value, leaves))
            }),
            Self::Dict(..) => false,
            Self::Record(kind, fields) => {
                kind.is_of(&value)
                    && fields.iter().all(|(name, shape)| {
                        let field = value.getattr(name);
                        field.is_ok_and(|field| shape.collect(field, leaves))
                    })
            }
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Leaf, Self::Leaf) => true,
            (Self::Tuple(parts), Self::Tuple(others)) | (Self::List(parts), Self::List(others)) => {
                all_same(parts, others)
            }
            (Self::Named(kind, parts), Self::Named(other, others)) => {
                kind.is_same(other) && all_same(parts, others)
            }
            (Self::Dict(word, items), Self::Dict(other, others)) => {
                let is_same = |(one, other): (&(Key, Self), &(Key, Self))| {
                    one.0.0.is(&other.0.0) && one.1.is_same(&other.1)
                };
                word.is_same(other) && items.len() == others.len() && items.iter().zip(others).all(is_same)
            }
            // The fields follow from the class.
            (Self::Record(kind, fields), Self::Record(other, others)) => {
                let is_same = |(one, other): (&(_, Self), &(_, Self))| one.1.is_same(&other.1);
                kind.is_same(other) && fields.len() == others.len() && fields.iter().zip(others).all(is_same)
            }
            _ => false,
        }
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Self::Leaf => Ok(()),
            Self::Tuple(parts) | Self::List(parts) => parts.iter().try_for_each(|part| part.traverse(visit)),
            Self::Named(_, parts) => parts.iter().try_for_each(|part| part.traverse(visit)),
            Self::Dict(word, items) => {
                word.traverse(visit)?;
                items.iter().try_for_each(|(key, part)| {
                    visit.call(&key.0)?;
                    part.traverse(visit)
                })
            }
            Self::Record(_, fields) => fields.iter().try_for_each(|(_, part)| part.traverse(visit)),
        }
    }
}

impl DictWord {
    /// The word of a structure's first part, if that part is of a dict.
    fn of(told: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let py = told.py();
        if told.is(py.get_type::<PyDict>()) {
            return Ok(Some(Self::Plain));
        }
        let collections = py.import(intern!(py, "collections"))?;
        if told.is(&collections.getattr(intern!(py, "OrderedDict"))?) {
            return Ok(Some(Self::Ordered(told.clone().unbind())));
        }
        // A `Defaulting` is no class.
        let is_class = told.is_instance_of::<PyType>();
        let factory = if is_class { None } else { Some(told.getattr(intern!(py, "factory"))?.unbind()) };
        let class = collections.getattr(intern!(py, "defaultdict"))?.unbind();
        Ok(factory.map(|factory| Self::Defaulting(class, factory)))
    }

    /// Whether a value is of this very class, and has this very factory.
    fn is_of(&self, value: &Bound<'_, PyAny>) -> bool {
        let py = value.py();
        match self {
            Self::Plain => value.is_exact_instance_of::<PyDict>(),
            Self::Ordered(class) => value.get_type().is(class),
            Self::Defaulting(class, factory) => {
                value.get_type().is(class)
                    && value.getattr(intern!(py, "default_factory")).is_ok_and(|one| one.is(factory))
            }
        }
    }

    /// Whether the order that a dict says it has is that in which its items lie in memory, and the keys are
    /// these. Only an `OrderedDict` may say another one, after `move_to_end`.
    fn is_in_order(&self, dict: &Bound<'_, PyDict>, items: &[(Key, Shape)]) -> bool {
        let Self::Ordered(_) = self else { return true };
        let Ok(keys) = dict.as_any().try_iter() else { return false };
        // To go on, the iterator asks for the hash of a key, which only of such keys runs no Python.
        let is_plain = |key: &Key| has_plain_hash(key.0.bind(dict.py()));
        keys.zip(items).all(|(key, (known, _))| is_plain(known) && key.is_ok_and(|key| known.is(&key)))
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Plain, Self::Plain) => true,
            (Self::Ordered(one), Self::Ordered(other)) => one.is(other),
            (Self::Defaulting(_, one), Self::Defaulting(_, other)) => one.is(other),
            _ => false,
        }
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Self::Plain => Ok(()),
            Self::Ordered(class) => visit.call(class),
            Self::Defaulting(class, factory) => {
                visit.call(class)?;
                visit.call(factory)
            }
        }
    }
}

impl Key {
    /// Reads a key of a structure: a string is itself, any other key is a `TypedKey`.
    fn of(told: Bound<'_, PyAny>) -> PyResult<Self> {
        let is_string = told.is_exact_instance_of::<PyString>();
        let key = if is_string { told } else { told.getattr(intern!(told.py(), "key"))? };
        Ok(Self(key.unbind()))
    }

    /// Whether it is this key, or a plain one that Python considers equal.
    fn is(&self, given: &Bound<'_, PyAny>) -> bool {
        let known = self.0.bind(given.py());
        let is_plain = |key: &Bound<'_, PyAny>| {
            (key.is_exact_instance_of::<PyString>(), key.is_exact_instance_of::<PyInt>())
        };
        // `True == 1`: if the types differ, only `flatten` decides.
        given.is(known)
            || (is_plain(known) == is_plain(given)
                && is_plain(known) != (false, false)
                && given.eq(known).unwrap_or(false))
    }
}

/// Whether a key is a string, an int, or a tuple of such.
fn has_plain_hash(key: &Bound<'_, PyAny>) -> bool {
    key.is_exact_instance_of::<PyString>()
        || key.is_exact_instance_of::<PyInt>()
        || key.cast_exact::<PyTuple>().is_ok_and(|parts| parts.iter().all(|part| has_plain_hash(&part)))
}

fn shapes(
    structures: &[Bound<'_, PyAny>],
    classes: &[Arc<KnownClass>],
    depth: usize,
) -> PyResult<Option<Vec<Shape>>> {
    structures.iter().map(|structure| Shape::of(structure, classes, depth)).collect()
}

fn all_same(shapes: &[Shape], others: &[Shape]) -> bool {
    shapes.len() == others.len() && shapes.iter().zip(others).all(|(one, other)| one.is_same(other))
}

fn collect_all<'py>(
    shapes: &[Shape],
    values: impl ExactSizeIterator<Item = Bound<'py, PyAny>>,
    leaves: &mut Vec<Bound<'py, PyAny>>,
) -> bool {
    values.len() == shapes.len()
        && shapes.iter().zip(values).all(|(shape, value)| shape.collect(value, leaves))
}

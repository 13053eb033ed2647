//! Binds the arguments of a call to a function's parameters, by the way in which the call is written.
//!
//! ```text
//! def f(x, rate=0.1, *, steps=5): ...
//! f(x, steps=3)       one positional argument, `steps` by name: [argument 0, default 0.1], steps: name 0
//! ```
//!
//! `inspect.Signature.bind` and `apply_defaults` run once for each way to write a call; their result is
//! stored as a [`Form`]. A function's default arguments can be replaced, so they are compared at every call.
//!
//! Invariant: a form binds exactly as they do; a call that they refuse has no form.

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::argument_trees::Roots;
use crate::operands::Few;

/// Where a bound argument comes from.
enum Source {
    /// From this positional argument.
    Positional(usize),
    /// A named argument, by its position among the named arguments of the call.
    Named(usize),
    /// A default of the parameter.
    Default(Py<PyAny>),
}

/// A source as Python passes it: a word, and a number or the default.
pub(crate) type SourceParts<'py> = (Bound<'py, PyString>, Bound<'py, PyAny>);

/// One way to write a call.
pub(crate) struct Form {
    positional: usize,
    names: Vec<Py<PyString>>,
    sources: Vec<Source>,
    pub(crate) roots: Roots,
    /// The function whose defaults these are.
    function: Py<PyAny>,
    /// The defaults when the form was made: those of `__defaults__`, then the names and the values of
    /// `__kwdefaults__`.
    defaults: Vec<Py<PyAny>>,
}

impl Form {
    pub(crate) fn new(
        (positional, names): (usize, Vec<Py<PyString>>),
        sources: &[SourceParts<'_>],
        (count, named): (usize, Vec<String>),
        (function, defaults): (Py<PyAny>, Vec<Py<PyAny>>),
    ) -> PyResult<Self> {
        let source = |(word, value): &SourceParts<'_>| {
            Ok(match word.to_cow()?.as_ref() {
                "positional" => Source::Positional(value.extract()?),
                "named" => Source::Named(value.extract()?),
                _ => Source::Default(value.clone().unbind()),
            })
        };
        let sources = sources.iter().map(source).collect::<PyResult<_>>()?;
        let roots = Roots { positional: count, names: named };
        Ok(Self { positional, names, sources, roots, function, defaults })
    }

    /// Whether a call is written in this way.
    pub(crate) fn is_of(&self, args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> bool {
        let is_name = |(known, (name, _)): (&Py<PyString>, (Bound<'_, PyAny>, _))| {
            name.is(known) || (name.is_exact_instance_of::<PyString>() && name.eq(known).unwrap_or(false))
        };
        args.len() == self.positional
            && kwargs.map_or(0, |named| named.len()) == self.names.len()
            && kwargs.is_none_or(|named| self.names.iter().zip(named.iter()).all(is_name))
    }

    /// Whether another form is for calls written in the same way.
    pub(crate) fn is_same(&self, py: Python<'_>, other: &Self) -> bool {
        let is_name =
            |(one, other): (&Py<PyString>, &Py<PyString>)| one.bind(py).as_any().eq(other).unwrap_or(false);
        self.positional == other.positional
            && self.names.len() == other.names.len()
            && self.names.iter().zip(&other.names).all(is_name)
    }

    /// Whether the function still has the same defaults.
    pub(crate) fn holds(&self, py: Python<'_>) -> PyResult<bool> {
        let function = self.function.bind(py);
        let mut known = self.defaults.iter();
        let mut is_next = |value: &Bound<'_, PyAny>| known.next().is_some_and(|known| value.is(known));
        if let Ok(defaults) = function.getattr(intern!(py, "__defaults__"))?.cast_into::<PyTuple>()
            && !defaults.iter().all(|value| is_next(&value))
        {
            return Ok(false);
        }
        if let Ok(named) = function.getattr(intern!(py, "__kwdefaults__"))?.cast_into::<PyDict>()
            && !(named.iter().all(|(name, _)| is_next(&name))
                && named.iter().all(|(_, value)| is_next(&value)))
        {
            return Ok(false);
        }
        Ok(known.next().is_none())
    }

    /// The bound arguments of a call that is written in this way; none if one is missing.
    pub(crate) fn bound<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> Option<Few<Bound<'py, PyAny>>> {
        let named: Few<_> =
            kwargs.map(|named| named.iter().map(|(_, value)| value).collect()).unwrap_or_default();
        let value = |source: &Source| match source {
            Source::Positional(place) => args.get_item(*place).ok(),
            Source::Named(place) => named.get(*place).cloned(),
            Source::Default(value) => Some(value.bind(args.py()).clone()),
        };
        self.sources.iter().map(value).collect()
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)?;
        self.defaults.iter().try_for_each(|value| visit.call(value))?;
        self.sources.iter().try_for_each(|source| match source {
            Source::Default(value) => visit.call(value),
            _ => Ok(()),
        })
    }
}

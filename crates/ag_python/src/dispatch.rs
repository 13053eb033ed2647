//! Calls of compiled functions without running Python: `f(a, b, c)` to its native code and back.
//!
//! [`Dispatcher`] is the base class of `autograph.Function`. It keeps the specialisations that need no
//! Python; for a call it finds the matching one, checks its guards and runs it. Every other call goes to the
//! method `_call`, written in Python, which traces, compiles, and afterwards registers the specialisation
//! with `_add_fast` if it can.
//!
//! ```text
//! f(params, x, steps=3)   form -> bound arguments -> leaves of the trees -> signature -> guards -> run
//! f(a, b, c)              the arguments are bound, and are the leaves
//! ```
//!
//! Invariants: a call returns what `_call` would return. No Python runs while the lists are locked; if the
//! garbage collector makes a call meanwhile, that call goes to `_call`.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Instant;

use pyo3::exceptions::PyException;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::argument_trees::ArgumentTrees;
use crate::binding::{Form, SourceParts};
use crate::known_classes::{ClassParts, KnownClass};
use crate::numerics::is_exact;
use crate::operands::{Few, few};
use crate::profile::{Measured, Measuring, ProfiledExecutable};
use crate::specialisation::{Parts, Specialisation};

/// The specialisations for arguments of the same trees; the one used last comes first.
struct Group {
    trees: ArgumentTrees,
    entries: Vec<Arc<Specialisation>>,
}

/// The specialisations and forms with which calls need no Python.
#[derive(Default)]
struct Known {
    /// The group used last comes first.
    groups: Vec<Group>,
    /// The known ways to write a call, except for calls with positional arguments only.
    forms: Vec<Arc<Form>>,
}

/// A specialisation with the leaves of a call's arguments.
type Found<'py> = (Arc<Specialisation>, Few<Bound<'py, PyAny>>);

/// Callable base of staged functions.
#[pyclass(module = "autograph._core", subclass, frozen)]
pub(crate) struct Dispatcher {
    known: Mutex<Known>,
}

#[pymethods]
impl Dispatcher {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self { known: Mutex::default() }
    }

    /// Runs the specialisation for these arguments, or lets `_call` find or make one.
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let named = kwargs.filter(|named| !named.is_empty());
        if let Some((fast, leaves)) = slf.get().found(args, named)?
            && fast.may_run(py)?
            && let Some(given) = fast.given(py, &leaves)?
        {
            match fast.run(py, &leaves, &given) {
                // Another graph, or Python, may give a result: `_call` decides, after another run.
                Err(error) if error.is_instance_of::<PyException>(py) && fast.may_fail_alone(py)? => {}
                result => return result.map_err(|error| located(slf, &fast, error)),
            }
        }
        let empty = PyDict::new(py);
        slf.call_method1(intern!(py, "_call"), (args, kwargs.unwrap_or(&empty)))
    }

    /// As a call that needs no Python, with code that measures itself: the result, what was measured, and the
    /// nanoseconds of the whole call. None if the call needs Python, or runs another specialisation.
    fn _profile<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: &Bound<'py, PyDict>,
        concrete: &Bound<'py, PyAny>,
        executable: &Bound<'py, ProfiledExecutable>,
        most_events: usize,
    ) -> PyResult<Option<(Bound<'py, PyAny>, Measured, f64)>> {
        let py = slf.py();
        let start = Instant::now();
        let named = Some(kwargs).filter(|named| !named.is_empty());
        if let Some((fast, leaves)) = slf.get().found(args, named)?
            && fast.concrete.is(concrete)
            && fast.may_run(py)?
            && let Some(given) = fast.given(py, &leaves)?
        {
            let code = Measuring::new(executable.get(), most_events);
            let result = fast.run_code(py, &code, &leaves, &given);
            let passed = start.elapsed().as_nanos() as f64;
            let result = result.map_err(|error| located(slf, &fast, error))?;
            return Ok(Some((result, code.found()?, passed)));
        }
        Ok(None)
    }

    /// Adds a specialisation for arguments of this structure, with these leaves.
    ///
    /// `is_plain` says whether a call with as many positional arguments needs no binding; `classes` are those
    /// whose objects can be read without Python.
    fn _add_fast(
        &self,
        arguments: (Bound<'_, PyAny>, Vec<Bound<'_, PyAny>>, bool),
        classes: Vec<ClassParts>,
        concrete: Py<PyAny>,
        parts: Parts<'_>,
    ) -> PyResult<()> {
        let (structure, leaves, is_plain) = arguments;
        let py = structure.py();
        let classes: Vec<_> = classes
            .into_iter()
            .map(|parts| KnownClass::new(py, parts).map(Arc::new))
            .collect::<PyResult<_>>()?;
        let Some(trees) = ArgumentTrees::of(&structure, is_plain, leaves.len(), classes)? else {
            return Ok(());
        };
        let added = Arc::new(Specialisation::new(py, &leaves, concrete, parts)?);
        let mut known = self.lock();
        match known.groups.iter_mut().find(|group| group.trees.are_same(&trees)) {
            Some(group) => group.entries.insert(0, added),
            None => known.groups.insert(0, Group { trees, entries: vec![added] }),
        }
        Ok(())
    }

    /// Adds a way to write a call: how many arguments are positional, and the names of the others.
    ///
    /// `sources` say where each bound argument comes from; `roots` are the number of positional bound
    /// arguments and the names of the others; `defaults` are the function that has the defaults, and the
    /// defaults.
    fn _add_form(
        &self,
        py: Python<'_>,
        written: (usize, Vec<Py<PyString>>),
        sources: Vec<SourceParts<'_>>,
        roots: (usize, Vec<String>),
        defaults: (Py<PyAny>, Vec<Py<PyAny>>),
    ) -> PyResult<()> {
        let added = Arc::new(Form::new(written, &sources, roots, defaults)?);
        let mut known = self.lock();
        let (removed, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut known.forms).into_iter().partition(|form| form.is_same(py, &added));
        known.forms = kept;
        known.forms.insert(0, added);
        // The destructors of removed objects may run Python, so they run after the lock.
        drop(known);
        drop(removed);
        Ok(())
    }

    /// Removes the specialisations that are not among these.
    fn _keep_fast(&self, concrete: Vec<Bound<'_, PyAny>>) {
        let is_kept = |fast: &Arc<Specialisation>| concrete.iter().any(|kept| kept.is(&fast.concrete));
        let mut known = self.lock();
        let mut removed = Vec::new();
        let mut emptied = Vec::new();
        for mut group in std::mem::take(&mut known.groups) {
            let (kept, gone): (Vec<_>, Vec<_>) = group.entries.into_iter().partition(is_kept);
            removed.extend(gone);
            group.entries = kept;
            if group.entries.is_empty() { emptied.push(group) } else { known.groups.push(group) }
        }
        // The destructors of removed objects may run Python, so they run after the lock.
        drop(known);
        drop((removed, emptied));
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // If the lists are in use, the garbage collector sees fewer objects, and so collects less.
        let Ok(known) = self.known.try_lock() else { return Ok(()) };
        for group in &known.groups {
            group.trees.traverse(&visit)?;
            group.entries.iter().try_for_each(|fast| fast.traverse(&visit))?;
        }
        known.forms.iter().try_for_each(|form| form.traverse(&visit))
    }

    fn __clear__(&self) {
        let known = std::mem::take(&mut *self.lock());
        drop(known);
    }
}

impl Dispatcher {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lists for a call; none while they are in use.
    fn try_lock(&self) -> Option<MutexGuard<'_, Known>> {
        match self.known.try_lock() {
            Ok(known) => Some(known),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// The specialisation of a call.
    fn found<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<Found<'py>>> {
        if named.is_none() {
            let count = args.len();
            let found = self.find(few(args.iter()), |trees| trees.are_plain(count));
            if found.is_some() {
                return Ok(found);
            }
        }
        let Some(form) = self.form(args, named) else { return Ok(None) };
        // Outside of the lock: reading the defaults may call an audit hook.
        if !form.holds(args.py())? {
            return Ok(None);
        }
        Ok(form.bound(args, named).and_then(|bound| self.find(bound, |trees| trees.are_of(&form.roots))))
    }

    /// The form of a call, if it is known.
    fn form(&self, args: &Bound<'_, PyTuple>, named: Option<&Bound<'_, PyDict>>) -> Option<Arc<Form>> {
        self.try_lock()?.forms.iter().find(|form| form.is_of(args, named)).map(Arc::clone)
    }

    /// The specialisation for bound arguments; it moves to the front.
    fn find<'py>(
        &self,
        bound: Few<Bound<'py, PyAny>>,
        is_for: impl Fn(&ArgumentTrees) -> bool,
    ) -> Option<Found<'py>> {
        let exact = is_exact();
        let mut known = self.try_lock()?;
        for at in 0..known.groups.len() {
            let group = &mut known.groups[at];
            if !is_for(&group.trees) {
                continue;
            }
            let Some(leaves) = group.trees.leaves(&bound) else { continue };
            let fits = |fast: &Arc<Specialisation>| fast.is_for(exact) && fast.signature.matches(&leaves);
            let Some(place) = group.entries.iter().position(fits) else { continue };
            group.entries[..=place].rotate_right(1);
            let found = group.entries.first().map(Arc::clone)?;
            // Without trees, the arguments are the leaves.
            let of_trees = if let Cow::Owned(leaves) = leaves { Some(leaves.into()) } else { None };
            known.groups[..=at].rotate_right(1);
            return Some((found, of_trees.unwrap_or(bound)));
        }
        None
    }
}

/// The error of a run, as `_call` would raise it: with the user's location, and without internal frames.
fn located(dispatcher: &Bound<'_, Dispatcher>, fast: &Specialisation, error: PyErr) -> PyErr {
    let py = dispatcher.py();
    if !error.is_instance_of::<PyException>(py) {
        return error;
    }
    let raised = error.into_value(py);
    match dispatcher.call_method1(intern!(py, "_raised"), (&fast.concrete, raised)) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

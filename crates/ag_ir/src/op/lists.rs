//! List ops: what a node does with a list of values of one type.
//!
//! ```text
//! %1: list<f64[]> = list_make empty             // values = []
//! %2: list<f64[]> = list_append %1, %0          // values.append(x)
//! %3: list<f64[]>, %4: f64[] = list_pop %2      // last = values.pop()
//! ```
//!
//! - Lists are values like arrays: an op returns a new list and leaves its operand as it was.
//! - The ops that end in `in` read or change one value of an inner list of a list of lists in place; the
//!   inner list is neither taken out nor put back.
//! - Indices are `i64[]`. The front end has made them non-negative, as `range(length)[index]` does; an index
//!   that is still out of range fails with Python's message.

use std::fmt;

use super::Derivative;
use crate::run::Failure;
use crate::types::Type;

/// A list op. `L` is `list<T>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListOp {
    /// `(values…) -> L`: a list of these values, which are of this type.
    Make(Type),
    /// `(L, T) -> L`.
    Append,
    /// `(L) -> L, T`: the list without its last value, and that value.
    Pop,
    /// `(L, i) -> T`.
    Get,
    /// `(L, i, T) -> L`.
    Set,
    /// `(L, i, T) -> L`: inserts before the value at `i`. An index below 0 means the start, and one past the
    /// end the end, as for `list.insert`.
    Insert,
    /// `(L, i) -> L`.
    Delete,
    /// `(L, L) -> L`.
    Concatenate,
    /// `(L, start, stop, step) -> L`: the values at `range(start, stop, step)`, which are bounds as
    /// `slice.indices` gives them.
    Slice,
    /// `(L) -> L`.
    Reverse,
    /// `(L) -> i64[]`.
    Length,
    /// `(L) -> T[size, …]`: stacks a list of arrays to one array; fails unless there are `size` of them.
    /// Without a size the first dimension is `?`, and nothing fails.
    Stack {
        /// The length that the list must have.
        size: Option<usize>,
    },
    /// `(array) -> L`: the list of its rows.
    Unstack,
    /// `(list<L>, i, k) -> T`: the value at `k` of the list at `i`.
    GetIn,
    /// `(list<L>, i, k, T) -> list<L>`.
    SetIn,
    /// `(list<L>, i, T) -> list<L>`.
    AppendIn,
    /// `(list<L>, i) -> list<L>, T`: removes the last value of the list at `i` and returns it.
    PopIn,
    /// `(list<L>, i) -> i64[]`.
    LengthIn,
    /// `(list<L>) -> L`: the values of all lists, one list after the other.
    Flatten,
    /// `(L) -> L`: a list of zeros of the same length; lists in it keep their lengths too.
    Zeros,
}

impl ListOp {
    /// Whether it fails for some of the lists and indices it takes.
    #[must_use]
    pub const fn may_fail(&self) -> bool {
        match self {
            Self::Pop
            | Self::Get
            | Self::Set
            | Self::Delete
            | Self::Slice
            | Self::Stack { size: Some(_) }
            | Self::GetIn
            | Self::SetIn
            | Self::AppendIn
            | Self::PopIn
            | Self::LengthIn => true,
            Self::Make(_)
            | Self::Append
            | Self::Insert
            | Self::Concatenate
            | Self::Reverse
            | Self::Length
            | Self::Stack { size: None }
            | Self::Unstack
            | Self::Flatten
            | Self::Zeros => false,
        }
    }

    /// Whether the first result is the first operand, changed.
    #[must_use]
    pub const fn updates_first(&self) -> bool {
        match self {
            Self::Append
            | Self::Pop
            | Self::Set
            | Self::Insert
            | Self::Delete
            | Self::Concatenate
            | Self::Reverse
            | Self::SetIn
            | Self::AppendIn
            | Self::PopIn => true,
            Self::Make(_)
            | Self::Get
            | Self::Slice
            | Self::Length
            | Self::Stack { .. }
            | Self::Unstack
            | Self::GetIn
            | Self::LengthIn
            | Self::Flatten
            | Self::Zeros => false,
        }
    }

    /// The derivative of its results with respect to the values in the lists.
    #[must_use]
    pub const fn derivative(&self) -> Derivative {
        match self {
            Self::Length | Self::LengthIn | Self::Zeros => Derivative::Zero,
            Self::Make(_)
            | Self::Append
            | Self::Pop
            | Self::Get
            | Self::Set
            | Self::Insert
            | Self::Delete
            | Self::Concatenate
            | Self::Slice
            | Self::Reverse
            | Self::Stack { .. }
            | Self::Unstack
            | Self::GetIn
            | Self::SetIn
            | Self::AppendIn
            | Self::PopIn
            | Self::Flatten => Derivative::Moved,
        }
    }
}

/// The reason why a list op fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListFailure {
    /// `values[i]` past the end.
    Get,
    /// `values[i] = x` or `del values[i]` past the end.
    Set,
    /// `values.pop()` of an empty list.
    Pop,
    /// `values[::0]`.
    Step,
    /// A list whose length is not the one that the graph was made for.
    Stack {
        /// The length that the graph was made for.
        size: usize,
        /// The length of the list.
        length: usize,
    },
}

impl fmt::Display for ListFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Get => f.write_str("list index out of range"),
            Self::Set => f.write_str("list assignment index out of range"),
            Self::Pop => f.write_str("pop from empty list"),
            Self::Step => f.write_str("slice step cannot be zero"),
            Self::Stack { size, length } => {
                write!(f, "a list of {length} values where the graph was made for {size}")
            }
        }
    }
}

impl From<ListFailure> for Failure {
    fn from(failure: ListFailure) -> Self {
        let error = match failure {
            ListFailure::Get | ListFailure::Set | ListFailure::Pop => "IndexError",
            ListFailure::Step | ListFailure::Stack { .. } => "ValueError",
        };
        Self::Check {
            error: error.into(),
            message: failure.to_string().into(),
            site: None,
            values: Vec::new(),
        }
    }
}

//! Sizes in a run: those of an op's result, and whether the operands' sizes fit.
//!
//! ```text
//! add of (3,) and (4,)       ValueError: operands could not be broadcast together with shapes (3,) (4,)
//! reshape of (6,) to (2, -1) (2, 3)
//! ```
//!
//! Known sizes were checked by type inference. Unknown ones are checked here by NumPy's rules, with NumPy's
//! messages; the interpreter and the engine both call this module.

mod conditions;

use ag_linear_algebra::Decomposition;

use self::conditions::{check, check_broadcast_to};

use crate::infer::TOO_BIG;
use crate::op::{Op, ResultRule, SizeRule, ValueRule};
use crate::run::Failure;
use crate::size_rules::{SizeDomain, sizes_by_rule};
use crate::types::{DType, Dim, Shape, has_room};

type Sizes = Result<Vec<usize>, Failure>;

/// A failure with NumPy's message.
fn failure(error: &str, message: String) -> Failure {
    Failure::Check { error: error.into(), message: message.into(), site: None, values: Vec::new() }
}

fn value_error<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(failure("ValueError", message.into()))
}

/// Sizes as NumPy writes them in a message: `(3,)`, `(2,4)`.
fn text(sizes: &[usize]) -> String {
    let numbers: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    tuple(&numbers)
}

fn tuple(items: &[String]) -> String {
    match items {
        [only] => format!("({only},)"),
        _ => format!("({})", items.join(",")),
    }
}

/// The sizes of the array that an op returns, from those of the operands. `number` reads an operand that is
/// an `i64[]`. The op may still fail on elements, for example on an index out of range.
///
/// # Errors
/// If the sizes do not fit, with NumPy's message.
pub fn sizes_of_result(op: &Op, operands: &[&[usize]], number: &dyn Fn(usize) -> i64) -> Sizes {
    let sizes = match op.results() {
        ResultRule::Array(_, rule) => {
            check(rule, operands)?;
            let sizes = sizes_by_rule(rule, &mut Numbers { rule, operands, number })?;
            if let SizeRule::BroadcastTo(_) = rule {
                check_broadcast_to(operands[0], &sizes)?;
            }
            sizes
        }
        ResultRule::Size(_) | ResultRule::Length => Vec::new(),
        ResultRule::Values([ValueRule::First]) => operands[0].to_vec(),
        ResultRule::Values(_)
        | ResultRule::Types(_)
        | ResultRule::ListOf(_)
        | ResultRule::ListOfRows
        | ResultRule::Stack(_)
        | ResultRule::Positions
        | ResultRule::If
        | ResultRule::While
        | ResultRule::For
        | ResultRule::Scope => unreachable!("{} does not give one array of operands", op.name()),
    };
    // For the largest element type, so that no op on an array of these sizes overflows when it counts bytes.
    if has_room(DType::F64, sizes.iter().copied()) { Ok(sizes) } else { value_error(TOO_BIG) }
}

/// The sizes of a run.
struct Numbers<'a> {
    rule: SizeRule<'a>,
    operands: &'a [&'a [usize]],
    /// Reads an operand that is an `i64[]`.
    number: &'a dyn Fn(usize) -> i64,
}

impl SizeDomain for Numbers<'_> {
    type Size = usize;
    type Failure = Failure;

    fn operand_count(&self) -> usize {
        self.operands.len()
    }

    fn rank(&self, operand: usize) -> usize {
        self.operands[operand].len()
    }

    fn size(&self, operand: usize, axis: usize) -> usize {
        self.operands[operand][axis]
    }

    fn known(&mut self, size: usize) -> usize {
        size
    }

    fn joined(&mut self, _: usize, one: usize, other: usize) -> Result<usize, Failure> {
        match (one, other) {
            (1, size) | (size, 1) => Ok(size),
            _ if one == other => Ok(one),
            _ => Err(conditions::not_joined(self.rule, self.operands)),
        }
    }

    fn agreed(&mut self, one: usize, _: usize) -> usize {
        one
    }

    fn number(&mut self, operand: usize, _: usize) -> Result<usize, Failure> {
        usize::try_from((self.number)(operand))
            .or_else(|_| value_error("negative dimensions are not allowed"))
    }

    fn count(&mut self) -> usize {
        usize::try_from((self.number)(0)).unwrap_or(0)
    }

    fn reshaped(&mut self, shape: &Shape) -> Sizes {
        reshape(self.operands[0], shape, self.number)
    }

    fn range(&mut self, axis: usize) -> Result<usize, Failure> {
        let bounds = [1, 2, 3].map(self.number);
        count_range(axis, self.operands[0][axis], bounds)
    }

    fn sum(&mut self, axis: usize) -> Result<usize, Failure> {
        let sum = self.operands.iter().try_fold(0_usize, |sum, sizes| sum.checked_add(sizes[axis]));
        Ok(sum.unwrap_or(usize::MAX))
    }

    fn parts(&mut self, kind: Decomposition, _: usize, [m, n]: [usize; 2]) -> usize {
        kind.length(m, n)
    }
}

/// The sizes that arrays broadcast to.
///
/// # Errors
/// If they do not broadcast, with NumPy's message.
pub fn broadcast(operands: &[&[usize]]) -> Sizes {
    common(operands).ok_or_else(|| not_broadcast(operands))
}

fn not_broadcast(operands: &[&[usize]]) -> Failure {
    let shapes = listed(operands);
    failure("ValueError", format!("operands could not be broadcast together with shapes {shapes}"))
}

/// Shapes one after the other, each followed by a blank.
fn listed(operands: &[&[usize]]) -> String {
    operands.iter().map(|sizes| text(sizes) + " ").collect()
}

fn common(operands: &[&[usize]]) -> Option<Vec<usize>> {
    let rank = operands.iter().map(|sizes| sizes.len()).max().unwrap_or(0);
    let mut result = vec![1; rank];
    for sizes in operands {
        for (slot, size) in result[rank - sizes.len()..].iter_mut().zip(*sizes) {
            if *slot == 1 {
                *slot = *size;
            } else if *size != 1 && size != slot {
                return None;
            }
        }
    }
    Some(result)
}

/// The sizes of an array in another shape, of which at most one is negative and stands for what is left.
fn reshape(sizes: &[usize], shape: &[Dim], number: &dyn Fn(usize) -> i64) -> Sizes {
    let count: usize = sizes.iter().product();
    let wanted = numbered(shape, number);
    let open = wanted.iter().filter(|size| **size < 0).count();
    if open > 1 {
        return value_error("can only specify one unknown dimension");
    }
    let others = wanted
        .iter()
        .filter(|size| **size >= 0)
        .try_fold(1_usize, |product, size| product.checked_mul(usize::try_from(*size).ok()?));
    let left = match others {
        Some(others) if open == 0 && others == count => Some(1),
        Some(others) if open == 1 && others > 0 && count.is_multiple_of(others) => Some(count / others),
        _ => None,
    };
    let Some(left) = left else {
        return value_error(format!(
            "cannot reshape array of size {count} into shape {}",
            wanted_text(&wanted)
        ));
    };
    Ok(wanted.into_iter().map(|size| usize::try_from(size).unwrap_or(left)).collect())
}

/// A shape whose unknown sizes are read from the integer operands after the first operand.
fn numbered(shape: &[Dim], number: &dyn Fn(usize) -> i64) -> Vec<i64> {
    let mut numbers = (1..).map(number);
    let size = |dim: &Dim| match dim {
        Dim::Known(size) => Some(i64::try_from(*size).unwrap_or(i64::MAX)),
        Dim::Unknown => numbers.next(),
    };
    shape.iter().filter_map(size).collect()
}

/// A shape that NumPy could not make: an open dimension is `newaxis`, or left out where it is the first.
fn wanted_text(wanted: &[i64]) -> String {
    let word = |size: &i64| if *size < 0 { "newaxis".to_owned() } else { size.to_string() };
    let rest = wanted.iter().position(|size| *size >= 0).map_or(&[][..], |first| &wanted[first..]);
    let items: Vec<String> = rest.iter().map(word).collect();
    if rest.len() < wanted.len() { format!("({})", items.join(",")) } else { tuple(&items) }
}

/// The length of `range(start, stop, step)`, all of which an axis of this size has.
fn count_range(axis: usize, size: usize, [start, stop, step]: [i64; 3]) -> Result<usize, Failure> {
    if step == 0 {
        return value_error("slice step cannot be zero");
    }
    let distance = if step > 0 { stop.saturating_sub(start) } else { start.saturating_sub(stop) };
    if distance <= 0 {
        return Ok(0);
    }
    let count = (distance as u64).div_ceil(step.unsigned_abs());
    let last = i128::from(start) + i128::from(step) * (i128::from(count) - 1);
    let extent = i128::try_from(size).unwrap_or(i128::MAX);
    for index in [i128::from(start), last] {
        if !(0..extent).contains(&index) {
            let index = i64::try_from(index).unwrap_or(i64::MAX);
            return Err(Failure::Index { index, axis, size });
        }
    }
    Ok(usize::try_from(count).unwrap_or(usize::MAX))
}

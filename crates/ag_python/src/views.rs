//! How a value of a graph is a view of another: the steps that NumPy can repeat on the other's array.
//!
//! ```text
//! y = x[1:].T        transpose (slice x): `x.transpose(..)` of `x[1:]` is the same view in NumPy
//! ```

use ag_ir::{Builder, Op, ValueId};

/// A step of a view: a word, and its numbers.
pub(crate) type ViewStep = (&'static str, Vec<i64>, Vec<i64>, Vec<i64>);

/// Finds the base that a value is a view of, and the steps from the base to the value.
pub(crate) fn steps(builder: &Builder, value: ValueId, bases: &[u32]) -> Option<(u32, Vec<ViewStep>)> {
    let (mut at, mut steps) = (value, Vec::new());
    loop {
        if at != value && bases.contains(&at.0) {
            steps.reverse();
            return Some((at.0, steps));
        }
        let node = builder.defining(at)?;
        let sizes = || -> Option<Vec<i64>> {
            let sizes = builder.function().tensor(at).sizes()?;
            sizes.into_iter().map(|size| i64::try_from(size).ok()).collect()
        };
        steps.push(match &node.op {
            Op::Slice { start, step, .. } => ("slice", start.clone(), sizes()?, step.clone()),
            Op::Reshape(_) => ("reshape", sizes()?, Vec::new(), Vec::new()),
            Op::Transpose(axes) => {
                let axes = axes.iter().map(|axis| i64::try_from(*axis).ok()).collect::<Option<_>>()?;
                ("transpose", axes, Vec::new(), Vec::new())
            }
            _ => return None,
        });
        at = *node.operands.first()?;
    }
}

/// The value that this one is with its axes in another order, and that order. None if it is no such view.
pub(crate) fn turned(builder: &Builder, value: ValueId) -> Option<(u32, Vec<usize>)> {
    let (mut at, mut order): (_, Option<Vec<usize>>) = (value, None);
    while let Some(node) = builder.defining(at)
        && let Op::Transpose(axes) = &node.op
    {
        order = Some(match order {
            None => axes.clone(),
            Some(order) => order.into_iter().map(|axis| axes.get(axis).copied()).collect::<Option<_>>()?,
        });
        at = *node.operands.first()?;
    }
    Some((at.0, order?))
}

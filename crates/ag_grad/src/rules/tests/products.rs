//! Products of matrices.

use super::{check, drawn};

#[test]
pub(super) fn matrices_and_vectors() {
    let of = |sizes: &[usize], seed| drawn(sizes, seed);
    check(
        &[("f64[2, 3]", of(&[2, 3], 1)), ("f64[3, 4]", of(&[3, 4], 2))],
        "f64[2, 4] = dot %0, %1 left_contract=[1] right_contract=[0]",
    );
    check(
        &[("f64[3, 2]", of(&[3, 2], 1)), ("f64[4, 3]", of(&[4, 3], 2))],
        "f64[2, 4] = dot %0, %1 left_contract=[0] right_contract=[1]",
    );
    check(
        &[("f64[3]", of(&[3], 1)), ("f64[3]", of(&[3], 2))],
        "f64[] = dot %0, %1 left_contract=[0] right_contract=[0]",
    );
    check(
        &[("f64[2]", of(&[2], 1)), ("f64[3]", of(&[3], 2))],
        "f64[2, 3] = dot %0, %1 left_contract=[] right_contract=[]",
    );
    check(&[("f64[3, 3]", of(&[3, 3], 1))], "f64[3, 3] = dot %0, %0 left_contract=[1] right_contract=[0]");
}

#[test]
pub(super) fn lines_with_shifts() {
    for (before, size) in [(0, 3), (1, 5), (2, 7), (2, 1), (0, 9)] {
        let of = |stack: &str, sizes: &[usize]| {
            (format!("f64[{stack}{}]", sizes[sizes.len() - 1]), drawn(sizes, 1))
        };
        for (stack, leading) in [("", &[][..]), ("2, ", &[2])] {
            let (x, y) = (of(stack, &[leading, &[5]].concat()), of(stack, &[leading, &[3]].concat()));
            let node = format!("f64[{stack}{size}] = correlate %0, %1 before={before} size={size}");
            check(&[(&x.0, x.1), (&y.0, y.1)], &node);
        }
    }
    check(&[("f64[4]", drawn(&[4], 1))], "f64[7] = correlate %0, %0 before=3 size=7");
}

#[test]
fn several_axes_in_any_order() {
    check(
        &[("f64[2, 3, 4, 2]", drawn(&[2, 3, 4, 2], 1)), ("f64[4, 5, 3, 2]", drawn(&[4, 5, 3, 2], 2))],
        "f64[2, 2, 5] = dot %0, %1 left_batch=[3] right_batch=[3] left_contract=[1, 2] right_contract=[2, 0]",
    );
    check(
        &[("f64[2, 3, 4]", drawn(&[2, 3, 4], 1)), ("f64[4, 2, 3]", drawn(&[4, 2, 3], 2))],
        "f64[] = dot %0, %1 left_contract=[2, 0, 1] right_contract=[0, 1, 2]",
    );
    check(
        &[("f64[2, 3, 4]", drawn(&[2, 3, 4], 1)), ("f64[3, 2, 5]", drawn(&[3, 2, 5], 2))],
        "f64[3, 2, 4, 5] = dot %0, %1 left_batch=[1, 0] right_batch=[0, 1] left_contract=[] right_contract=[]",
    );
}

/// A batch axis of unknown size may be 1, and the same matrix is then used for all of the other's.
#[test]
fn stacks_that_stretch() {
    let attributes = "left_batch=[0] right_batch=[0] left_contract=[2] right_contract=[1]";
    for (left, l, right, r, result) in [
        ("f64[?, 2, 3]", 4, "f64[?, 3, 2]", 4, "f64[?, 2, 2]"),
        ("f64[?, 2, 3]", 1, "f64[?, 3, 2]", 4, "f64[?, 2, 2]"),
        ("f64[?, 2, 3]", 4, "f64[?, 3, 2]", 1, "f64[?, 2, 2]"),
        ("f64[1, 2, 3]", 1, "f64[?, 3, 2]", 4, "f64[?, 2, 2]"),
        ("f64[?, 2, 3]", 4, "f64[1, 3, 2]", 1, "f64[?, 2, 2]"),
        ("f64[?, 2, 3]", 1, "f64[4, 3, 2]", 4, "f64[4, 2, 2]"),
        ("f64[4, 2, 3]", 4, "f64[?, 3, 2]", 1, "f64[4, 2, 2]"),
    ] {
        let inputs = [(left, drawn(&[l, 2, 3], 1)), (right, drawn(&[r, 3, 2], 2))];
        check(&inputs, &format!("{result} = dot %0, %1 {attributes}"));
    }
    check(
        &[("f64[2, ?]", drawn(&[2, 3], 1)), ("f64[3, ?]", drawn(&[3, 4], 2))],
        "f64[2, ?] = dot %0, %1 left_contract=[1] right_contract=[0]",
    );
}

//! Decompositions of matrices, and solutions.

use super::{Array, adjoints, array, check, check_order, doubles, drawn, node_of, program, refusal, reverse};

/// The type of matrices of known sizes and of unknown ones.
fn types(sizes: &[usize]) -> [String; 2] {
    let open: Vec<&str> = sizes.iter().map(|_| "?").collect();
    [format!("f64{sizes:?}"), format!("f64[{}]", open.join(", "))]
}

/// Checks a decomposition of matrices of these sizes, whose rows have this length.
fn parts(kind: &str, x: &Array, length: usize) {
    let stack = &x.sizes[..x.sizes.len() - 2];
    let rows = [stack, &[length]].concat();
    for (ty, row) in types(&x.sizes).iter().zip(&types(&rows)) {
        check(&[(ty, x.clone())], &format!("{row} = {kind} %0"));
    }
}

/// Matrices with a heavy diagonal, so that they are positive definite and no rows are nearly exchanged.
fn heavy(sizes: &[usize], seed: u64) -> Array {
    let n = sizes[sizes.len() - 1];
    let each = doubles(&drawn(sizes, seed)).into_iter().enumerate();
    let heavier =
        |(place, x): (usize, f64)| if (place % (n * n)).is_multiple_of(n + 1) { x + 3.0 } else { x };
    array(sizes, &each.map(heavier).collect::<Vec<_>>())
}

#[test]
pub(super) fn triangular_factors() {
    parts("lu", &drawn(&[3, 3], 1), 12);
    parts("lu", &drawn(&[2, 4, 4], 2), 20);
    parts("lu", &drawn(&[1, 1], 2), 2);
    parts("cholesky", &heavy(&[3, 3], 1), 9);
    parts("cholesky", &heavy(&[2, 2, 2], 2), 4);
    parts("complex_lu", &drawn(&[4, 4], 1), 20);
    parts("complex_lu", &drawn(&[2, 6, 6], 2), 42);
    parts("complex_cholesky", &heavy(&[4, 4], 1), 16);
    parts("complex_cholesky", &heavy(&[2, 2, 2], 2), 4);
}

#[test]
pub(super) fn orthogonal_factors() {
    for (m, n) in [(3, 3), (4, 2), (2, 4)] {
        let k = m.min(n);
        parts("qr", &drawn(&[m, n], 1), (m + n) * k);
    }
    parts("qr", &drawn(&[2, 3, 2], 3), 10);
    check(&[("f64[2, 3]", drawn(&[2, 3], 1))], "f64[10] = complete_qr %0");
    for (m, n) in [(4, 4), (6, 4), (4, 6), (2, 2)] {
        let k = m.min(n);
        parts("complex_qr", &drawn(&[m, n], 1), (m + n) * k);
    }
    parts("complex_qr", &drawn(&[2, 4, 2], 3), 12);
    check(&[("f64[2, 4]", drawn(&[2, 4], 1))], "f64[12] = complex_complete_qr %0");
}

/// Checks a matrix rebuilt of complex vectors and other values. The phases of the vectors are not determined:
/// what `parts` compares depends on them.
fn rebuilt(kind: &str, (m, n): (usize, usize), length: usize) {
    let k = m.min(n);
    let first = if kind.ends_with("eigh") { n } else { m * k };
    let at = |start: usize, size: usize| format!("slice %1 start=[{start}] size=[{size}] step=[1]");
    let (left, values, right) = if kind.ends_with("eigh") {
        (at(first, n * n), at(0, n), at(first, n * n))
    } else {
        (at(0, m * k), at(first, k), at(first + k, k * n))
    };
    let turned = if kind.ends_with("eigh") { 1 } else { 0 };
    let text = format!(
        "function f(%0: f64[{m}, {n}]) {{ %1: f64[{length}] = {kind} %0 \
         %2: f64[{size}] = {left} %3: f64[{m}, {k}] = reshape %2 \
         %4: f64[{k}] = {values} %5: f64[{k}] = sin %4 %6: f64[{m}, {k}] = mul %3, %5 \
         %7: f64[{other}] = {right} %8: f64[{k}, {n}] = reshape %7 \
         %9: f64[{m}, {n}] = dot %6, %8 left_contract=[1] right_contract=[{turned}] return %9 }}",
        size = m * k,
        other = k * n,
    );
    check_order(&program(&text), &[drawn(&[m, n], 1)], 2);
}

#[test]
pub(super) fn singular_values_and_vectors() {
    for (m, n) in [(3, 3), (4, 2), (2, 4)] {
        let k = m.min(n);
        parts("svd", &drawn(&[m, n], 1), (m + n + 1) * k);
        parts("singular_values", &drawn(&[m, n], 1), k);
    }
    parts("svd", &drawn(&[2, 3, 2], 1), 12);
    check(&[("f64[3, 3]", drawn(&[3, 3], 1))], "f64[21] = full_svd %0");
    for (m, n) in [(4, 4), (6, 4), (4, 6)] {
        let k = m.min(n);
        rebuilt("complex_svd", (m, n), (m + n + 1) * k);
        parts("complex_singular_values", &drawn(&[m, n], 1), k);
    }
    rebuilt("complex_full_svd", (4, 4), 36);
}

#[test]
pub(super) fn eigenvalues_and_vectors() {
    parts("eigh", &drawn(&[3, 3], 1), 12);
    parts("eigh", &drawn(&[2, 2, 2], 1), 6);
    parts("eigenvalues", &drawn(&[3, 3], 1), 3);
    parts("eigenvalues", &drawn(&[2, 2, 2], 1), 2);
    rebuilt("complex_eigh", (4, 4), 20);
    parts("complex_eigenvalues", &drawn(&[4, 4], 1), 4);
    parts("complex_eigenvalues", &drawn(&[2, 2, 2], 1), 2);
}

/// What is only beside what is read has no derivative.
#[test]
fn only_the_lower_triangle_counts() {
    let x = [("f64[2, 2]", array(&[2, 2], &[2.0, 9.0, 0.5, 1.0]))];
    for (node, length) in
        [("f64[4] = cholesky %0", 4), ("f64[6] = eigh %0", 6), ("f64[2] = eigenvalues %0", 2)]
    {
        let found = adjoints(&x, node, drawn(&[length], 1));
        assert_eq!(found[0][1], 0.0);
        assert_ne!(found[0][2], 0.0);
    }
}

/// Values alone have a derivative where vectors have none.
#[test]
fn equal_values() {
    let x = [("f64[2, 2]", array(&[2, 2], &[2.0, 0.0, 0.0, 2.0]))];
    let weight = || array(&[2], &[1.0, 1.0]);
    assert_eq!(adjoints(&x, "f64[2] = eigenvalues %0", weight()), [[1.0, 0.0, 0.0, 1.0]]);
    assert_eq!(adjoints(&x, "f64[2] = singular_values %0", weight()), [[1.0, 0.0, 0.0, 1.0]]);
}

#[test]
fn what_completes_a_basis_is_refused() {
    let x = [("f64[3, 2]", drawn(&[3, 2], 1))];
    assert_eq!(
        refusal(&x, "f64[15] = complete_qr %0"),
        "complete_qr: the columns that complete `q` are not determined, so they have no derivative"
    );
    assert_eq!(
        refusal(&x, "f64[15] = full_svd %0"),
        "full_svd: the vectors that complete `u` or `vh` are not determined, so they have no derivative; \
         `full_matrices=False` gives the others"
    );
}

#[test]
pub(super) fn solutions() {
    let text = |a: &str, row: &str, b: &str| {
        format!("function f(%0: {a}, %1: {b}) {{ %2: {row} = lu %0 %3: {b} = solve_lu %2, %1 return %3 }}")
    };
    let (a, b) = (drawn(&[3, 3], 1), drawn(&[3, 2], 2));
    check_order(&program(&text("f64[3, 3]", "f64[12]", "f64[3, 2]")), &[a.clone(), b.clone()], 3);
    check_order(&program(&text("f64[?, ?]", "f64[?]", "f64[?, ?]")), &[a, b], 2);
    let (a, b) = (drawn(&[2, 3, 3], 3), drawn(&[2, 3, 1], 4));
    check_order(&program(&text("f64[2, 3, 3]", "f64[2, 12]", "f64[2, 3, 1]")), &[a.clone(), b.clone()], 2);
    check_order(&program(&text("f64[?, ?, ?]", "f64[?, ?]", "f64[?, ?, ?]")), &[a, b], 2);
}

/// `d(A⁻¹ b) = -A⁻¹ dA A⁻¹ b`, by the factors of `A`: that of `b` is `A⁻ᵀ` times the weight.
#[test]
fn the_adjoint_of_a_right_side() {
    let text = "function f(%0: f64[2, 1]) { %1: f64[2, 2] = constant [[1.0, 2.0], [4.0, 2.0]] %2: f64[6] = lu %1 \
                %3: f64[2, 1] = solve_lu %2, %0 return %3 }";
    let function = reverse(&program(text)).unwrap();
    let results = super::run(&function, &[array(&[2, 1], &[1.0, 1.0]), array(&[2, 1], &[6.0, 12.0])]);
    // The inverse is [[-1/3, 1/3], [2/3, -1/6]].
    let found = doubles(&results[0]);
    assert!((found[0] - 6.0).abs() < 1e-12 && found[1].abs() < 1e-12, "{found:?}");
}

/// As `numpy.linalg.det` and `slogdet` are made of the factors.
#[test]
fn determinants() {
    let text = "function f(%0: f64[3, 3]) { %1: f64[12] = lu %0 %2: f64[3] = slice %1 start=[0] size=[3] step=[4] \
                %3: f64[] = prod %2 axes=[0] %4: f64[3] = abs %2 %5: f64[3] = log %4 %6: f64[] = sum %5 axes=[0] \
                return %3, %6 }";
    check_order(&program(text), &[drawn(&[3, 3], 1)], 2);
}

/// Derivatives of singles are singles.
#[test]
fn other_element_types() {
    let function = node_of(&[("f32[2, 2]", drawn(&[2, 2], 1))], "f32[6] = lu %0");
    assert!(reverse(&function).is_ok());
    assert!(super::forward(&function).is_ok());
}

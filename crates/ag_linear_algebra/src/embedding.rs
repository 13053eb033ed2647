//! Complex matrices as real ones: a block of two rows and two columns for each element.
//!
//! ```text
//! x + yi        x  -y
//!               y   x
//! ```
//!
//! Sums and products of such matrices are those of the complex ones, and the transpose is the conjugate
//! transpose. So rules for derivatives of real matrices hold for them as they stand, or nearly so.

use num_complex::Complex64;

use crate::{Answer, Part, room_for};

/// The complex matrix of an embedding with this number of columns, by the first column of each block.
pub(crate) fn complex_of(columns: usize, embedded: &[f64]) -> Answer<Complex64> {
    let mut matrix = room_for(embedded.len() / 4)?;
    if columns == 0 {
        return Ok(matrix);
    }
    for rows in embedded.chunks_exact(2 * columns) {
        let (upper, lower) = rows.split_at(columns);
        let pairs = upper.iter().zip(lower).step_by(2);
        matrix.extend(pairs.map(|(re, im)| Complex64::new(*re, *im)));
    }
    Ok(matrix)
}

/// The parts of a complex decomposition as parts of a real one: each matrix embedded, each value twice, and
/// for each row of the matrix its two rows of the embedding.
pub(crate) fn embedded(parts: &[Part], numbers: &[Complex64]) -> Answer {
    let mut all = room_for(4 * numbers.len())?;
    let mut rest = numbers;
    for part in parts {
        let (own, others) = rest.split_at(part.length());
        rest = others;
        match *part {
            Part::Matrix(_, 0) => {}
            Part::Matrix(_, columns) => {
                for row in own.chunks_exact(columns) {
                    all.extend(row.iter().flat_map(|x| [x.re, -x.im]));
                    all.extend(row.iter().flat_map(|x| [x.im, x.re]));
                }
            }
            Part::Values(_) => all.extend(own.iter().flat_map(|x| [x.re, x.re])),
            Part::Places(_) => all.extend(own.iter().flat_map(|x| [2.0 * x.re, 2.0 * x.re + 1.0])),
        }
    }
    Ok(all)
}

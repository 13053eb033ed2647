//! Products that are added to something: every way of computing them, transposed, with a sum that lives on
//! or dies.

use ag_ir::{DType, read, verify};

use super::{Random, check, scalar_i64};

/// `for i in range(3): total = total + dot(x, y)`; the first total is read afterwards.
fn check_sum(dtype: DType, sizes: [&[usize]; 3], axes: &str, permutation: Option<&str>) {
    check_sums(dtype, sizes, axes, permutation, 3);
}

fn check_sums(
    dtype: DType,
    [left, right, result]: [&[usize]; 3],
    axes: &str,
    permutation: Option<&str>,
    count: i64,
) {
    let sizes = |sizes: &[usize]| format!("{dtype}{sizes:?}");
    let (x, y, total) = (sizes(left), sizes(right), sizes(result));
    let product = match permutation {
        None => format!("%9: {total} = dot %1, %2 {axes}"),
        Some(permutation) => {
            let mut inner = vec![0; result.len()];
            let places = permutation.split(", ").map(|place| place.parse::<usize>().unwrap());
            places.zip(result).for_each(|(place, size)| inner[place] = *size);
            format!(
                "%8: {} = dot %1, %2 {axes} %9: {total} = transpose %8 axes=[{permutation}]",
                sizes(&inner)
            )
        }
    };
    for sum in ["%7, %9", "%9, %7"] {
        let text = format!(
            "function f(%0: {total}, %1: {x}, %2: {y}, %10: i64[]) {{
               %3: i64[] = constant 0
               %4: i64[] = constant 1
               %5: {total} = for %3, %10, %4, %0 body(%6: i64[], %7: {total}) {{
                 {product}
                 %11: {total} = add {sum}
                 yield %11
               }}
               %12: {total} = sub %5, %0
               return %12, %5
             }}"
        );
        let function = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        verify(&function).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let mut random = Random(3);
        let inputs = [
            random.tame(dtype, result),
            random.tame(dtype, left),
            random.tame(dtype, right),
            scalar_i64(count),
        ];
        check(&function, &inputs).unwrap();
    }
}

const OUTER: &str = "left_batch=[] right_batch=[] left_contract=[] right_contract=[]";
const MATRICES: &str = "left_batch=[] right_batch=[] left_contract=[1] right_contract=[0]";
const COLUMNS: &str = "left_batch=[] right_batch=[] left_contract=[0] right_contract=[0]";

#[test]
fn products_are_added_where_they_are_made() {
    for dtype in [DType::F64, DType::F32, DType::I64, DType::U8] {
        check_sum(dtype, [&[7], &[40], &[7, 40]], OUTER, None);
        check_sum(dtype, [&[7], &[40], &[40, 7]], OUTER, Some("1, 0"));
        check_sum(dtype, [&[2, 3], &[5], &[5, 2, 3]], OUTER, Some("2, 0, 1"));
        check_sum(dtype, [&[2, 3], &[5], &[3, 5, 2]], OUTER, Some("1, 2, 0"));
        check_sum(dtype, [&[20, 65], &[65], &[20]], MATRICES, None);
        check_sum(dtype, [&[65, 20], &[65], &[20]], COLUMNS, None);
        check_sum(dtype, [&[20], &[20, 33], &[33]], COLUMNS, None);
        check_sum(dtype, [&[20, 40], &[40, 3], &[20, 3]], MATRICES, None);
        check_sum(dtype, [&[3, 20], &[3, 4], &[20, 4]], COLUMNS, None);
        check_sum(dtype, [&[3, 20], &[3, 4], &[4, 20]], COLUMNS, Some("1, 0"));
        check_sum(dtype, [&[17, 60], &[17, 70], &[60, 70]], COLUMNS, None);
        check_sum(dtype, [&[17, 60], &[17, 70], &[70, 60]], COLUMNS, Some("1, 0"));
        check_sum(dtype, [&[4, 0], &[0, 5], &[4, 5]], MATRICES, None);
        let batch = "left_batch=[0] right_batch=[0] left_contract=[2] right_contract=[1]";
        check_sum(dtype, [&[2, 3, 4], &[2, 4, 5], &[2, 3, 5]], batch, None);
        check_sum(dtype, [&[2, 3, 4], &[2, 4, 5], &[2, 5, 3]], batch, Some("0, 2, 1"));
    }
}

/// Two blocks of the inner axis, both added.
#[test]
fn large_products_are_added_block_by_block() {
    check_sums(DType::F64, [&[600, 1100], &[1100, 900], &[600, 900]], MATRICES, None, 1);
}

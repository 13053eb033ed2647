//! Random functions written and read back are the same functions.

#![allow(clippy::unwrap_used)]

mod random_function;

use ag_ir::{Function, read};
use proptest::prelude::*;
use random_function::random_function;

/// The function with the value numbers that no block binds made alike, as the text forgets them.
fn without_unbound(mut function: Function) -> Function {
    let unused = ag_ir::Value::new(ag_ir::Type::scalar(ag_ir::DType::Bool));
    let text = function.to_string();
    for (number, value) in function.values.iter_mut().enumerate() {
        let is_bound =
            text.contains(&format!("%{number}:")) || text.contains(&format!("%{number}.some.name:"));
        if !is_bound {
            *value = unused.clone();
        }
    }
    function
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn text_of_a_random_function_reads_back(numbers in prop::collection::vec(any::<u32>(), 0..400)) {
        let (function, _) = random_function(numbers);
        let text = function.to_string();
        let again = read(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(again.to_string(), text);
        let (expected, again) = (without_unbound(function), again);
        prop_assert_eq!(again.body, expected.body);
        prop_assert_eq!(&again.values[..], &expected.values[..again.values.len()]);
        prop_assert_eq!(again.locations, expected.locations);
    }

    #[test]
    fn no_text_makes_the_reader_panic(
        numbers in prop::collection::vec(any::<u32>(), 0..200),
        cut in any::<prop::sample::Index>(),
        other in "[ -~]{0,3}|é|%[0-9]{1,9}|0x[0-9a-f]{0,9}",
    ) {
        let mut text = random_function(numbers).0.to_string();
        let mut at = cut.index(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        text.insert_str(at, &other);
        let _ = read(&text);
        let _ = read(&text[..at]);
    }
}

//! The codes of all diagnostics, in one table.
//!
//! A code is never reused with another meaning. `AG0xx` are reported at conversion, `AG1xx` while a function
//! is staged, `AG2xx` when a graph runs.

/// An entry of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The code, such as `AG001`.
    pub code: &'static str,
    /// A short name, such as `syntax-error`.
    pub slug: &'static str,
    /// Its meaning, in one line.
    pub meaning: &'static str,
}

macro_rules! define_catalogue {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $slug:literal, $meaning:literal;)*) => {
        $(
            #[doc = concat!("`", $code, "` ", $slug, ": ", $meaning, ".")]
            $(#[$doc])*
            pub const $name: &str = $code;
        )*

        /// All codes, in order.
        pub const CATALOGUE: &[Entry] = &[
            $(Entry { code: $code, slug: $slug, meaning: $meaning },)*
        ];
    };
}

define_catalogue! {
    SYNTAX_ERROR = "AG001", "syntax-error", "the source does not parse";
    SOURCE_NOT_FOUND = "AG002", "source-not-found", "the source of a function cannot be found";
    SOURCE_CHANGED = "AG003", "source-changed", "the source no longer matches the running code";
    AMBIGUOUS_SOURCE = "AG004", "ambiguous-source", "several places of the source could be the function";
    TOO_LARGE = "AG005", "too-large", "the source is too long or nested too deeply";
    NOT_CONVERTIBLE = "AG010", "not-convertible", "the function uses what conversion cannot express";
    NOT_A_FUNCTION = "AG011", "not-a-function", "only functions written in Python can be converted";
    TEMPLATE = "AG012", "template", "a template and what is to be put into it do not fit";
    DERIVATIVE_SOURCE = "AG021", "derivative-source", "what a derivative as Python source cannot express";
    DERIVATIVE_RULE = "AG022", "derivative-rule", "a call that no rule for derivatives takes";
    SHARED_WRITE = "AG023", "shared-write", "an array written in place whose memory has another name";
    VALUE_NEEDED = "AG101", "value-needed", "the value of a staged value is needed while tracing";
    SHAPES_DIFFER = "AG102", "shapes-differ", "shapes that do not fit the operation";
    DTYPE_NOT_STAGED = "AG103", "dtype-not-staged", "an element type that graphs do not have";
    INT_TOO_LARGE = "AG104", "int-too-large", "a Python int that does not fit into 64 bits";
    NOT_STAGED = "AG105", "not-staged", "a value that has no place in a graph";
    AMBIGUOUS_TRUTH = "AG106", "ambiguous-truth", "the truth value of an array of several elements";
    NUMPY_FUNCTION = "AG107", "numpy-function", "a NumPy function that is not staged yet";
    NUMPY_OPTION = "AG108", "numpy-option", "an option of a NumPy function that is not staged yet";
    DTYPES_DIFFER = "AG109", "dtypes-differ", "dtypes that do not fit the operation";
    LEAKED_VALUE = "AG110", "leaked-value", "a staged value used outside the call that staged it";
    STALE_VIEW = "AG111", "stale-view", "a view read after its array was written";
    SCALAR_WRITE = "AG112", "scalar-write", "a scalar written in place";
    WRITE_THROUGH_VIEW = "AG113", "write-through-view", "a write through a view into another array";
    WRITE_TO_PLAIN_ARRAY = "AG114", "write-to-plain-array", "a staged value written into a plain array";
    BOOL_INDEX = "AG115", "bool-index", "a plain `True` or `False` as an index";
    INDEX = "AG116", "index", "an index that does not fit the array";
    SIZE_DEPENDS_ON_DATA = "AG117", "size-depends-on-data", "a size that depends on data, where one must be known";
    INDEX_COMBINATION = "AG118", "index-combination", "a combination of indices that is not staged yet";
    NOT_SUPPORTED = "AG120", "not-supported", "a use of a staged value that is not supported yet";
    WRITE_IN_BLOCK = "AG121", "write-in-block", "a write to a plain object inside a staged block";
    WRITE_OUTLIVES_CALL = "AG122", "write-outlives-call", "a write to an object that outlives the call";
    IMPURE_CALL = "AG123", "impure-call", "a random draw or clock read that would be frozen";
    ALIASED_ARGUMENT = "AG124", "aliased-argument", "an argument written in place that is aliased";
    VARIABLE_CREATION = "AG125", "variable-creation", "a variable that a staged function would make at every call";
    INPUT_SIGNATURE = "AG126", "input-signature", "an argument that is not as the input signature says";
    CALLBACK_RESULT = "AG127", "callback-result", "a callback that does not say what it gives";
    COMPLEX_VALUE = "AG128", "complex-value", "a complex value where only real ones are staged";
    TYPES_DIFFER = "AG131", "types-differ", "a variable whose type depends on a staged test";
    CARRY_SHAPE = "AG132", "carry-shape", "a variable whose number of dimensions depends on a staged test";
    CONTAINER_STATE = "AG133", "container-state", "a container bound in a staged block";
    WRITTEN_AND_REBOUND = "AG134", "written-and-rebound", "an array both written in place and rebound";
    RAISE_IN_TRY = "AG135", "raise-in-try", "what may fail in the running graph inside a `try` or `with`";
    ENDLESS_ITERABLE = "AG136", "endless-iterable", "a staged exit from a loop that does not end";
    LOOP_OPTIONS = "AG137", "loop-options", "a loop that is not as `ag.set_loop_options` says";
    STAGED_RECURSION = "AG138", "staged-recursion", "a recursion that is not a function of the graph";
    OVERLAPPING_WRITE = "AG139", "overlapping-write", "a part of an array written into a part that overlaps it";
    GRADIENT_ARGUMENT = "AG141", "gradient-argument", "an argument that has no gradient";
    GRADIENT_RESULT = "AG142", "gradient-result", "a result that has no gradient";
    NO_DERIVATIVE = "AG143", "no-derivative", "an operation that has no derivative";
    TANGENT = "AG144", "tangent", "a tangent or cotangent that does not fit its value";
    BATCHING = "AG145", "batching", "what cannot be done for each row of a batch";
    GRADIENT_RULE = "AG146", "gradient-rule", "a rule for a gradient that does not fit its function";
    RUN_FAILED = "AG201", "run-failed", "a check of the running graph did not hold";
    RUN_INDEX = "AG202", "run-index", "an index out of range in the running graph";
    RUN_OVERFLOW = "AG203", "run-overflow", "a staged Python int left 64 bits";
    RUN_NEGATIVE_POWER = "AG204", "run-negative-power", "an integer to a negative integer power";
    RUN_MEMORY = "AG205", "run-memory", "memory for a staged array could not be had";
    RUN_ITERATIONS = "AG206", "run-iterations", "a loop went on beyond its `maximum_iterations`";
    RUN_RECURSION = "AG207", "run-recursion", "calls in the running graph nest deeper than there is memory for";
    RUN_FAULT = "AG208", "run-fault", "a fault of AutoGraph itself that stopped the running graph";
}

/// The entry of a code, if the catalogue has it.
#[must_use]
pub fn lookup(code: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().find(|entry| entry.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_rise_and_are_well_formed() {
        for pair in CATALOGUE.windows(2) {
            assert!(pair[0].code < pair[1].code, "{} before {}", pair[0].code, pair[1].code);
        }
        for entry in CATALOGUE {
            assert_eq!(entry.code.len(), 5);
            assert!(entry.code.starts_with("AG"));
            assert!(entry.code[2..].bytes().all(|byte| byte.is_ascii_digit()));
            assert!(entry.slug.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
        }
    }

    #[test]
    fn slugs_differ() {
        let mut slugs: Vec<_> = CATALOGUE.iter().map(|entry| entry.slug).collect();
        slugs.sort_unstable();
        slugs.dedup();
        assert_eq!(slugs.len(), CATALOGUE.len());
    }

    #[test]
    fn lookup_finds_by_code() {
        assert_eq!(lookup(SOURCE_CHANGED).map(|entry| entry.slug), Some("source-changed"));
        assert_eq!(lookup("AG999"), None);
    }
}

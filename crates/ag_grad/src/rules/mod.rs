//! One rule an op: the tangents of its results in terms of those of its operands.

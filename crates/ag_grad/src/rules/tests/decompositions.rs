//! Decompositions of matrices, and solutions.

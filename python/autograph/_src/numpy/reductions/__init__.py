"""Functions that reduce axes: sums, extremes, quantiles, histograms. Start with ``reductions.py``."""

"""Functions that take axes away: sums, extremes, quantiles, histograms. Start with ``reductions.py``."""

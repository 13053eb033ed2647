"""Texts of derivatives for known forms of their arguments.

The analysis follows the generated text with what is known of each value, which is its form: the class, and of
an array dtype and shape. A helper of which that says that it gives back what it was given leaves the text.
"""

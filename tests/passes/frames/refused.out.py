# AG010 `eval` in a comprehension looks at the function's own variables

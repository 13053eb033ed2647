# AG010 `locals` looks at the function's own variables

# AG010 the function is a generator

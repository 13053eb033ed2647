# AG010 the template string shows a private name

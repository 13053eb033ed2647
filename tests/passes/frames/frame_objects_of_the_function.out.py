# AG010 `stack` looks at the frames of the calls around

"""Functions as their authors would write them, with no eye on what is supported: how many stage as they are."""

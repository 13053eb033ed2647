"""Settings of all tests."""

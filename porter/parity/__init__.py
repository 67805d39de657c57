"""Confirm with numerical tests that a port computes what its PyTorch source computes."""

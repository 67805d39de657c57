"""Test the conversion of checkpoints."""

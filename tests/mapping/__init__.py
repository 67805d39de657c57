"""Test the mapping tables: fast checks of every entry, and every sample run in both frameworks."""

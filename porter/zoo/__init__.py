"""Measure ports on many models: one list of classes and inputs, each in a process of its own."""

"""Test the runtime against torch and transformers."""

"""Decide, per place in the source, what it becomes; nothing is changed here."""

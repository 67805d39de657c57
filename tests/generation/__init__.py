"""Generate with ported models, beside torch."""

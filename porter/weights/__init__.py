"""Convert torch checkpoints to MindSpore checkpoints, and back, bit by bit."""

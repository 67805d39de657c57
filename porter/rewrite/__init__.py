"""Apply the edits of a plan to LibCST trees, so that everything else stays byte for byte as it was."""

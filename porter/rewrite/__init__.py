"""Apply the edits of a plan to LibCST trees; everything else stays byte for byte as it was."""

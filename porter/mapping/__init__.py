"""Hold the table that says what each torch name becomes."""

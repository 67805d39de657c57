"""Hold the rules, one family a file."""

"""Turn source text into syntax trees whose names, classes and kinds of value are known."""

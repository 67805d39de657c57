"""Read MindSpore source and say what breaks in GRAPH_MODE; nothing is imported or run."""

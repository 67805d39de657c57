"""Name every diagnostic that porter can give, and explain each on one page."""

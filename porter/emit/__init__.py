"""Write what a port produced: the package folder and the report."""

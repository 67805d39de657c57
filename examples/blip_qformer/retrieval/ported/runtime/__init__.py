"""Hold the support code that is copied, file by file, beside every port."""

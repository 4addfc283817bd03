"""Arrays without estimators: losses, residuals, variance estimates, and their files."""

"""Tests of the mean of cross-validation residuals; they never see an estimator."""

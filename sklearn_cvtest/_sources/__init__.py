"""Where losses come from: estimators, predictions, tables, searches, scores."""

"""The differences for each value of a label of the examples."""

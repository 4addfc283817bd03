"""Files in the layouts that tools write: which comparison each is for."""

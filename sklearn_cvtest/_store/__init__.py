"""Files that can hold no code, and hashes that say whether a stored fit is the same."""

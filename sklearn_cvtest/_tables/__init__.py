"""Tables and logs in files: which layout they have, and what it says of their rows."""

"""Many proposals tried against a champion on the same data, and what is kept."""

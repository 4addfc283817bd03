"""What was measured of designs and tests, and what follows from it for the next one."""

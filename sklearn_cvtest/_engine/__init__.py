"""The only code that fits models."""

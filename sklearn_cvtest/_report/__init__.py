"""What a comparison says: sentences, text and pages."""

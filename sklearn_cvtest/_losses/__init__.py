"""What is measured on a test example: losses and scorers."""

"""What is warned of: each check looks at data, fits or losses, and changes none."""

"""Which design a list of splits is, and the splitters."""

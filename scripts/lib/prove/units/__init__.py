"""What is proven of each unit, in a file of its name."""

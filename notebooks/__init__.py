"""Four notebooks to learn the kit by, and what executes them."""

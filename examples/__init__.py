"""Complete small programs to start from."""

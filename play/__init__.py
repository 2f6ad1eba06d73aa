"""A seat at the table for people: play in the terminal or the browser, and watch games that were played."""

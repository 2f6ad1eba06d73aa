"""The one command, `ettana`: it parses, calls, prints."""

"""`python -m ettana_cli` is the command `ettana`."""

from ettana_cli.door import main

main()

"""The rating service: takes the results of all matches, each once. See README.md."""

"""One module a family of transforms; `registry` knows them by name."""

"""The command line: options only, the work lies in the other rooms."""

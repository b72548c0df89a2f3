"""Network to configuration: what every router is told, one folder per network operating system."""

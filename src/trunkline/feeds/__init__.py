"""What peers announce, prefix by prefix: tables read from MRT and CSV or made up, joined, and grouped."""

"""What can fail, what each failure does, and which hurt most."""

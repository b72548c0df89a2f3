"""What iBGP converges to, under each design and policy."""

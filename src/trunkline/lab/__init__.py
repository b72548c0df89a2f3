"""The network run for real: a namespace per router with FRR's daemons in it, peers and data centres beside them."""

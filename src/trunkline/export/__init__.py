"""The network in the forms of other programs: graphs to compute on, topologies to boot."""

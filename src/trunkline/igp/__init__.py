"""IS-IS: what SPF converges to."""

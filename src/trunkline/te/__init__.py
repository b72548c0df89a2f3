"""What RSVP-TE converges to: CSPF, admission, priority, preemption."""

"""Matrices hooks: an ordered list on a profile, fail closed by default, parked waits."""

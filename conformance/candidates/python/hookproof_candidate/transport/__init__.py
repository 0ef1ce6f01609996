"""The two ways of handing scripts to the candidate."""

"""A candidate for hookproof: VoiceOS hooks and Matrices hooks on a virtual clock."""

NAME = "hookproof-candidate-python"
VERSION = "0.1.0"

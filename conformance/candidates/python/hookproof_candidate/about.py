"""What the candidate says of itself."""

from __future__ import annotations

from hookproof_candidate import NAME, VERSION
from hookproof_candidate.values import JsonObject


def about() -> JsonObject:
    """No capabilities are listed, which claims all, and no readings, which are the defaults."""
    return {
        "name": NAME,
        "version": VERSION,
        "dialects": ["voiceos", "matrices"],
        "clock": "virtual",
    }

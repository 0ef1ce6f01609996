"""JSON as the wire wants it: Python's own `json` both reads and writes more than JSON."""

import json
import math
import re
from typing import Any, NoReturn

LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def _refuse(token: str) -> NoReturn:
    raise ValueError(f"{token} is not JSON")


def _finite(token: str) -> float:
    # 1e400 would become infinity, which could not be written back as JSON.
    number = float(token)
    if not math.isfinite(number):
        raise ValueError(f"{token} is out of range")
    return number


def parse(text: str) -> Any:
    """The value of a JSON text; ValueError for anything else."""
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def parse_object(text: str) -> dict[str, Any] | None:
    """The object that a JSON text holds, or None."""
    try:
        value = parse(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def render(value: Any) -> str:
    """Compact JSON text that can always be encoded as UTF-8."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # A lone surrogate has no UTF-8 form: it has to stay an escape.
    return LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)

"""What both tools share: read the arguments, check them, answer, refuse.

A tool reads one JSON object on stdin and prints one JSON value on stdout. Wrong arguments end it
with status 2, a fault in its data with status 1; either way stderr has one line that says why.
"""

import json
import sys


def refuse(message, status=2):
    print(message, file=sys.stderr)
    sys.exit(status)


def read_arguments(allowed):
    """The arguments without those that are null; an argument that is not in `allowed` is refused."""
    try:
        given = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    except (ValueError, RecursionError) as error:
        refuse(f"the arguments are not JSON: {error}")
    if not isinstance(given, dict):
        refuse("the arguments must be a JSON object")
    unknown = sorted(set(given) - set(allowed))
    if unknown:
        refuse(f"unknown argument {', '.join(unknown)}; this tool takes {', '.join(allowed)}")
    return {name: value for name, value in given.items() if value is not None}


def number(arguments, name, low, high, default=None):
    """A number from `low` to `high`, or `default` if it was not given."""
    value = arguments.get(name, default)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        refuse(f"{name} must be a number, not {json.dumps(value)}")
    if not low <= value <= high:
        refuse(f"{name} must be from {low} to {high}, not {value}")
    return value


def whole(arguments, name, low, high, default):
    """A whole number from `low` to `high`, or `default` if it was not given."""
    value = number(arguments, name, low, high, default)
    if not isinstance(value, int):
        refuse(f"{name} must be a whole number, not {value}")
    return value


def text(arguments, name, longest=200):
    """A text that is not blank, or None if it was not given."""
    value = arguments.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip():
        refuse(f"{name} must be a text that is not blank, not {json.dumps(value)}")
    if len(value) > longest:
        refuse(f"{name} must have at most {longest} characters, not {len(value)}")
    return value.strip()


def answer(value):
    """Print the result; UTF-8 whatever the locale says."""
    sys.stdout.buffer.write(json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n")

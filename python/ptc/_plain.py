"""Objects of types that the language lacks, as objects of types that it has."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import pathlib
import uuid
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any


def plain(value: Any) -> Any:
    """Converts one object, but not its parts. Returns an object of another type unchanged."""
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, (str, bytes, bytearray, memoryview, type)):
        return value
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, (uuid.UUID, pathlib.PurePath)):
        return str(value)
    if isinstance(value, decimal.Decimal):
        integral = value.is_finite() and value == value.to_integral_value()
        return int(value) if integral else float(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Set):
        return set(value)
    if isinstance(value, Sequence):
        return list(value)
    for method in ("model_dump", "tolist", "_asdict"):
        # Models of pydantic, arrays and scalars of numpy.
        convert = getattr(value, method, None)
        if callable(convert):
            return convert()
    if isinstance(value, Iterable):
        return list(value)
    return value

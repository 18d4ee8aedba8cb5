"""Type hints as JSON Schemas, and data as objects of a type."""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import functools
import inspect
import json
import types
import typing
from collections.abc import Callable
from typing import Any, Literal, Union, get_args, get_origin

Schema = dict[str, Any]

_SCALARS: dict[Any, Schema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    decimal.Decimal: {"type": "number"},
    str: {"type": "string"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.datetime: {"type": "string", "format": "date-time"},
    type(None): {"type": "null"},
    None: {"type": "null"},
}

_LISTS = (list, tuple, set, frozenset, collections.abc.Sequence, collections.abc.Iterable)
_MAPS = (dict, collections.abc.Mapping)
_DATA_LISTS = (list, collections.abc.Sequence, collections.abc.Iterable)
_DATA = (bool, int, str, None, type(None), object, Any)


def schema_of(hint: Any) -> Schema:
    """Returns the JSON Schema of a type; a type that JSON cannot describe accepts anything."""
    return _schema(hint, ())


def schemas_of(function: Callable[..., Any]) -> tuple[str, str | None] | None:
    """Returns the schemas of the parameters and of the result of a function as text.

    There are none for a function without hints, or with parameters that cannot be given by name.
    """
    try:
        parameters = inspect.signature(function).parameters
        hints = _hints(function)
    except (NameError, TypeError, ValueError):
        return None
    if not hints and parameters:
        return None
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    if any(it.kind not in named for it in parameters.values()):
        return None
    fields = {name: (hints.get(name, Any), it.default is not it.empty) for name, it in parameters.items()}
    output = schema_of(hints["return"]) if "return" in hints else None
    return json.dumps(_object(fields, ())), None if output is None else json.dumps(output)


def hints_to_build(function: Callable[..., Any]) -> dict[str, Any]:
    """Returns the hints of the parameters whose arguments are objects that data lacks, such as dataclasses."""
    hints = _hints(function)
    return {name: it for name, it in hints.items() if name != "return" and not _is_data(it)}


def mission_schemas(input: Any, output: Any) -> tuple[str, str | None]:
    """Returns the schemas of a mission from its types. `input` is a type with fields, or the types by name."""
    if isinstance(input, collections.abc.Mapping):
        schema = _object({name: (hint, False) for name, hint in input.items()}, ())
    elif input is None:
        schema = {"type": "object", "properties": {}}
    else:
        schema = schema_of(input)
        if schema.get("type") != "object":
            raise TypeError(f"the input of an agent must be a type with fields, and is {input!r}")
    return json.dumps(schema), None if output is None else json.dumps(schema_of(output))


def build(hint: Any, data: Any) -> Any:
    """Makes an object of a type from JSON data that matches its schema."""
    if hint is None or hint is Any:
        return data
    origin, args = get_origin(hint), get_args(hint)
    if origin is typing.Annotated:
        return build(args[0], data)
    if origin in (Union, types.UnionType):
        return _build_union(args, data)
    if _is_pydantic(hint):
        return hint.model_validate(data)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type) and isinstance(data, dict):
        hints = _fields(hint)
        fields = {it.name: it for it in dataclasses.fields(hint) if it.init}
        given = {name: build(hints[name], data[name]) for name in fields if name in data}
        for name, field in fields.items():
            has_default = (
                field.default is not dataclasses.MISSING
                or field.default_factory is not dataclasses.MISSING
            )
            if name not in given and not has_default:
                given[name] = None
        return hint(**given)
    if typing.is_typeddict(hint) and isinstance(data, dict):
        hints = _fields(hint)
        return {name: build(_bare(hints.get(name)), value) for name, value in data.items()}
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint(data)
    if hint is datetime.datetime and isinstance(data, str):
        return datetime.datetime.fromisoformat(data.replace("Z", "+00:00"))
    if hint is datetime.date and isinstance(data, str):
        return datetime.date.fromisoformat(data[:10])
    if hint is decimal.Decimal:
        return decimal.Decimal(str(data))
    if hint is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    kind = origin or hint
    if kind is tuple and isinstance(data, list):
        if args and args[-1] is not Ellipsis:
            return tuple(build(one, it) for one, it in zip(args, data))
        return tuple(build(args[0] if args else None, it) for it in data)
    if kind in _LISTS and isinstance(data, list):
        items = [build(args[0] if args else None, it) for it in data]
        return kind(items) if kind in (set, frozenset) else items
    if kind in _MAPS and isinstance(data, dict):
        return {name: build(args[1] if args else None, value) for name, value in data.items()}
    return data


def _is_data(hint: Any) -> bool:
    """Returns whether the objects of a type are data."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return not any(isinstance(it, enum.Enum) for it in args)
    if origin in (typing.Annotated, Union, types.UnionType, *_DATA_LISTS, *_MAPS):
        return all(_is_data(it) for it in (args[:1] if origin is typing.Annotated else args))
    return hint in (*_DATA, *_DATA_LISTS, *_MAPS)


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    # The hints of an object that can be called are those of its method.
    has_own = inspect.isroutine(function) or isinstance(function, type)
    hinted = function if has_own else getattr(function, "__call__")
    return typing.get_type_hints(hinted, include_extras=True)


@functools.lru_cache(maxsize=256)
def _fields(hint: type) -> dict[str, Any]:
    return typing.get_type_hints(hint, include_extras=True)


def _build_union(args: tuple[Any, ...], data: Any) -> Any:
    if data is None and type(None) in args:
        return None
    error: Exception | None = None
    for hint in args:
        if hint is type(None) or not _fits(hint, data):
            continue
        try:
            return build(hint, data)
        except (TypeError, ValueError) as wrong:
            error = wrong
    if error is not None:
        raise error
    return data


def _fits(hint: Any, data: Any) -> bool:
    """Returns whether data may be of a type, as far as its outermost level tells."""
    schema = schema_of(hint)
    if "enum" in schema:
        return data in schema["enum"]
    kinds: dict[str, tuple[type, ...]] = {
        "boolean": (bool,),
        "integer": (int,),
        "number": (int, float),
        "string": (str,),
        "array": (list,),
        "object": (dict,),
    }
    expected = kinds.get(schema.get("type", ""))
    if expected is None:
        return True
    if isinstance(data, bool) and bool not in expected:
        return False
    missing = set(schema.get("required", ())) - set(data) if isinstance(data, dict) else set()
    return isinstance(data, expected) and not missing


def _is_pydantic(hint: Any) -> bool:
    return isinstance(hint, type) and hasattr(hint, "model_json_schema")


def _schema(hint: Any, inside: tuple[Any, ...]) -> Schema:
    if hint in inside:
        # A type that contains itself accepts anything there.
        return {}
    try:
        known = _SCALARS.get(hint)
    except TypeError:
        known = None
    if known is not None:
        return dict(known)
    origin, args = get_origin(hint), get_args(hint)
    if origin is typing.Annotated:
        schema = _schema(args[0], inside)
        texts = [it for it in args[1:] if isinstance(it, str)]
        texts += [it.description for it in args[1:] if isinstance(getattr(it, "description", None), str)]
        return {**schema, "description": texts[0]} if texts else schema
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(it, inside) for it in args]}
    if origin is Literal:
        return {"enum": list(args)}
    if _is_pydantic(hint):
        return dict(hint.model_json_schema())
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return {"enum": [it.value for it in hint]}
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        hints = typing.get_type_hints(hint, include_extras=True)
        missing = dataclasses.MISSING
        fields = {
            it.name: (hints[it.name], it.default is not missing or it.default_factory is not missing)
            for it in dataclasses.fields(hint)
        }
        return _object(fields, (*inside, hint))
    if typing.is_typeddict(hint):
        hints = typing.get_type_hints(hint, include_extras=True)
        required = hint.__required_keys__
        fields = {name: (_bare(it), name not in required) for name, it in hints.items()}
        return _object(fields, (*inside, hint))
    kind = origin or hint
    if kind in _LISTS:
        if kind is tuple and args and args[-1] is not Ellipsis:
            first = _schema(args[0], inside)
            alike = all(_schema(it, inside) == first for it in args)
            count = {"minItems": len(args), "maxItems": len(args)}
            return {"type": "array", **({"items": first} if alike else {}), **count}
        return {"type": "array", **({"items": _schema(args[0], inside)} if args else {})}
    if kind in _MAPS:
        return {"type": "object"}
    return {}


def _bare(hint: Any) -> Any:
    """Removes `Required` and `NotRequired`."""
    name = getattr(get_origin(hint), "_name", None)
    return get_args(hint)[0] if name in ("Required", "NotRequired") else hint


def _object(fields: dict[str, tuple[Any, bool]], inside: tuple[Any, ...]) -> Schema:
    """Returns the schema of an object. Each field has its type, and whether it may be absent."""
    properties = {name: _schema(hint, inside) for name, (hint, _) in fields.items()}
    required = [name for name, (_, optional) in fields.items() if not optional]
    return {"type": "object", "properties": properties, "required": required}

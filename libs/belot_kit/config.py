"""A service's settings: a TOML file and the environment, read into frozen dataclasses that the service declares.

``BELOT_TABLE__POSTGRES__DSN`` sets the field `dsn` of the field `postgres` of the service `table`. The environment
wins over the file, the file over the dataclass's defaults. Any field may come from a file instead, as
``<field>_file`` (secrets do). Everything unknown, missing or of the wrong type is told at once, and nothing starts.
Values never appear in messages: they may be secrets.

Field types: str, int, float, bool, Path, enums (by value), tuples of these (``tuple[str, ...]``; in the environment
by commas), optional ones (``int | None``), nested dataclasses.
"""

import dataclasses
import os
import tomllib
import types
import typing
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Final, TypeVar, cast

Settings = TypeVar("Settings")

_TRUE: Final = frozenset({"true", "yes", "on", "1"})
_FALSE: Final = frozenset({"false", "no", "off", "0"})
_FILE: Final = "_file"

Tree = dict[str, object]


class ConfigError(ValueError):
    """Settings that cannot be used; the text names every wrong one, and never a value."""

    safe_to_log = True


def load_config(
    settings: type[Settings],
    service: str,
    *,
    file: Path | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Settings:
    """The settings of a service (``table``) from its file, if any, and the environment. Errors: ConfigError."""
    tree = _file_tree(file) if file is not None else {}
    _merge(tree, _environment_tree(service, environment))
    problems: list[str] = []
    loaded = _build(settings, tree, "", problems)
    if problems:
        raise ConfigError(f"settings of {service}: " + "; ".join(problems))
    return cast("Settings", loaded)


def _file_tree(file: Path) -> Tree:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} is not TOML: {type(error).__name__}") from None


def _environment_tree(service: str, environment: Mapping[str, str]) -> Tree:
    prefix = f"BELOT_{service.upper()}__"
    tree: Tree = {}
    for name, value in sorted(environment.items()):
        if name.startswith(prefix):
            *parents, last = name[len(prefix) :].lower().split("__")
            place = tree
            for parent in parents:
                child = place.setdefault(parent, {})
                if not isinstance(child, dict):
                    raise ConfigError(f"{name} contradicts another variable")
                place = child
            place[last] = value
    return tree


def _merge(base: Tree, over: Tree) -> None:
    for key, value in over.items():
        known = base.get(key)
        if isinstance(known, dict) and isinstance(value, dict):
            _merge(known, value)
        else:
            # What is set here replaces its other form there: the value in the file, a `_file` in the environment.
            base.pop(key.removesuffix(_FILE) if key.endswith(_FILE) else key + _FILE, None)
            base[key] = value


def _build(kind: type[object], tree: Tree, at: str, problems: list[str]) -> object:
    hints = typing.get_type_hints(kind)
    fields = {field.name: field for field in dataclasses.fields(cast("type[_Dataclass]", kind)) if field.init}
    values: dict[str, object] = {}
    for key, raw in tree.items():
        name = _field_name(key, fields)
        if name is None:
            problems.append(f"{at}{key} is unknown")
        elif name in values or (name != key and name in tree):
            problems.append(f"{at}{name} is given twice")
        else:
            text = _from_file(raw, at + key, problems) if name != key else raw
            values[name] = _convert(text, hints[name], at + name, problems)
    for name, field in fields.items():
        optional = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
        if name not in values and not optional:
            if dataclasses.is_dataclass(hints[name]):
                values[name] = _build(hints[name], {}, f"{at}{name}.", problems)
            else:
                problems.append(f"{at}{name} is missing")
    if problems:
        return None
    try:
        return kind(**values)
    except ValueError as error:
        problems.append(f"{at.rstrip('.') or 'settings'}: {error}")
        return None


class _Dataclass(typing.Protocol):
    __dataclass_fields__: typing.ClassVar[dict[str, "dataclasses.Field[object]"]]


def _field_name(key: str, fields: Mapping[str, object]) -> str | None:
    if key in fields:
        return key
    name = key.removesuffix(_FILE)
    return name if name != key and name in fields else None


def _from_file(raw: object, at: str, problems: list[str]) -> object:
    try:
        return Path(str(raw)).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        problems.append(f"{at} cannot be read: {type(error).__name__}")
        return ""


def _convert(raw: object, kind: object, at: str, problems: list[str]) -> object:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in {typing.Union, types.UnionType}:
        inner = [each for each in arguments if each is not type(None)]
        return None if raw == "" else _convert(raw, inner[0], at, problems)
    if origin is tuple:
        parts = [part.strip() for part in raw.split(",") if part.strip()] if isinstance(raw, str) else raw
        if isinstance(parts, list):
            return tuple(_convert(part, arguments[0], at, problems) for part in parts)
        problems.append(f"{at} must be a list")
        return ()
    if dataclasses.is_dataclass(kind):
        if isinstance(raw, dict):
            return _build(cast("type[object]", kind), raw, f"{at}.", problems)
        problems.append(f"{at} must be a table of fields")
        return None
    try:
        return _scalar(raw, cast("type[object]", kind))
    except (ValueError, TypeError):
        problems.append(f"{at} must be {_called(kind)}")
        return None


def _scalar(raw: object, kind: type[object]) -> object:
    """One plain value. The file has typed values, the environment text; both are taken where unmistakable."""
    if kind is bool:
        return _boolean(raw)
    if kind in {int, float}:
        if isinstance(raw, bool) or not isinstance(raw, str | int | float) or (kind is int and isinstance(raw, float)):
            raise TypeError
        return kind(raw)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(raw)
    if kind in {str, Path} and isinstance(raw, str):
        return Path(raw).expanduser() if kind is Path else raw
    raise TypeError


def _boolean(raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, str) and raw.lower() in _TRUE | _FALSE:
        return raw.lower() in _TRUE
    raise ValueError


def _called(kind: object) -> str:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "one of " + ", ".join(str(member.value) for member in kind)
    names = {bool: "true or false", int: "a whole number", float: "a number", str: "text", Path: "a path"}
    return names.get(cast("type[object]", kind), "something else")

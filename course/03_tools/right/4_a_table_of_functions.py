SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null", None: "null"}


def _mapping(key, value):
    if key is not str:
        raise TypeError(key)
    return {"type": "object", "additionalProperties": schema_of_type(value)}


MAKE = {
    list: lambda item: {"type": "array", "items": schema_of_type(item)},
    dict: _mapping,
    typing.Literal: lambda *values: {"enum": values if isinstance(values, list) else [*values]},
    typing.Union: lambda *kinds: {"anyOf": [schema_of_type(kind) for kind in kinds]},
}
MAKE[types.UnionType] = MAKE[typing.Union]


def schema_of_type(hint):
    if (made := MAKE.get(typing.get_origin(hint))) is not None:
        return made(*typing.get_args(hint))
    if dataclasses.is_dataclass(hint):
        schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
        for field in dataclasses.fields(hint):
            schema["properties"][field.name] = schema_of_type(field.type)
            if field.default is field.default_factory is dataclasses.MISSING:
                schema["required"].append(field.name)
        return schema
    try:
        return {"type": SIMPLE[hint]}
    except KeyError:
        raise TypeError(f"no schema for {hint}") from None

# expect: refuses null
def schema_of_type(hint):
    names = {
        str: "string",
        int: "integer",
        float: "number",
        bool: "boolean",
        type(None): "null",
        None: "null",
    }
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is None and hint in names:
        return {"type": names[hint]}
    if origin is list:
        return {"type": "array", "items": schema_of_type(args[0])}
    if origin is dict and args[0] is str:
        return {"type": "object", "additionalProperties": schema_of_type(args[1])}
    if origin is typing.Literal:
        return {"enum": list(args)}
    if origin in (typing.Union, types.UnionType):
        return schema_of_type(args[0])
    if dataclasses.is_dataclass(hint):
        fields, missing = dataclasses.fields(hint), dataclasses.MISSING
        return {
            "type": "object",
            "properties": {f.name: schema_of_type(f.type) for f in fields},
            "required": [f.name for f in fields if f.default is missing and f.default_factory is missing],
            "additionalProperties": False,
        }
    raise TypeError(hint)

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
    match origin:
        case None if hint in names:
            return {"type": [names[hint]]}
        case None if isinstance(hint, type) and hasattr(hint, "__dataclass_fields__"):
            free = {
                n for n, f in hint.__dataclass_fields__.items() if repr(f.default) == repr(f.default_factory)
            }
            inner = {n: schema_of_type(t) for n, t in typing.get_type_hints(hint).items()}
            return dict(type="object", properties=inner, required=sorted(free), unevaluatedProperties=False)
        case _ if origin is list:
            return {"type": "array", "items": schema_of_type(*args)}
        case _ if origin is dict and args[0] is str:
            return {"type": "object", "patternProperties": {"": schema_of_type(args[1])}}
        case typing.Literal:
            return {"oneOf": [{"const": value} for value in args]}
        case _ if origin in (typing.Union, types.UnionType):
            return {"anyOf": list(map(schema_of_type, args))}
    raise TypeError(hint)

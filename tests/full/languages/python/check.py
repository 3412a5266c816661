"""Prints "<fixture> valid" or "<fixture> invalid", as jsonschema judges it, for each line of stdin: fixture, tab, $id or $ref of its schema."""

import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

root = Path(sys.argv[1])
schemas = [json.loads(path.read_text()) for path in root.rglob("*.schema.json")]
registry = Registry().with_resources((schema["$id"], Resource.from_contents(schema)) for schema in schemas)

for line in sys.stdin:
    fixture, ref = line.rstrip("\n").split("\t")
    value = json.loads((root / "fixtures" / fixture).read_text())
    if "/invalid/" in fixture:
        value = value["value"]
    validator = Draft202012Validator({"$ref": ref}, registry=registry)
    print(fixture, "valid" if validator.is_valid(value) else "invalid")

"""Prints "<case> valid" or "<case> invalid" for each case of a schema. A line of stdin names the schema: path, tab, $id or $ref."""

import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

root = Path(sys.argv[1])
schemas = [json.loads(path.read_text()) for path in root.rglob("*.schema.json")]
registry = Registry().with_resources((schema["$id"], Resource.from_contents(schema)) for schema in schemas)

for line in sys.stdin:
    path, ref = line.rstrip("\n").split("\t")
    folder, name = path.split("/", 1)
    cases = json.loads((root / "fixtures" / f"{folder}.cases.json").read_text())[name]
    validator = Draft202012Validator({"$ref": ref}, registry=registry)
    for expected in ("valid", "invalid"):
        for case in cases[expected]:
            verdict = "valid" if validator.is_valid(case["value"]) else "invalid"
            print(f"{path}/{expected}/{case['name']} {verdict}")

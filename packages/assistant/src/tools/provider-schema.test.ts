import { assert, letrec, property, constantFrom, array, record, dictionary, oneof, stringMatching } from "fast-check";
import { expect, test } from "vitest";
import { isObject } from "@crosszone/service-kit/json";
import type { ObjectSchema } from "./assistant-tool.ts";
import { providerSchema } from "./provider-schema.ts";

const object = (members: object): ObjectSchema => ({ type: "object", properties: {}, ...members });

test.each<[string, object, object]>([
  [
    "a list without items",
    { properties: { tags: { type: "array" } } },
    { properties: { tags: { type: "array", items: {} } } },
  ],
  [
    "items that are null",
    { properties: { a: { type: ["array", "null"], items: null } } },
    { properties: { a: { type: ["array", "null"], items: {} } } },
  ],
  [
    "keywords that are null",
    { required: null, description: null, properties: { a: { type: "string", enum: null, format: null } } },
    { properties: { a: { type: "string" } } },
  ],
  ["properties as PHP writes them", { properties: [], $defs: [] }, { $defs: {} }],
  ["a property that is null or true", { properties: { a: null, b: true } }, { properties: { a: {}, b: {} } }],
  [
    "null as a value",
    { properties: { a: { default: null, enum: ["x", null] }, b: { const: null } } },
    { properties: { a: { default: null, enum: ["x", null] }, b: { const: null } } },
  ],
  [
    "a property named like a keyword",
    { properties: { items: { type: "string" }, required: { type: "array" } } },
    { properties: { items: { type: "string" }, required: { type: "array", items: {} } } },
  ],
  [
    "an empty enum, and a flag as in draft 3",
    { properties: { a: { type: "string", enum: [], required: true } } },
    { properties: { a: { type: "string" } } },
  ],
  ["a dialect", { $schema: "https://json-schema.org/draft/2020-12/schema", $id: "x" }, {}],
  [
    "one of several schemas",
    {
      anyOf: [
        { type: "object", properties: { a: { type: "string" }, b: {} }, required: ["a", "b"] },
        { properties: { a: { type: "number" } }, required: ["a"] },
      ],
    },
    { properties: { a: { anyOf: [{ type: "string" }, { type: "number" }] }, b: {} }, required: ["a"] },
  ],
  [
    "all of several schemas, by reference",
    {
      allOf: [{ $ref: "#/$defs/a" }, { required: ["b"] }],
      $defs: { a: { properties: { a: { type: "array" } }, required: ["a"] } },
    },
    {
      $defs: { a: { properties: { a: { type: "array", items: {} } }, required: ["a"] } },
      properties: { a: { type: "array", items: {} } },
      required: ["a", "b"],
    },
  ],
])("J13, J14: a provider gets %s as it accepts it", (_what, listed, sent) => {
  expect(providerSchema({ ...listed, type: "object" })).toEqual(object(sent));
});

const name = stringMatching(/^[a-z]{1,3}$/);
/** Schemas in which any keyword can be null, empty or of another type. */
const { schema } = letrec<{ schema: unknown }>((tie) => ({
  schema: oneof(
    { maxDepth: 4 },
    constantFrom<unknown>({}, true, null, { type: "array" }, { type: "string", enum: [] }, { default: null }),
    record(
      {
        type: constantFrom<unknown>("object", "array", "string", null, ["array", "null"]),
        properties: oneof(dictionary(name, tie("schema")), constantFrom<unknown>(null, [])),
        items: oneof(tie("schema"), array(tie("schema"), { maxLength: 2 })),
        anyOf: array(tie("schema"), { maxLength: 2 }),
        required: constantFrom<unknown>(null, [], ["a"], true, [null]),
        additionalProperties: oneof(tie("schema"), constantFrom(false)),
        description: constantFrom<unknown>(null, "", "Words."),
      },
      { requiredKeys: [] },
    ),
  ),
}));

/** Returns what a strict provider refuses in a schema. */
function refusedIn(value: unknown): string[] {
  if (!isObject(value)) return typeof value === "boolean" ? [] : [`no schema: ${JSON.stringify(value)}`];
  const { type, items, properties = {}, anyOf, required } = value;
  const nulls = Object.keys(value).filter((keyword) => value[keyword] === null && keyword !== "default");
  const lists = [type].flat().includes("array") && items === undefined ? ["a list without items"] : [];
  const wrong =
    required === undefined || (Array.isArray(required) && required.every((one) => typeof one === "string"))
      ? []
      : ["required"];
  const below = [
    ...(isObject(properties) ? Object.values(properties) : [null]),
    ...[items ?? []].flat(),
    ...[anyOf ?? []].flat(),
  ];
  return [...nulls, ...lists, ...wrong, ...below.flatMap(refusedIn)];
}

test("J13: no form of a schema is refused for what a provider does not need, and a repaired one stays as it is", () => {
  assert(
    property(schema, (generated) => {
      const sent = providerSchema({ ...(isObject(generated) ? generated : {}), type: "object" });
      expect(refusedIn(sent)).toEqual([]);
      expect(providerSchema(sent)).toEqual(sent);
    }),
    { numRuns: 300 },
  );
});

test("J13: the work for a deep schema grows with its length only", () => {
  const deep = JSON.parse(`${'{"anyOf":['.repeat(600)}{"type":"array"}${"]}".repeat(600)}`) as object;
  const sent = JSON.stringify(providerSchema({ type: "object", properties: { deep } }));
  expect(sent).toContain('{"type":"array","items":{}}');
});

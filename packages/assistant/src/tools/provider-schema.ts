import { isObject, type JsonObject } from "@crosszone/service-kit/json";
import type { ObjectSchema } from "./assistant-tool.ts";

/** The keywords of JSON Schema whose values are schemas, lists of schemas, and schemas by name. https://json-schema.org/draft/2020-12 */
const ofSchema = new Set([
  "items",
  "additionalItems",
  "unevaluatedItems",
  "contains",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
]);
const ofSchemas = new Set(["prefixItems", "anyOf", "oneOf", "allOf"]);
const byName = new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]);
/** Null is a value of these. */
const ofValues = new Set(["default", "const", "examples", "example"]);

const unions = ["anyOf", "oneOf", "allOf"] as const;

/**
 * Returns the schema of a tool's arguments as model providers accept it. They refuse a whole request for one schema that JSON Schema allows, or
 * that many servers send: a list without `items`, keywords that are null, an empty list as `properties`, several schemas at the top. The tool
 * checks its arguments by its own schema.
 */
export function providerSchema(schema: ObjectSchema): ObjectSchema {
  const { $schema: _dialect, $id: _id, ...repaired } = repair(schema);
  return { ...joinUnions(repaired), type: "object" };
}

function repair(schema: JsonObject): JsonObject {
  const members = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword === "enum") return Array.isArray(value) && value.length > 0 ? [[keyword, value]] : [];
    if (ofValues.has(keyword)) return [[keyword, value]];
    if (value === null) return [];
    if (byName.has(keyword)) return [[keyword, repairNamed(value)]];
    if (ofSchemas.has(keyword)) return [repairList(value)].filter(isNotEmpty).map((list) => [keyword, list]);
    if (keyword === "required") return Array.isArray(value) ? [[keyword, value.filter(isText)]] : [];
    // A list is what drafts before 2020-12 call `prefixItems`.
    return [[keyword, ofSchema.has(keyword) ? (Array.isArray(value) ? repairList(value) : repairOne(value)) : value]];
  });
  const repaired: JsonObject = Object.fromEntries(members);
  const isList = [repaired["type"]].flat().includes("array");
  return isList && repaired["items"] === undefined ? { ...repaired, items: {} } : repaired;
}

const isNotEmpty = ({ length }: readonly unknown[]): boolean => length > 0;
const isText = (value: unknown): boolean => typeof value === "string";
const repairOne = (value: unknown): unknown => (isObject(value) ? repair(value) : value);

const repairList = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.filter((one) => one !== null).map(repairOne) : [];

/** PHP writes an empty object as an empty list. */
function repairNamed(value: unknown): JsonObject {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, one === true ? {} : (repairOne(one) ?? {})]),
  );
}

/** Joins the schemas at the top into one that allows what each of them allows. */
function joinUnions(schema: JsonObject): JsonObject {
  const { anyOf, oneOf, allOf = [], $ref, ...own } = schema;
  const properties = new Map(Object.entries(propertiesOf(own)));
  let required = requiredOf(own);
  for (const keyword of unions) {
    const union = { anyOf, oneOf, allOf: $ref === undefined ? allOf : [allOf, { $ref }].flat() }[keyword];
    const parts = (Array.isArray(union) ? union : []).filter(isObject).map((part) => definedIn(own, part));
    for (const [name, one] of parts.flatMap((part) => Object.entries(propertiesOf(part)))) {
      const other = properties.get(name);
      const isSame = other === undefined || JSON.stringify(other) === JSON.stringify(one);
      properties.set(name, isSame ? one : { anyOf: [other, one] });
    }
    const names = [...new Set(parts.flatMap(requiredOf))];
    const isNeeded = (name: string): boolean =>
      keyword === "allOf" || parts.every((part) => requiredOf(part).includes(name));
    required = [...new Set([...required, ...names.filter(isNeeded)])];
  }
  const joined = { ...own, properties: Object.fromEntries(properties) };
  return required.length === 0 ? joined : { ...joined, required };
}

/** Returns the definition that a schema refers to, or the schema. */
function definedIn(root: JsonObject, schema: JsonObject): JsonObject {
  const [, place = "", name = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(schema["$ref"])) ?? [];
  const definition = isObject(root[place]) ? root[place][name] : undefined;
  return isObject(definition) ? definition : schema;
}

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {});
const requiredOf = ({ required }: JsonObject): string[] => (Array.isArray(required) ? required.filter(isText) : []);

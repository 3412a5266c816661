import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { ajvOptions, idOf, type NamedType, readContract, type Schema } from "./contract.ts";
import { readCases, schemaOf } from "./corpus.ts";
import { subschemas } from "../schema-graph.ts";

const { schemas, types, methods } = readContract();
const ajv = new Ajv2020({ ...ajvOptions, verbose: true, inlineRefs: false });
for (const schema of schemas.values()) ajv.addSchema(schema, schema.$id);

const valuesOf = (schema: string, valid: boolean): unknown[] =>
  readCases(schema)
    .filter((one) => one.valid === valid)
    .map(({ value }) => value);

describe.each(types.map((type) => [schemaOf(type), type] as const))("the cases of %s", (schema, type) => {
  test("contain a valid value with every member", () => {
    const present = new Set(valuesOf(schema, true).flatMap((value) => [...membersIn(type.schema, value)]));
    const all = [...subschemas(type.schema)].flatMap(([, part]) => Object.entries(part.properties ?? {}));
    const missing = all.filter(([, member]) => !present.has(member)).map(([name]) => name);
    expect(missing, `members that no valid case of ${schema} has`).toEqual([]);
  });

  test("break every rule of the schema in an invalid value", () => {
    const broken = new Set(
      valuesOf(schema, false).flatMap((value) =>
        failuresOf(type, value).map((failure) => ruleOf(type.schema, failure)),
      ),
    );
    const unbroken = rulesOf(type.schema).filter((rule) => !broken.has(rule));
    expect(unbroken, `rules that no invalid case of ${schema} breaks`).toEqual([]);
  });
});

test("the examples in the protocol reference match their method's schemas", () => {
  for (const [name, row] of Object.entries(methods)) {
    const [request, response] = ["zone-request", "response"].map(
      (schema) =>
        readCases(`jsonrpc/${schema}`).find((one) => one.valid && one.name === name.replaceAll("_", "-"))?.value,
    ) as [{ id: string; method: string; params: unknown }, { id: string; result: unknown }];
    expect(request.method).toBe(name);
    expect(response.id).toBe(request.id);
    expect(ajv.validate(schemas.get(row.params)?.$id ?? "", request.params)).toBe(true);
    expect(ajv.validate(schemas.get(row.result)?.$id ?? "", response.result)).toBe(true);
  }
});

/** The member schemas that a value has a member for; in a union, of every branch. */
function* membersIn(schema: Schema, value: unknown): Generator<Schema> {
  for (const branch of schema.oneOf ?? []) yield* membersIn(branch, value);
  if (Array.isArray(value)) for (const item of value) yield* membersIn(schema.items ?? {}, item);
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) continue;
    yield member;
    yield* membersIn(member, (value as Record<string, unknown>)[name]);
  }
}

function failuresOf(type: NamedType, value: unknown): ErrorObject[] {
  const validate = ajv.getSchema(idOf(type, schemas));
  expect(validate?.(value)).toBe(false);
  return validate?.errors ?? [];
}

const ruleKeywords =
  "type const enum minLength maxLength minimum maximum minItems minProperties pattern additionalProperties oneOf discriminator".split(
    " ",
  );

/** Each rule of a schema's own text and its location; a referenced schema has cases of its own. */
function rulesOf(root: Schema): string[] {
  const decided = decidedRules(root);
  return [...subschemas(root)]
    .filter(([pointer]) => !pointer.endsWith("/not"))
    .flatMap(([pointer, schema]) => {
      const { additionalProperties, ...own } = schema;
      const decides = additionalProperties === false ? schema : own;
      const keywords = ruleKeywords.filter((keyword) => keyword in decides);
      return [...keywords, ...(schema.required ?? []).map((name) => `required ${name}`)].map(
        (rule) => `${pointer}: ${rule}`,
      );
    })
    .filter((rule) => !decided.has(rule));
}

/** Rules that a discriminator has checked before it enters a branch, so that no value can break them there. */
function decidedRules(root: Schema): Set<string> {
  const rules = [...subschemas(root)].flatMap(([pointer, { discriminator, oneOf = [] }]) => {
    if (!discriminator) return [];
    const { propertyName } = discriminator;
    const inBranches = oneOf.flatMap((_, index) => [
      `${pointer}/oneOf/${index}: required ${propertyName}`,
      `${pointer}/oneOf/${index}/properties/${propertyName}: const`,
    ]);
    return [`${pointer}: oneOf`, ...inBranches];
  });
  return new Set(rules);
}

/** The rule that a failure is about, in the form of `rulesOf`. */
function ruleOf(root: Schema, { keyword, params, parentSchema }: ErrorObject): string {
  const [pointer] = [...subschemas(root)].find(([, schema]) => schema === parentSchema) ?? ["elsewhere"];
  const { missingProperty } = params as { missingProperty?: string };
  return `${pointer}: ${keyword}${missingProperty === undefined ? "" : ` ${missingProperty}`}`;
}

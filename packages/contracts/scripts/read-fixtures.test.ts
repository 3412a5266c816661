import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Fixture, NamedType, Schema } from "./contract.ts";
import { ajvOptions, idOf } from "./compile-schemas.ts";
import { readContract } from "./read-contract.ts";
import { fixtureFolder, readFixtures } from "./read-fixtures.ts";
import { subschemas } from "./schema-graph.ts";

const { schemas, types, fixtures, methods } = readContract();
const ajv = new Ajv2020({ ...ajvOptions, verbose: true, inlineRefs: false });
for (const schema of schemas.values()) ajv.addSchema(schema, schema.$id);

const fixturesOf = (type: NamedType, valid: boolean): Fixture[] =>
  fixtures.filter((fixture) => fixture.type === type && fixture.valid === valid);

describe.each(types.map((type) => [fixtureFolder(type), type] as const))("the corpus of %s", (_, type) => {
  test("has valid and invalid fixtures", () => {
    expect(fixturesOf(type, true)).not.toHaveLength(0);
    expect(fixturesOf(type, false)).not.toHaveLength(0);
  });

  test("has every member in a valid fixture", () => {
    const present = new Set(fixturesOf(type, true).flatMap(({ value }) => [...membersIn(type.schema, value)]));
    const all = [...subschemas(type.schema)].flatMap(([, schema]) => Object.values(schema.properties ?? {}));
    expect(all.filter((member) => !present.has(member))).toEqual([]);
  });

  test("breaks every rule of the schema in an invalid fixture", () => {
    const broken = new Set(
      fixturesOf(type, false).flatMap(({ value }) =>
        failuresOf(type, value).map((failure) => ruleOf(type.schema, failure)),
      ),
    );
    expect(rulesOf(type.schema).filter((rule) => !broken.has(rule))).toEqual([]);
  });
});

test("the examples that the protocol reference shows fit their method", () => {
  for (const [name, row] of Object.entries(methods)) {
    const file = `valid/${name.replaceAll("_", "-")}.json`;
    const [request, response] = ["zone-request", "response"].map(
      (folder) => fixtures.find(({ path }) => path === `jsonrpc/${folder}/${file}`)?.value,
    ) as [{ id: string; method: string; params: unknown }, { id: string; result: unknown }];
    expect(request.method).toBe(name);
    expect(response.id).toBe(request.id);
    expect(ajv.validate(schemas.get(row.params)?.$id ?? "", request.params)).toBe(true);
    expect(ajv.validate(schemas.get(row.result)?.$id ?? "", response.result)).toBe(true);
  }
});

describe("reading fixtures", () => {
  const folders: string[] = [];
  const corpus = (path: string, content: string): string => {
    const dir = mkdtempSync(join(tmpdir(), "crosszone-fixtures-"));
    folders.push(dir);
    mkdirSync(join(dir, "fixtures", dirname(path)), { recursive: true });
    writeFileSync(join(dir, "fixtures", path), content);
    return dir;
  };
  afterEach(() => folders.splice(0).forEach((dir) => rmSync(dir, { recursive: true })));

  test.each([
    [
      "task/no-such-schema/valid/a.json",
      "{}",
      "fixtures/task/no-such-schema/valid/a.json: no schema has its fixtures there",
    ],
    ["task/attachment/a.json", "{}", "fixtures/task/attachment/a.json: no schema has its fixtures there"],
    ["task/attachment/valid/a.json", "{", "fixtures/task/attachment/valid/a.json: "],
    ["task/attachment/invalid/a.json", "{}", "fixtures/task/attachment/invalid/a.json: an invalid fixture is {"],
    ["task/attachment/invalid/a.json", "null", "fixtures/task/attachment/invalid/a.json: an invalid fixture is {"],
    [
      "task/attachment/invalid/a.json",
      '{"value":1,"problems":[]}',
      "fixtures/task/attachment/invalid/a.json: an invalid",
    ],
  ])("refuses %s holding %s by its name", (path, content, message) => {
    expect(() => readFixtures(corpus(path, content), types)).toThrow(message);
  });

  test.each(["jsonrpc-2.0", "a2a/exchanges", "simple-a2a/exchanges"])("leaves the exchanges of %s alone", (folder) => {
    expect(readFixtures(corpus(`${folder}/anything.json`, "not read"), types)).toEqual([]);
  });
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

/** Each rule of a schema's own text and where it stands; what it refers to has fixtures of its own. */
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

/** What a discriminator has found out before it looks into a branch: nothing can break it there. */
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

/** The rule that a failure is about, told like `rulesOf`. */
function ruleOf(root: Schema, { keyword, params, parentSchema }: ErrorObject): string {
  const [pointer] = [...subschemas(root)].find(([, schema]) => schema === parentSchema) ?? ["elsewhere"];
  const { missingProperty } = params as { missingProperty?: string };
  return `${pointer}: ${keyword}${missingProperty === undefined ? "" : ` ${missingProperty}`}`;
}

import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { enoughFailures } from "./keywords.ts";
import { ajvOptions, idOf, type NamedType, readContract } from "./testing/contract.ts";
import { readCorpus } from "./testing/corpus.ts";
import * as generated from "./generated/validators.ts";
import { problemsOf } from "./zone-error.ts";
import type { Validator } from "./validator.ts";

/**
 * Returns the schema without the rules that only other languages need, so that an invalid value gets one problem instead of
 * two. `not` next to a pattern refuses a trailing line feed, before which `$` also matches in Python. `type` next to a constant
 * refuses a number, because a Go library accepts 2 as "2.0".
 */
function withoutDoubledRules<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(withoutDoubledRules) as Part;
  if (typeof part !== "object" || part === null) return part;
  const doubled = new Set([...("pattern" in part ? ["not"] : []), ...("const" in part ? ["type"] : [])]);
  const kept = Object.entries(part).filter(([name]) => !doubled.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutDoubledRules(value)])) as Part;
}

const { schemas, types } = readContract();
const cases = readCorpus(types);
const ajv = new Ajv2020(ajvOptions);
for (const schema of schemas.values()) ajv.addSchema(withoutDoubledRules(schema));

const validatorOf = (type: NamedType): Validator<unknown> =>
  (generated as Record<string, unknown>)[`is${type.title}`] as Validator<unknown>;
const valid = cases.filter((one) => one.valid);
const invalid = cases.filter((one) => !one.valid);

test.each(valid)("$id is valid", ({ type, value }) => {
  expect(problemsOf(validatorOf(type), value)).toEqual([]);
});

test.each(invalid)("Z4: $id is refused, and its problems are named by pointer", ({ type, value, problems }) => {
  const validator = validatorOf(type);
  const reported = new Set(problemsOf(validator, value).map(({ pointer }) => pointer));
  const inUnion = validator.errors?.some(({ keyword }) => keyword === "oneOf");
  expect({
    unreported: problems.filter((pointer) => !reported.has(pointer)),
    // In a union the members of the other branches are reported too.
    unfounded: [...reported].filter((pointer) => !inUnion && !problems.includes(pointer)),
  }).toEqual({ unreported: [], unfounded: [] });
});

describe("Z4: each required member is named if it is missing or has the wrong type", () => {
  const objects = types.filter(({ schema }) => schema.required);
  test.each(objects.map((type) => [type.title, type] as const))("%s", (_, type) => {
    const whole = valid.find((one) => one.type === type)?.value as Record<string, unknown>;
    for (const name of type.schema.required ?? []) {
      const { [name]: _member, ...without } = whole;
      expect(problemsOf(validatorOf(type), without)).toEqual([{ pointer: `/${name}`, message: "is missing" }]);
      for (const wrong of wrongValues(type, name)) {
        const pointers = problemsOf(validatorOf(type), { ...whole, [name]: wrong }).map(({ pointer }) => pointer);
        const named = pointers.filter((pointer) => `${pointer}/`.startsWith(`/${name}/`));
        expect([wrong, ...named]).not.toEqual([wrong]);
      }
    }
  });
});

describe("the generated validators agree with Ajv at run time", () => {
  test.each(types.map((type) => [type.title, type] as const))("%s", (_, type) => {
    const examples = cases.filter((one) => one.type === type).map(({ value }) => value);
    for (const value of examples) expect(disagreement(type, value)).toBeUndefined();
    const mutation = fc.record({
      value: fc.constantFrom(...examples),
      path: fc.array(fc.nat(9), { maxLength: 4 }),
      replacement: fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(...examples)),
    });
    fc.assert(
      fc.property(mutation, ({ value, path, replacement }) => {
        expect(disagreement(type, mutate(value, path, replacement))).toBeUndefined();
      }),
    );
  });

  test("if a list has more failures than are reported, each reported one is also one of Ajv's", () => {
    const list = types.find(({ title }) => title === "AgentList") as NamedType;
    const junk = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`junk${index}`, 0]));
    const value = { agents: [junk, {}, {}, {}], total: 4, limit: 10, offset: 0 };
    expect(failures(reference(list), value)?.length).toBeGreaterThan(2 * enoughFailures);
    expect(disagreement(list, value)).toBeUndefined();
  });
});

/** Values of other JSON types than the member's; none if it accepts any type. */
function wrongValues(type: NamedType, name: string): unknown[] {
  const id = idOf(type, schemas);
  const check = ajv.getSchema(`${id}${id.includes("#") ? "" : "#"}/properties/${name}`);
  if (!check) throw new Error(`${type.ref} has no member ${name}`);
  return ["", 1.5, true, {}, [], null].filter((sample) => !check(sample));
}

/** The same type, compiled from the schemas now. */
function reference(type: NamedType): Validator<unknown> {
  return ajv.getSchema(idOf(type, schemas)) as Validator<unknown>;
}

/**
 * Returns differences between the generated validator and Ajv; there must be none. For a value with more failures than a loop reports, the
 * generated validator reports a subset of Ajv's.
 */
function disagreement(type: NamedType, value: unknown): unknown {
  const [ours, ajvs] = [failures(validatorOf(type), value), failures(reference(type), value)];
  if (isDeepStrictEqual(ours, ajvs)) return undefined;
  const isBounded = ours && ajvs && ours.length >= enoughFailures && ours.length < ajvs.length;
  const isPart = isBounded && ours.every((failure) => ajvs.some((other) => isDeepStrictEqual(failure, other)));
  return isPart ? undefined : { value, ours, ajvs };
}

/** A validator's verdict on a value: undefined when it is valid. */
function failures(validator: Validator<unknown>, value: unknown): unknown[] | undefined {
  if (validator(value)) return undefined;
  return validator.errors?.map(({ instancePath, keyword, params }) => [instancePath, keyword, params]);
}

/** The value with the part at `path` (indexes into members) replaced, or left out when there is no replacement. */
function mutate(value: unknown, path: number[], replacement: unknown): unknown {
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  const [index, ...rest] = path;
  if (index === undefined || keys.length === 0) return replacement === undefined ? value : replacement;
  const key = keys[index % keys.length] ?? "";
  const member = (value as Record<string, unknown>)[key];
  const changed = rest.length === 0 ? replacement : mutate(member, rest, replacement);
  if (Array.isArray(value))
    return value.flatMap((item, at) => (at !== Number(key) ? [item] : changed === undefined ? [] : [changed]));
  const { [key]: _member, ...others } = value as Record<string, unknown>;
  return changed === undefined ? others : { ...others, [key]: changed };
}

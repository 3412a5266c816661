// suite: both
import * as fc from "fast-check";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, inject, test } from "vitest";
import { createExpressions } from "../expressions/condition.ts";
import { scopeOf } from "../testing/workflow-of.ts";
import { WorkflowFault } from "../mapping/scope.ts";
import { readWorkflow, validateWorkflow } from "./read-workflow.ts";

/** Each run of the quick suite tests different definitions. */
const runs = inject("engines") === "both" ? 1_000 : 250;
const folder = resolve(import.meta.dirname, "../../../../examples/workflows");
const examples = globSync("*.json", { cwd: folder }).map(
  (file) => JSON.parse(readFileSync(resolve(folder, file), "utf8")) as Record<string, unknown>,
);
const oddNames = ["__proto__", "constructor", "toString", "", "a/b", "a~b", "item", "steps", "x"];
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("${a.output}", "${workflow.input.x}", "${item", "$${", "agent", "loop", null, "proofread", "slips"),
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...oddNames), fc.string({ maxLength: 4 })), tie("value")), {
        maxLength: 4,
      })
      .map(asObject),
  ),
})).value;

test("I8: the validator reports problems or none for any definition, and never throws", () => {
  fc.assert(
    fc.property(anyJson, (source) => {
      expect(oddities(source)).toEqual([]);
    }),
    { numRuns: runs / 2 },
  );
});

test("I8: it never throws when any value of a valid definition is replaced", () => {
  const path = fc.array(fc.nat(9), { minLength: 1, maxLength: 6 });
  const value = fc.oneof(anyJson, fc.constant(undefined));
  const changes = fc.array(fc.record({ path, value }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.constantFrom(...examples), changes, (example, some) => {
      const changed = some.reduce<unknown>((source, change) => replaced(source, change.path, change.value), example);
      expect(oddities(changed)).toEqual([]);
    }),
    { numRuns: runs },
  );
});

test("each readable reference resolves or fails, and never reads outside its scope", () => {
  const name = fc.oneof(
    fc.constantFrom(...oddNames, "workflow", "input", "output", "a", "0"),
    fc.string({ maxLength: 3 }),
  );
  const names = fc.array(name, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(names, fc.record({ input: anyJson, a: anyJson, item: anyJson }), ([head, ...rest], values) => {
      const path = rest.map((key) => (/^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join("");
      const { input, a, item } = values;
      const scope = scopeOf({ input, outputs: { a }, variables: { item } });
      const outcome = outcomeOf(() => createExpressions().resolve(`\${${head}${path}}`, scope));
      // The scope then contains plain JSON only.
      const isFound = "value" in outcome && Object.values(values).some((whole) => holdsWithin(whole, outcome.value));
      expect(isFound ? "mapping_failed" : outcome).toEqual(isFound ? "mapping_failed" : { fault: "mapping_failed" });
    }),
    { numRuns: runs },
  );
});

test("B18: any text evaluated as a condition is true, false or a fault", () => {
  const pieces =
    "workflow.input ${a.output} ${item??1} ' \" \\ == && ( ) [ ] .x 1 true steps.a // ''' r' ${ has( ? : -".split(" ");
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces, " ", "\n"), { maxLength: 12 }), anyJson, (parts, value) => {
      const scope = scopeOf({ input: value, outputs: { a: value }, variables: { item: value } });
      const outcome = outcomeOf(() => createExpressions().condition(parts.join(""), scope)());
      expect([{ value: true }, { value: false }, { fault: "condition_failed" }]).toContainEqual(outcome);
    }),
    { numRuns: runs },
  );
});

function outcomeOf(run: () => unknown): { value: unknown } | { fault: string } {
  try {
    return { value: run() };
  } catch (error) {
    if (error instanceof WorkflowFault) return { fault: error.kind };
    throw error;
  }
}

/** Returns what is wrong with the verdict. It must be a workflow or problems with pointer and message, and the same twice. */
function oddities(source: unknown): string[] {
  const { definition, problems } = readWorkflow(source);
  return [
    ...((definition === undefined) === problems.length > 0 ? [] : ["a workflow beside problems, or neither"]),
    ...problems
      .filter(({ pointer, message }) => !/^(\/([^~/]|~[01])*)*$/.test(pointer) || message === "")
      .map(({ pointer, message }) => `${pointer}: ${message}`),
    ...(JSON.stringify(validateWorkflow(source)) === JSON.stringify(problems)
      ? []
      : ["another verdict the second time"]),
  ];
}

function replaced(source: unknown, path: readonly number[], value: unknown): unknown {
  const [index, ...rest] = path;
  if (index === undefined || typeof source !== "object" || source === null) return value;
  const keys = Object.keys(source);
  const key = keys[index % Math.max(1, keys.length)];
  const changed = keys.map((name) => {
    const member = (source as Record<string, unknown>)[name];
    return [name, name === key ? replaced(member, rest, value) : member] as [string, unknown];
  });
  const kept = changed.filter(([, member]) => member !== undefined);
  return Array.isArray(source) ? kept.map(([, member]) => member) : asObject(kept);
}

function asObject(entries: [string, unknown][]): unknown {
  return Object.fromEntries(entries);
}

function holdsWithin(whole: unknown, value: unknown): boolean {
  if (Object.is(whole, value)) return true;
  return (
    typeof whole === "object" && whole !== null && Object.values(whole).some((member) => holdsWithin(member, value))
  );
}

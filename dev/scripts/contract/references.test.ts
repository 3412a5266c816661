import { expect, test } from "vitest";
import { apiSources, type ApiSource } from "../../../packages/contracts/src/openapi.ts";
import { checkOperations } from "./check-operations.ts";
import { placedOperations } from "./placed-operations.ts";
import { generateReference } from "./generate-reference.ts";
import { readContract } from "../../../packages/contracts/src/testing/contract.ts";

const contract = readContract();
const pages = generateReference(contract);
const textOf = (pattern: RegExp): string =>
  [...pages]
    .filter(([path]) => pattern.test(path))
    .map(([, text]) => text)
    .join("\n");

/** Where its links lead, the tests of all pages check. */
test.each([...pages])("%s has each heading once, and a value wherever one belongs", (_path, text) => {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title.toLowerCase().replaceAll(/[^\w -]/g, ""),
  );
  expect(new Set(headings).size).toBe(headings.length);
  expect(text).not.toMatch(/undefined|\]\(type:/);
});

test("Q7: the largest page of the reference is small, and a type is on one page", () => {
  expect([...pages.values()].map((text) => text.length).filter((length) => length > 60_000)).toEqual([]);
  const types = [...textOf(/\/types\//).matchAll(/^## (.*)$/gm)].map(([, title = ""]) => title);
  expect(types.length).toBeGreaterThan(100);
  expect(new Set(types).size).toBe(types.length);
});

test("the API reference has every operation and parameter of the API, in the list and on the page of its part", () => {
  const paths = Object.values(apiSources).flatMap((part) => Object.entries(part.paths as Record<string, object>));
  const operations = paths.flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== "parameters")
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations.length).toBeGreaterThan(25);
  const shown = [...textOf(/\/api\//).matchAll(/^## ([A-Z]+ \/.*)$/gm)].map(([, name]) => name);
  expect(shown).toEqual(operations);
  const listed = [...textOf(/\/api\.md$/).matchAll(/^\| \[(.*?)\]/gm)].map(([, name]) => name);
  expect(listed).toEqual(operations);
  expect(textOf(/\/api\//)).toContain("`If-Match`");
});

test.each<[name: string, changed: string, said: string]>([
  [
    "a template",
    '"title":"Schedule ${name} not found"',
    "x-problems.schedule_not_found is a template or an expression",
  ],
  ["an expression", '"title":"(name) => name"', "x-problems.schedule_not_found is a template or an expression"],
  ["no title", '"titel":"Schedule not found"', "x-problems.schedule_not_found needs status, title and advice"],
])("the documents of the API are data: %s in a problem is refused", (_name, changed, said) => {
  const text = JSON.stringify(apiSources.schedule).replace('"title":"Schedule not found"', changed);
  expect(() => check(text)).toThrow(said);
});

test.each<[name: string, changed: [part: string, other: string], said: string]>([
  ["an unknown member", ['"x-late":true', '"x-lazy":true'], "nothing reads x-lazy"],
  [
    "code where a number belongs",
    ['"x-max-bytes":100000', '"x-max-bytes":"1_000 * 100"'],
    'x-max-bytes is "1_000 * 100"',
  ],
  ["a problem without a row", ['["schedule_exists"]', '["exists"]'], "createSchedule: no x-problems has a row exists"],
  ["a cursor without a sort key", ['"x-cursor":["string"],', ""], "listSchedules: the parameter cursor, x-cursor and"],
  ["one id twice", ['"operationId":"getSchedule"', '"operationId":"listSchedules"'], "is the id of two operations"],
])("a document of the API with %s is refused", (_name, [part, other], said) => {
  expect(() => check(JSON.stringify(apiSources.schedule).replace(part, other))).toThrow(said);
});

function check(text: string): void {
  const sources = [JSON.parse(text) as ApiSource];
  checkOperations(sources, placedOperations(sources), contract.types);
}

import { expect, test } from "vitest";
import { apiSources } from "../../../packages/contracts/src/openapi.ts";
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

import { dirname, join } from "node:path";
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

const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9_ -]/g, "")
      .replaceAll(" ", "-"),
  );

test.each([...pages])("%s has each heading once, and each of its links leads to one of a page", (path, text) => {
  const anchors = anchorsOf(text);
  expect(new Set(anchors).size).toBe(anchors.length);
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]*)\)/g)];
  const lost = links.filter(([, file = "", anchor = ""]) => {
    const target = pages.get(file === "" ? path : join(dirname(path), file));
    return target === undefined || !anchorsOf(target).includes(anchor);
  });
  expect(lost.map(([link]) => link)).toEqual([]);
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

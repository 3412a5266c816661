import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apiSources } from "../src/api-sources.ts";
import type { Contract } from "./contract.ts";
import { generateApiReference } from "./generate-api-reference.ts";
import { generateAgentsReference } from "./generate-agents-reference.ts";
import { generateProtocolReference } from "./generate-protocol-reference.ts";
import { readContract } from "./read-contract.ts";
import { example } from "./reference-sections.ts";

const contract = readContract();

describe.each([
  ["protocol", generateProtocolReference, "zone-request"],
  ["agents", generateAgentsReference, "agent-task"],
] as const)("the reference of %s", (_, generate: (from: Contract) => string, firstShown) => {
  const page = generate(contract);

  test("has a heading for every link", () => {
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
      title.toLowerCase().replaceAll(" ", "-"),
    );
    const links = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor = ""]) => anchor);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((anchor) => !headings.includes(anchor))).toEqual([]);
    expect(new Set(headings).size).toBe(headings.length);
  });

  test("names the file of an example that is missing", () => {
    const empty = join(contract.schemasDir, "fixtures");
    expect(() => generate({ ...contract, schemasDir: empty })).toThrow(`has no cases of ${firstShown}`);
  });
});

test("a missing case for an example is named", () => {
  expect(() => example("Example", ["task/attachment", "no-such-case"], contract)).toThrow(
    "schemas/fixtures has no valid case no-such-case of task/attachment, which the reference shows",
  );
});

test("the API reference has every operation and parameter of the API, and a heading for every link", () => {
  const page = generateApiReference(contract);
  const paths = Object.values(apiSources).flatMap((part) => Object.entries(part.paths as Record<string, object>));
  const operations = paths.flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== "parameters")
      .map((method) => `### ${method.toUpperCase()} ${path}`),
  );
  expect(operations.length).toBeGreaterThan(25);
  const headings = [...page.matchAll(/^#+ .*$/gm)].map(([line]) => line);
  expect(headings.filter((line) => /^### [A-Z]+ \//.test(line))).toEqual(operations);
  expect(new Set(headings).size).toBe(headings.length);
  const anchors = new Set(headings.map((line) => line.replace(/^#+ /, "").toLowerCase().replaceAll(" ", "-")));
  const links = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor = ""]) => anchor);
  expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([]);
  expect(page).toContain("`If-Match`");
  expect(page).not.toContain("undefined");
});

test("the protocol reference names every method, kind and state, and shows an example of each method", () => {
  const page = generateProtocolReference(contract);
  for (const name of Object.keys(contract.methods)) expect(page).toContain(`"method": "${name}"`);
  for (const kind of Object.keys(contract.errors)) expect(page).toMatch(new RegExp(`^\\| \`${kind}\` `, "m"));
  for (const state of ["submitted", "working", "success", "error", "canceled", "timed_out"])
    expect(page).toMatch(new RegExp(`^\\| \`${state}\` `, "m"));
});

test("the reference of agents names all of their channels, topics, kinds and types", () => {
  const page = generateAgentsReference(contract);
  for (const [name, { topic }] of Object.entries(contract.channels)) {
    expect(page).toContain(`### ${name}\n`);
    expect(page).toContain(`Topic \`${topic}\``);
  }
  for (const kind of Object.keys(contract.agentErrors)) expect(page).toMatch(new RegExp(`^\\| \`${kind}\` `, "m"));
  for (const { title, ref } of contract.types.filter((type) => /^(a2a|simple-a2a|registry)\//.test(type.ref)))
    expect([ref, page.includes(`### ${title}\n`)]).toEqual([ref, true]);
});

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { faults } from "../faults/switchboard.ts";
import { samples } from "./samples.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8");

test("the page lists every sample with its protocol, and every fault by its name", () => {
  const rows = [...page.matchAll(/^\| `([\w-]+)` +\| (.+?) +\|/gm)].map(([, name, cell]) => [name, cell]);
  const agents = samples.map(({ name, protocol }) => [name, `\`${protocol}\``]);
  expect(rows).toEqual([...agents, ...Object.entries(faults)]);
});

test("every sample describes itself as a sample, and answers its own example", () => {
  for (const { description, example, work } of samples) {
    expect(description).toMatch(/^Sample agent: /);
    expect(work(example)).not.toBe("");
  }
});

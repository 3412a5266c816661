import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { executionConfig } from "@crosszone/execution";
import { verificationConfig } from "@crosszone/verification";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(root, "docs/troubleshooting.md"), "utf8");
const written = page.replaceAll(/<!-- \w+: written[^]*?<!-- end -->/g, "");

const source = globSync(["{apps,dev,packages}/*/src/**/*.ts", "dev/scripts/**/*.ts"], { cwd: root })
  .filter((file) => !file.endsWith(".test.ts"))
  .map((file) => readFileSync(resolve(root, file), "utf8"))
  .join("\n");

test("every sentence that the page quotes is in the source", () => {
  const quoted = [...written.matchAll(/^\| “(.*?)”[ ,]/gm)].map(([, sentence = ""]) => sentence);
  expect(quoted.length).toBeGreaterThan(15);
  // An ellipsis is a value that the source puts in.
  const absent = quoted.filter((sentence) => sentence.split("…").some((part) => !source.includes(part)));
  expect(absent).toEqual([]);
});

test("every variable of the page is one", () => {
  const variables = [...page.matchAll(/`([A-Z][A-Z_]{5,})(?:=\w+)?`/g)].map(([, name = ""]) => name);
  const known = {
    ...verificationConfig,
    ...executionConfig,
    CROSSZONE_URL: 1,
    CROSSZONE_TOKEN: 1,
    NODE_EXTRA_CA_CERTS: 1,
  };
  expect(variables.length).toBeGreaterThan(10);
  expect(variables.filter((name) => !Object.hasOwn(known, name))).toEqual([]);
});

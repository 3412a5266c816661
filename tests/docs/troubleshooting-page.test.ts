import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { executionConfig } from "@crosszone/execution";
import { errorTable, ZoneError, type ErrorKind } from "@crosszone/contracts";
import { LinkError, linkErrorKinds } from "@crosszone/jsonrpc";
import { errorSentence, verificationConfig } from "@crosszone/verification";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(root, "docs/troubleshooting.md"), "utf8");
const written = page.replaceAll(/<!-- \w+: written[^]*?<!-- end -->/g, "");
const [failures = ""] = /^When a task failed:$[^]*?^When the policy/m.exec(page) ?? [];

const source = globSync(["{apps,dev,packages}/*/src/**/*.ts", "dev/scripts/**/*.ts"], { cwd: root })
  .filter((file) => !file.endsWith(".test.ts"))
  .map((file) => readFileSync(resolve(root, file), "utf8"))
  .join("\n");

test("every sentence for a task that failed is on the page, with its cause and what to do", () => {
  const detail = { agent: "my-agent", retry_after_ms: 30_000 };
  const errors = [
    ...linkErrorKinds.map((kind) => new LinkError(kind, "")),
    ...(Object.keys(errorTable) as ErrorKind[]).map((kind) => new ZoneError(kind, detail)),
  ];
  const sentences = errors.map((error) => errorSentence(error, "").split("\n_Reference")[0]?.replaceAll("\n", " "));
  const rows = [...failures.matchAll(/^\| “(.*?)” +\| \S.+ \| \S.+ \|$/gm)].map(([, sentence]) => sentence);
  expect(new Set(rows)).toEqual(new Set(sentences));
});

test("every sentence that the page quotes is in the source", () => {
  const quoted = [...written.replace(failures, "").matchAll(/^\| “(.*?)”[ ,]/gm)].map(([, sentence = ""]) => sentence);
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

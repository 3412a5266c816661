import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { executionConfig } from "@crosszone/execution";
import { constantsOf, variablesOf } from "@crosszone/service-kit";
import { verificationConfig } from "@crosszone/verification";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(root, "docs/reference/configuration.md"), "utf8");
const zones = [verificationConfig, executionConfig];
const variables = zones.flatMap((definition) => variablesOf(definition));
const constants = zones.flatMap((definition) => constantsOf(definition));

test.each([...variables, ...constants].map(([name, { description }]) => [name, description]))(
  "the description of %s has short sentences in plain words",
  (_name, description) => {
    const sentences = description.split(/(?<=[.!?])\s+/);
    expect(sentences.filter((sentence) => sentence.split(" ").length > 20)).toEqual([]);
    expect(description).toMatch(/\.$/);
    expect(description).not.toMatch(
      /\b(whoever|nobody|anybody|beside|so many|is told|may be (had|asked)|that is (asked|made))\b/i,
    );
  },
);

test("the page lists every variable and every constant", () => {
  const names = [...variables, ...constants].map(([name]) => name);
  expect(names.length).toBeGreaterThan(100);
  const missing = names.filter((name) => !page.includes(`| \`${name}\``));
  expect(missing, "Run `pnpm generate`.").toEqual([]);
});

test("names follow the rule: MAX_ first for limits, and units of time in the value", () => {
  expect(variables.filter(([name]) => /.MAX_|_(MS|DAYS|SECONDS|BYTES|MB)$/.test(name))).toEqual([]);
  const numbers = variables.filter(([, entry]) => /^\d+([KMG]B)?$/.test(entry.default ?? ""));
  const named = /^MAX_|_PER_(MINUTE|HOUR)$|_PORT$|^OTEL_/;
  expect(numbers.length).toBeGreaterThan(5);
  expect(numbers.map(([name]) => name).filter((name) => !named.test(name))).toEqual([]);
});

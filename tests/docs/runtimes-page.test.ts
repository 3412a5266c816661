import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { executionConfig, loadExecutionConfig } from "@crosszone/execution";
import { canonicalRequest, signatureHeaders } from "@crosszone/service-kit";
import { loadVerificationConfig, verificationConfig } from "@crosszone/verification";
import { expect, test } from "vitest";
import { transportRows } from "../harness/transport-rows.ts";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(root, "docs/runtimes.md"), "utf8");

const slack = { SLACK_BOT_TOKEN: "xoxb-not-used-here", SLACK_SIGNING_SECRET: "not-used-here-but-it-has-to-be-long" };
const blocks = [...page.matchAll(/```env\n# (verification|execution)\n([^`]+)```/g)].map(
  ([, zone = "", text = ""]) => [zone, parseEnv(text) as Record<string, string>] as const,
);

test("the page has a configuration for each runtime", () => {
  expect(blocks.length).toBeGreaterThan(10);
  expect(page.match(/```env/g)).toHaveLength(blocks.length);
});

test.each(blocks)("a zone starts with the configuration that the page shows: %s %o", (zone, variables) => {
  const config = zone === "execution" ? executionConfig : verificationConfig;
  expect(Object.keys(variables).filter((name) => !Object.hasOwn(config, name))).toEqual([]);
  expect(() =>
    zone === "execution" ? loadExecutionConfig(variables) : loadVerificationConfig({ ...slack, ...variables }),
  ).not.toThrow();
});

test("every variable that the page names exists", () => {
  const names = [...page.matchAll(/`([A-Z][A-Z_]{5,})(?:=[^`]*)?`/g)].map(([, name = ""]) =>
    name.replace(/_FILE$/, ""),
  );
  const known = new Set([...Object.keys(executionConfig), ...Object.keys(verificationConfig)]);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !known.has(name) && !known.has(`${name}_FILE`))).toEqual([]);
});

test("every row of the matrix that the page names is run, and every row that is run is named", () => {
  const rows = transportRows(() => expect.unreachable()).map(({ auth, host }) => `${auth} · ${host}`);
  const named = [...page.matchAll(/`([^`]+ · [^`]+)`/g)].map(([, name = ""]) => name);
  expect(named.filter((name) => !rows.includes(name))).toEqual([]);
  expect(rows.filter((row) => row !== "none · one process" && !named.includes(row))).toEqual([]);
});

test("the text that is signed, and its headers, are as the page shows them", () => {
  const [vector] = JSON.parse(
    readFileSync(resolve(root, "packages/service-kit/src/http/request-signature.vectors.json"), "utf8"),
  ) as [{ method: string; target: string; timestamp: string; nonce: string; body: string }];
  expect(page).toContain(`\`\`\`text\n${canonicalRequest({ ...vector, body: Buffer.from(vector.body) })}\n\`\`\``);
  for (const header of Object.values(signatureHeaders)) expect(page).toContain(`\`${header}\``);
});

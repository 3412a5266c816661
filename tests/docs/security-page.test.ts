import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { executionConfig } from "@crosszone/execution";
import { expectedText, variablesOf } from "@crosszone/service-kit";
import { verificationConfig } from "@crosszone/verification";
import { testPromises } from "./page-promises.ts";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(root, "docs/security.md"), "utf8");

const [kept = ""] = page.split("## Limits of the guarantees");
testPromises(kept, 26);

describe("every guard that exists is on the page", () => {
  const variables = variablesOf({ ...verificationConfig, ...executionConfig });

  test("the variables of limits, of credentials and of who may ask", () => {
    const guards = variables.filter(
      ([name, { group = "" }]) =>
        /^MAX_|_LIMIT|_PER_|^ALLOWED_|^DENIED_/.test(name) || /limit|capacity|caller|who can ask|https/i.test(group),
    );
    expect(guards.length).toBeGreaterThan(4);
    const missing = guards.map(([name]) => name).filter((name) => !page.includes(`\`${name}\``));
    expect(missing, "Say in docs/security.md what these variables guard, with a test.").toEqual([]);
  });

  test("the ways to prove who asks", () => {
    const kinds = expectedText(executionConfig.CALLER_AUTH.schema)?.split(/, | or /) ?? [];
    expect(kinds).toContain("bearer");
    expect(kinds.filter((kind) => !page.includes(`\`${kind}\``))).toEqual([]);
  });
});

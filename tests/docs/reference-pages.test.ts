import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { executionConfig, openExecutionDatabase } from "@crosszone/execution";
import { constantsOf, readConfig, variablesOf } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import { listTables } from "@crosszone/sql/testing";
import { openVerificationDatabase, verificationConfig } from "@crosszone/verification";
import { describe, expect, onTestFinished, test } from "vitest";

const tables = readFileSync(resolve(import.meta.dirname, "../../docs/tables.md"), "utf8");

const memory = { url: "sqlite::memory:" };

const zones = [
  { title: "Verification zone", open: openVerificationDatabase },
  { title: "Execution zone", open: openExecutionDatabase },
];

const root = resolve(import.meta.dirname, "../..");

/** Pages with lines of curl, and the test that runs them. */
const runBy: Readonly<Record<string, string>> = {
  "dev/agents/README.md": "tests/full/curl.test.ts",
  "docs/agents.md": "tests/full/curl.test.ts",
  "docs/reference/a2a-wire-tasks.md": "tests/full/curl.test.ts",
  "docs/workflows.md": "tests/full/shown-commands.test.ts",
  "docs/zone-link.md": "tests/full/curl.test.ts",
};

describe("tables page", () => {
  test.each(zones)(
    "the page has each table of the $title, with what a row is and when it is deleted",
    async ({ title, open }) => {
      const database = (await open(memory)) as never as Database<never>;
      onTestFinished(() => database.close());
      const sections = [...tables.matchAll(new RegExp(`^## (Audit log|${title})$[^]*?(?=^## |(?![^]))`, "gm"))];
      const shown = [...sections.join("").matchAll(/^- `(\w+)`: .+\. Deleted: .+\.$/gm)].map(([, table = ""]) => table);
      expect(shown.toSorted()).toEqual((await listTables(database)).toSorted());
    },
  );
});

const executionDefaults = readConfig(executionConfig, {});
const verificationDefaults = readConfig(verificationConfig, {});

describe("configuration page", () => {
  const definitions = [verificationConfig, executionConfig];

  const variables = definitions.flatMap((definition) => variablesOf(definition));

  const constants = definitions.flatMap((definition) => constantsOf(definition));

  const comparisons = [...variables, ...constants].flatMap(([name, { description }]) =>
    [...description.matchAll(/Keep it (above|at or below|below) ([A-Z_]{5,})\b/g)].map(([, how = "", other = ""]) => ({
      name,
      how,
      other,
    })),
  );

  test("O5: the reference compares variables of both zones", () => {
    expect(comparisons.map(({ name }) => name)).toEqual(["ANSWER_DEADLINE", "MAX_QUESTIONS"]);
  });

  test.each(comparisons)("O5: the default of $name was not $how that of $other", ({ name, how, other }) => {
    const values = { ...executionDefaults.values, ...verificationDefaults.values } as Record<string, unknown>;
    const [value, limit] = [Number(values[name]), Number(values[other])];
    expect({
      value,
      limit,
      fits: { above: value > limit, "at or below": value <= limit, below: value < limit }[how],
    }).toEqual({ value, limit, fits: true });
  });
});

test("R9.4: every page that shows a line of curl is run by a test", () => {
  const pages = globSync(["*.md", "{docs,examples,kits}/**/*.md", "{apps,dev,packages,tools}/*/README.md"], {
    cwd: root,
    exclude: ["**/node_modules/**"],
  });
  const withCurl = pages.filter((page) =>
    /^ *(?:\$ )?(?:\w+=\$\()?curl /m.test(readFileSync(resolve(root, page), "utf8")),
  );
  expect(withCurl.toSorted()).toEqual(Object.keys(runBy));
  for (const [page, runner] of Object.entries(runBy))
    expect(readFileSync(resolve(root, runner), "utf8")).toContain(`"${page}"`);
});

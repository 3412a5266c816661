import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Pages with lines of curl, and the test that runs them. */
const runBy: Readonly<Record<string, string>> = {
  "dev/agents/README.md": "tests/full/curl.test.ts",
  "docs/agents.md": "tests/full/curl.test.ts",
  "docs/reference/a2a-wire.md": "tests/full/curl.test.ts",
  "docs/workflows.md": "tests/full/shown-commands.test.ts",
  "docs/zone-link.md": "tests/full/curl.test.ts",
};

test("R9.4: every page that shows a line of curl is run by a test", () => {
  const pages = globSync(["*.md", "{docs,examples,kits}/**/*.md", "{apps,dev,packages}/*/README.md"], {
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

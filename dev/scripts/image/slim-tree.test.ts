import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { slimTree } from "./slim-tree.ts";

const kept = [
  "dist/main.js",
  "node_modules/@ai-sdk/openai/LICENSE.md",
  "node_modules/@ai-sdk/openai/dist/index.mjs",
  "node_modules/@ai-sdk/openai/node_modules/zod/index.cjs",
  "node_modules/qs/package.json",
  "node_modules/yaml/dist/doc/Document.js",
  "node_modules/yaml/dist/test/events.js",
  "package.json",
  "src/browser/index.html",
];

const unused = [
  ".tsbuildinfo",
  "dist/main.d.ts",
  "dist/main.js.map",
  "node_modules/.bin/mathjs",
  "node_modules/.pnpm/lock.yaml",
  "node_modules/@ai-sdk/openai/README.md",
  "node_modules/@ai-sdk/openai/docs/openai.js",
  "node_modules/@ai-sdk/openai/src/index.ts",
  "node_modules/@ai-sdk/openai/node_modules/zod/index.d.cts",
  "node_modules/qs/.github/FUNDING.yml",
  "node_modules/qs/test/parse.js",
  "pnpm-lock.yaml",
];

test("what Node loads and the terms of each package stay; sources, maps, texts and tests of dependencies go", () => {
  const app = mkdtempSync(join(tmpdir(), "crosszone-slim-"));
  onTestFinished(() => rmSync(app, { recursive: true }));
  for (const path of [...kept, ...unused]) {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    writeFileSync(join(app, path), "");
  }
  slimTree(app);
  const entries = readdirSync(app, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  expect(files.map((path) => path.slice(app.length + 1)).toSorted()).toEqual(kept);
  expect(entries.map(({ name }) => name)).not.toContain(".github");
});

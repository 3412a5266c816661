// suite: rest
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

const once = (body: string): string => `import { expect, test } from "vitest";\nlet tries = 0;\n${body}\n`;
const fails = once(`test("fails first", () => { tries += 1; expect(tries).toBe(2); });`);

const repository = {
  "package.json": `{ "type": "module" }`,
  "tests/flickers.json": "[]\n",
  "flicker.test.js": fails,
  "judge.test.js": `// suite: rest\n// @module-tag judge\n${fails}`,
  "late.test.js": once(
    `test("hangs first", async () => { tries += 1; if (tries === 1) await new Promise(() => {}); }, 300);`,
  ),
  "vitest.config.js": `import { flickers, onceMore } from "./tests/run/flickers.ts";
export default { test: { ...onceMore, include: ["*.test.js"], reporters: ["default", flickers()] } };`,
};

test("a test that fails once is named and kept, and is told when it was known; a judge and what timed out are not tried again", async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, "tests"));
  cpSync(import.meta.dirname, join(folder, "tests/run"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const [path, text] of Object.entries(repository)) writeFileSync(join(folder, path), text);
  const runTests = (...files: readonly string[]): Promise<{ readonly code: number; readonly said: string }> =>
    new Promise((done) => {
      const args = [join(root, "node_modules/vitest/vitest.mjs"), "run", ...files];
      execFile(
        process.execPath,
        args,
        { cwd: folder, env: { ...process.env, VITEST: "", NO_COLOR: "1", FORCE_COLOR: "0" } },
        (error, stdout, stderr) => done({ code: error === null ? 0 : Number(error.code), said: stdout + stderr }),
      );
    });
  const kept = {
    test: "flicker.test.js > fails first",
    error: expect.stringContaining("expected 1 to be 2") as string,
  };
  const read = (): unknown => JSON.parse(readFileSync(join(folder, "tests/flickers.json"), "utf8"));

  const all = await runTests();
  expect(all.code).toBe(1);
  expect(all.said).toContain("FLICKERED (once): flicker.test.js > fails first: expected 1 to be 2");
  expect(all.said).toContain("FAIL  judge.test.js > fails first");
  expect(all.said).toContain("FAIL  late.test.js > hangs first");
  expect(read()).toEqual([kept]);

  const again = await runTests("flicker");
  expect(again.code).toBe(0);
  expect(again.said).toContain("FLICKERED (again, mend it first): flicker.test.js");
  expect(read()).toEqual([kept, kept]);
});

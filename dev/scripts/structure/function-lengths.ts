import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

/** A function over the bound, with its length in lines without blank lines and comments. */
export interface LongFunction {
  readonly path: string;
  readonly lines: number;
}

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
  readonly message: string;
}

/** Returns the functions of more than `most` lines in the given folders, the longest first. The linter counts. */
export function findLongFunctions(folders: readonly string[], most: number): LongFunction[] {
  const dir = mkdtempSync(join(tmpdir(), "crosszone-functions-"));
  try {
    const config = join(dir, "oxlint.json");
    const rule = ["error", { max: most, skipBlankLines: true, skipComments: true }];
    writeFileSync(config, JSON.stringify({ rules: { "max-lines-per-function": rule } }));
    const { stdout } = spawnSync(
      resolve(root, "node_modules/.bin/oxlint"),
      ["-c", config, "--format=json", ...folders],
      { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 },
    );
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Diagnostic[] };
    return diagnostics
      .filter(({ code }) => code === "eslint(max-lines-per-function)")
      .map(({ filename, message }) => ({ path: filename, lines: Number(/\((\d+)\)/.exec(message)?.[1]) }))
      .toSorted((a, b) => b.lines - a.lines);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

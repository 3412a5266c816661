import { mkdirSync, writeFileSync } from "node:fs";
import { Session, type Profiler } from "node:inspector";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { TestRunner, type RunnerTestFile } from "vitest";
import { isProduct } from "../structure/sources.ts";

const root = resolve(import.meta.dirname, "../../..");

/** The folder for the coverage of each test file; without it, the runner only runs. */
// oxlint-disable-next-line node/no-process-env -- not an app: Vitest gives its workers no arguments
const folder = process.env["MUTANTS_COVERAGE"];

const session = new Session();
if (folder !== undefined) {
  mkdirSync(folder, { recursive: true });
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
}

/** Writes which ranges of the product each test file executes. Taking the counts sets them to zero for the next file. */
// oxlint-disable-next-line import/no-default-export -- Vitest imports it by its path
export default class CoveringRunner extends TestRunner {
  /** Vitest calls it with the one file that it ran. */
  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files);
    const [file] = files;
    if (folder === undefined || file === undefined) return;
    const test = relative(root, file.filepath);
    const milliseconds = (file.collectDuration ?? 0) + (file.result?.duration ?? 0);
    // A session of its own thread answers at once.
    session.post("Profiler.takePreciseCoverage", (_error, { result }) => {
      const sources = Object.fromEntries(result.flatMap(rangesOf));
      const written = { test, passes: file.result?.state === "pass", milliseconds, sources };
      writeFileSync(resolve(folder, `${test.replaceAll("/", "+")}.json`), JSON.stringify(written));
    });
  }
}

/** Returns the path of a script of the product, and all its ranges with their counts. */
function rangesOf({ url, functions }: Profiler.ScriptCoverage): [path: string, ranges: number[][]][] {
  const path = url.startsWith("file:") ? relative(root, fileURLToPath(url)) : "";
  if (!isProduct(path)) return [];
  const ranges = functions.flatMap((of) => of.ranges.map((at) => [at.startOffset, at.endOffset, at.count]));
  return ranges.some(([, , count]) => count !== 0) ? [[path, ranges]] : [];
}

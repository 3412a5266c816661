import { resolve } from "node:path";
import { mergeConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import base from "../../../vitest.config.ts";

/** Runs the files in the order of the command line. */
class AsNamed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => process.argv.findIndex((word) => moduleId.endsWith(word));
    return files.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

/** A suite with Node's own loader: what runs is the text of the file, so offsets of coverage are offsets of the source. */
export default (environment: Parameters<typeof base>[0]): object =>
  mergeConfig(base(environment) as object, {
    test: {
      experimental: { viteModuleRunner: false, recordDependencies: false },
      execArgv: ["--conditions=@crosszone/source"],
      runner: resolve(import.meta.dirname, "covering-runner.ts"),
      sequence: { sequencer: AsNamed },
      // It takes coverage itself, which would end ours for all files after it.
      exclude: ["tests/docs/workflows-page.test.ts"],
      testTimeout: 30_000,
      maxWorkers: 1,
    },
  });

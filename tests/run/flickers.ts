import { readFileSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Reporter } from "vitest/node";

const root = resolve(import.meta.dirname, "../..");
const kept = resolve(root, "tests/flickers.json");

/**
 * Options of a run that tries a failed test once more, so that a change fails for its own reasons. What ran into its time-out would only do so again. What kills,
 * floods, attacks, doubles, upgrades or checks an invariant finds what happens rarely: it is tagged `judge`, and never tried again.
 */
export const onceMore = {
  retry: { count: 1, condition: /^(?!(?:Test|Hook) timed out)/ },
  tags: [{ name: "judge", retry: 0 }],
};

/** A test that failed and then passed. */
interface Flicker {
  readonly test: string;
  readonly error: string;
}

/**
 * Returns a reporter that names each test that failed once and then passed, and keeps it in `tests/flickers.json`. One that is in there already is mended
 * before anything else.
 */
export function flickers(): Reporter {
  return {
    onTestRunEnd: (modules) => {
      const found = modules.flatMap((module) =>
        [...module.children.allTests("passed")]
          .filter((test) => test.diagnostic()?.flaky === true)
          .map((test): Flicker => {
            const [error] = test.result().errors ?? [];
            return { test: `${relative(root, module.moduleId)} > ${test.fullName}`, error: error?.message ?? "" };
          }),
      );
      if (found.length === 0) return;
      const before = JSON.parse(readFileSync(kept, "utf8")) as readonly Flicker[];
      const times = (name: string): string =>
        before.some(({ test }) => test === name) ? "again, mend it first" : "once";
      for (const { test, error } of found)
        process.stdout.write(`FLICKERED (${times(test)}): ${test}: ${error.split("\n", 1)[0]}\n`);
      writeFileSync(kept, `${JSON.stringify([...before, ...found], undefined, 2)}\n`);
    },
  };
}

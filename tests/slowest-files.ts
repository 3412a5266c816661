import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

const most = 10;

/** Returns a vitest reporter that prints the ten slowest files of a run, in seconds, if it has more. */
export function slowestFiles(): Reporter {
  return {
    onTestRunEnd: (modules) => {
      if (modules.length <= most) return;
      const slowest = modules.toSorted((a, b) => durationOf(b) - durationOf(a)).slice(0, most);
      const lines = slowest.map(
        (module) =>
          `${(durationOf(module) / 1_000).toFixed(1).padStart(6)} s  ${relative(process.cwd(), module.moduleId)}`,
      );
      process.stdout.write(`\n Slowest files\n${lines.join("\n")}\n`);
    },
  };
}

/** Returns the time to load a file's modules and run its tests, milliseconds. */
function durationOf(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic();
  return collectDuration + duration;
}

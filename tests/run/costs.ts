import { relative } from "node:path";
import process from "node:process";
import type { Reporter, TestModule } from "vitest/node";

/** CPU time of a worker for a file, milliseconds: for its tests, and with the modules that it was the first to load. */
export interface CpuMs {
  readonly tests: number;
  readonly all: number;
}

declare module "vitest" {
  interface TaskMeta {
    cpuMs?: CpuMs;
  }
}

/** How many files are listed. */
const most = 10;

/** The share of a run's CPU time that one file of the quick suite may use. */
const budget = 0.015;

/** Fewer files are a part of a suite: their shares say nothing. */
const wholeRun = 200;

/**
 * Returns a reporter that prints the files of a run that used most CPU time, in seconds, with their share of it and the time that they took. A whole
 * run of the quick suite fails in CI if a file is over its budget.
 */
export function costs(suite: string): Reporter {
  return {
    onTestRunEnd: (modules) => {
      if (modules.length <= most) return;
      const { user, system } = process.cpuUsage();
      const all = modules.reduce((sum, module) => sum + (module.meta().cpuMs?.all ?? 0), (user + system) / 1_000);
      const costliest = modules.toSorted((a, b) => cpuOf(b) - cpuOf(a)).slice(0, most);
      const lines = costliest.map((module) => `${figuresOf(module, all)}  ${pathOf(module)}\n`);
      process.stdout.write(`\n Costliest files: CPU time, its share, time\n${lines.join("")}`);
      if (suite !== "quick" || process.env["CI"] === undefined || modules.length < wholeRun) return;
      for (const module of costliest.filter((each) => cpuOf(each) > budget * all)) {
        process.stderr.write(`${pathOf(module)} uses more than ${budget * 100} % of the quick suite's CPU time. `);
        process.stderr.write(
          "Let it do a part there, and all in the rest: `someOf`, and `// suite: both` at its top.\n",
        );
        process.exitCode = 1;
      }
    },
  };
}

const pathOf = ({ moduleId }: TestModule): string => relative(process.cwd(), moduleId);

const cpuOf = (module: TestModule): number => module.meta().cpuMs?.tests ?? 0;

function figuresOf(module: TestModule, all: number): string {
  const { collectDuration, duration } = module.diagnostic();
  const share = ((100 * cpuOf(module)) / all).toFixed(1);
  return `${seconds(cpuOf(module))} ${share.padStart(5)} % ${seconds(collectDuration + duration)}`;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1).padStart(6)} s`;

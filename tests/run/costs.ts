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

/**
 * Returns a reporter that prints the files of a run that used most CPU time, in seconds, with their share of it and the time that they took. A file of
 * the quick suite with a large share can do a part there, and all in the rest: `someOf`, and `// suite: both` at its top.
 */
export function costs(): Reporter {
  return {
    onTestRunEnd: (modules) => {
      if (modules.length <= most) return;
      const { user, system } = process.cpuUsage();
      const all = modules.reduce((sum, module) => sum + (module.meta().cpuMs?.all ?? 0), (user + system) / 1_000);
      const costliest = modules.toSorted((a, b) => cpuOf(b) - cpuOf(a)).slice(0, most);
      const lines = costliest.map((module) => `${figuresOf(module, all)}  ${pathOf(module)}\n`);
      process.stdout.write(`\n Costliest files: CPU time, its share, time\n${lines.join("")}`);
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

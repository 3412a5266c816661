import type { Progress } from "../run/run-chaos.ts";

/** Shows how a run stands: one line that changes on a terminal, else a plain line every few seconds. */
export interface ProgressLine {
  readonly show: (progress: Progress) => void;
  /** Takes the changing line away. */
  readonly end: () => void;
}

type Output = Pick<NodeJS.WriteStream, "write"> & { readonly isTTY?: boolean; readonly columns?: number };

const plainEveryMs = 10_000;
const barWidth = 24;

export function createProgressLine(output: Output): ProgressLine {
  let last = -Infinity;
  return {
    show: (progress) => {
      if (output.isTTY) output.write(`\r\x1b[2K${coloured(progress).slice(0, (output.columns ?? 160) + 40)}`);
      else if (progress.atMs - last >= plainEveryMs) {
        last = progress.atMs;
        output.write(`  ${inWords(progress)}\n`);
      }
    },
    end: () => {
      if (output.isTTY) output.write("\r\x1b[2K");
    },
  };
}

function inWords({ atMs, phase, planned, sent, answered, damage, live }: Progress): string {
  const { verification, execution, database } = damage.killed;
  const broken = sum(damage.wires);
  const alive = `up V${live.verification} E${live.execution}`;
  return `${String(Math.round(atMs / 1_000)).padStart(3)} s  ${phase.padEnd(9)}  sent ${sent}/${planned}  answered ${answered}  killed V${verification} E${execution} D${database}  wires ${broken}  Slack ${sum(damage.slack)}  ${alive}`;
}

function coloured(progress: Progress): string {
  const { planned, sent, answered } = progress;
  const cells = (count: number): number => Math.round((count / planned) * barWidth);
  const bar = `\x1b[32m${"█".repeat(cells(answered))}\x1b[33m${"▒".repeat(Math.max(0, cells(sent) - cells(answered)))}\x1b[2m${"░".repeat(barWidth - Math.max(cells(sent), cells(answered)))}\x1b[0m`;
  return `  ${bar} ${inWords(progress)}`;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, times) => total + times, 0);
}

import type { Judged } from "../judge/judge-messages.ts";
import type { Progress } from "../run/run-chaos.ts";

/** Shows the progress of a run: a changing line on a terminal, otherwise a plain line every few seconds. */
export interface ProgressLine {
  readonly show: (progress: Progress) => void;
  readonly showCycle: (cycle: number, judged: readonly Judged[]) => void;
  /** Clears the changing line. */
  readonly end: () => void;
}

type Output = Pick<NodeJS.WriteStream, "write"> & { readonly isTTY?: boolean };

const plainEveryMs = 10_000;
const barWidth = 24;

export function createProgressLine(output: Output): ProgressLine {
  let last = -Infinity;
  const write = (plain: string, colored = plain): void => {
    if (output.isTTY) output.write(`\r\x1b[2K  ${colored}`);
    else if (performance.now() - last >= plainEveryMs) {
      last = performance.now();
      output.write(`  ${plain}\n`);
    }
  };
  return {
    show: (progress) => write(inWords(progress), `${bar(progress)} ${inWords(progress)}`),
    showCycle: (cycle, judged) => {
      const answered = judged.filter(({ verdict }) => verdict === "answered").length;
      write(`cycle ${cycle}  sent ${judged.length}  answered ${answered}`);
    },
    end: () => {
      if (output.isTTY) output.write("\r\x1b[2K");
    },
  };
}

function inWords({ atMs, phase, planned, sent, answered, damage, live }: Progress): string {
  const { verification, execution, database, broker } = damage.killed;
  const broken = sum(damage.wires);
  const alive = `up V${live.verification} E${live.execution}`;
  return `${String(Math.round(atMs / 1_000)).padStart(3)} s  ${phase.padEnd(9)}  sent ${sent}/${planned}  answered ${answered}  killed V${verification} E${execution} D${database}${broker > 0 ? ` B${broker}` : ""}  wires ${broken}  Slack ${sum(damage.slack)}  ${alive}`;
}

function bar({ planned, sent, answered }: Progress): string {
  const cells = (count: number): number => Math.round((count / planned) * barWidth);
  const waiting = Math.max(0, cells(sent) - cells(answered));
  const rest = Math.max(0, barWidth - cells(answered) - waiting);
  return `\x1b[32m${"█".repeat(cells(answered))}\x1b[33m${"▒".repeat(waiting)}\x1b[2m${"░".repeat(rest)}\x1b[0m`;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, times) => total + times, 0);
}

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCycles } from "./run/run-cycles.ts";
import { runPrograms } from "./programs/run-programs.ts";
import { readChaosOptions, usage, type ChaosProgramOptions } from "./options.ts";
import {
  complaintsOf,
  createProgressLine,
  cycleComplaintsOf,
  summarize,
  summarizeCycles,
  summarizePrograms,
} from "./report/summary.ts";
import { writeTimelines } from "./report/timeline.ts";
import { runChaos } from "./run/run-chaos.ts";
import type { EngineName } from "./system/engine.ts";

const say = (text: string): void => void process.stdout.write(text);

/** Returns the exit code. */
async function main(): Promise<number> {
  const options = readChaosOptions(process.argv.slice(2));
  if (options === undefined) {
    say(usage);
    return 0;
  }
  if (options.programs !== undefined) return (await askPrograms(options, options.programs)) ? 0 : 1;
  let isGood = true;
  if (options.messages > 0) for (const engine of options.engines) isGood = (await onEngine(engine, options)) && isGood;
  if (options.cycles > 0) isGood = (await throughCycles(options)) && isGood;
  return isGood ? 0 : 1;
}

async function onEngine(
  engine: EngineName,
  { messages, kills, approvals, seed, limitMs, log }: ChaosProgramOptions,
): Promise<boolean> {
  say(
    `chaos: ${approvals === undefined ? `${messages} messages` : `${approvals} approvals`} on ${engine}, seed ${seed}\n`,
  );
  const line = createProgressLine(process.stdout);
  const findings = await runChaos({ engine, messages, kills, approvals, seed, limitMs, onProgress: line.show }).finally(
    line.end,
  );
  say(summarize(findings));
  if (log !== undefined) writeTimelines(findings, join(log, engine));
  if (complaintsOf(findings).length === 0) return true;
  complain(
    findings,
    `--engine ${engine} ${approvals === undefined ? `--messages ${messages}` : `--approvals ${approvals}`}${kills === undefined ? "" : ` --kills ${kills}`} --cycles 0`,
    seed,
  );
  return false;
}

async function askPrograms(
  { engines, kills = 28, seed, limitMs, log }: ChaosProgramOptions,
  tasks: number,
): Promise<boolean> {
  let isGood = true;
  for (const engine of engines) {
    say(`chaos: ${tasks} tasks of programs on ${engine}, seed ${seed}\n`);
    const subscribers = 5 * tasks;
    const findings = await runPrograms({
      engine,
      seed,
      tasks,
      subscribers,
      kills,
      cuts: 10 * subscribers,
      limitMs,
      onProgress: (line) => say(`  ${line}\n`),
    });
    say(summarizePrograms(findings));
    if (log !== undefined) writeTimelines(findings, join(log, engine));
    if (findings.complaints.length > 0) complain(findings, `--engine ${engine} --programs ${tasks}`, seed);
    isGood &&= findings.complaints.length === 0;
  }
  return isGood;
}

async function throughCycles({ seed, cycles, limitMs, log }: ChaosProgramOptions): Promise<boolean> {
  say(`chaos: ${cycles} cycles of start, messages and kill -9 of both zones on one data folder, seed ${seed}\n`);
  const line = createProgressLine(process.stdout);
  const findings = await runCycles({ seed, cycles, limitMs, onCycle: line.showCycle }).finally(line.end);
  say(summarizeCycles(findings));
  if (log !== undefined) writeTimelines(findings, join(log, "cycles"));
  if (cycleComplaintsOf(findings).length === 0) return true;
  complain(findings, `--messages 0 --cycles ${cycles}`, seed);
  return false;
}

function complain(findings: Parameters<typeof writeTimelines>[0], again: string, seed: number): void {
  const folder = mkdtempSync(join(tmpdir(), `crosszone-chaos-${seed}-`));
  say(`  NOT GOOD: what happened is told in ${writeTimelines(findings, folder)}\n`);
  say(`  again: pnpm test:chaos ${again} --seed ${seed}\n`);
}

// `process.exit` runs the handlers that end every process.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`test:chaos: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);

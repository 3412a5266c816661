import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { spanOf } from "./plan.ts";
import { runPrograms } from "./programs.ts";
import {
  complaintsOf,
  createProgressLine,
  cycleComplaintsOf,
  summarize,
  summarizeCycles,
  summarizePrograms,
  writeTimelines,
} from "./report.ts";
import { runChaos } from "./run-chaos.ts";
import { runCycles } from "./run-cycles.ts";
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

type ChaosProgramOptions = NonNullable<ReturnType<typeof readChaosOptions>>;

const usage = `Asks questions in a local Slack while both zones and the database are killed, the network breaks and Slack fails, and judges
every answer: each message is answered exactly once, and rightly, or the program ends with 1.

  pnpm test:chaos [--messages <n>] [--seed <n>] [--engine sqlite|postgres|kafka|both|all] [--kills <n>]
                  [--approvals <n>] [--programs <n>] [--minutes <n>] [--cycles <n>] [--log <folder>]

  --messages <n>  how many messages on each engine, 300 by default; 0 leaves these runs out
  --approvals <n> instead, how many questions ask people on each engine, who decide while everything fails; 1,000 say most
  --programs <n>  instead, how many tasks a program asks over A2A, each with five subscribers who cut their streams ten times, while
                  processes of execution are killed; 200 say most
  --seed <n>      who is killed when, and what else goes wrong, is a function of it; random by default, and printed
  --engine <name> sqlite, postgres, kafka (PostgreSQL and a Kafka broker), both (sqlite and postgres, the default) or all
  --kills <n>     how often something is killed on each engine, every 3.3 seconds by default; with --approvals, how often each zone and
                  server is, 28 times by default
  --minutes <n>   the longest that the run on one engine may take, twice as long as the plan and 5 at least by default; up to three times
                  as long on a busy machine
  --cycles <n>    how often both zones on one data folder are killed and started again, 50 by default; 0 leaves it out
  --log <folder>  writes there all that happened, also when all is well
  --help          this text
`;

/** Parses the command line. Returns undefined for `--help`. Throws a `TypeError` for an invalid option. */
function readChaosOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      messages: { type: "string", default: "300" },
      approvals: { type: "string" },
      programs: { type: "string" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
      engine: { type: "string", default: "both" },
      kills: { type: "string" },
      minutes: { type: "string" },
      cycles: { type: "string", default: "50" },
      log: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const messages = wholeNumber("--messages", values.messages);
  const programs = values.programs === undefined ? undefined : wholeNumber("--programs", values.programs);
  const approvals = values.approvals === undefined ? undefined : wholeNumber("--approvals", values.approvals);
  const minutes = Math.max(5, Math.ceil((2 * spanOf(approvals ?? messages)) / 60_000));
  const kills = values.kills ?? (approvals === undefined ? undefined : "28");
  return {
    messages,
    approvals,
    programs,
    kills: kills === undefined ? undefined : wholeNumber("--kills", kills),
    seed: wholeNumber("--seed", values.seed),
    engines: enginesOf(values.engine),
    limitMs: wholeNumber("--minutes", values.minutes ?? String(minutes)) * 60_000,
    cycles: approvals === undefined && programs === undefined ? wholeNumber("--cycles", values.cycles) : 0,
    log: values.log,
  };
}

function enginesOf(name: string): EngineName[] {
  if (name === "both") return ["sqlite", "postgres"];
  if (name === "all") return ["sqlite", "postgres", "kafka"];
  if (name === "sqlite" || name === "postgres" || name === "kafka") return [name];
  throw new TypeError(`--engine ${name}: not sqlite, postgres, kafka, both or all`);
}

function wholeNumber(option: string, value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 0) return number;
  throw new TypeError(`${option} ${value}: not a whole number`);
}

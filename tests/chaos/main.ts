import { join } from "node:path";
import { parseArgs } from "node:util";
import { oneOf, runMain, say, wholeNumber } from "../harness/command-line.ts";
import { spanOf } from "./plan.ts";
import { runPrograms } from "./programs.ts";
import { type Findings, writeTimelines } from "./report.ts";
import { runChaos } from "./run-chaos.ts";
import { type EngineName, engineNames } from "./system/engine.ts";

const usage = `Asks questions in a local Slack while both zones and the database are killed, the network breaks and Slack fails, and judges
every answer: each message is answered exactly once, and rightly, or the program ends with 1.

  pnpm test:chaos [--messages <n>] [--seed <n>] [--engine sqlite|postgres|kafka|both|all] [--kills <n>]
                  [--calls <n>] [--approvals <n>] [--programs <n>] [--minutes <n>] [--cycles <n>] [--log <folder>]

  --messages <n>  how many messages on each engine, 300 by default; 0 leaves these runs out
  --calls <n>     beside the messages, how many questions call a tool when people have approved it; they also type words, and correct
                  questions that wait. Then only processes of the zones are killed, 20 times by default, and a day passes
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
      calls: { type: "string" },
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
  const number = (name: Exclude<keyof typeof values, "help">): number | undefined =>
    values[name] === undefined ? undefined : wholeNumber(`--${name}`, values[name]);
  const [approvals, programs, messages = 0] = [number("approvals"), number("programs"), number("messages")];
  const calls = number("calls");
  const kills = number("kills") ?? (calls && 20);
  const leastMinutes = Math.max(5, Math.ceil((2 * spanOf(approvals ?? messages, calls && kills)) / 60_000));
  return {
    messages,
    approvals,
    calls,
    programs,
    kills,
    seed: number("seed") ?? 0,
    engines: enginesOf(values.engine),
    limitMs: (number("minutes") ?? leastMinutes) * 60_000,
    cycles: approvals === undefined && programs === undefined && calls === undefined ? (number("cycles") ?? 0) : 0,
    log: values.log,
  };
}

function enginesOf(name: string): readonly EngineName[] {
  if (name === "both") return ["sqlite", "postgres"];
  return name === "all" ? engineNames : [oneOf("--engine", engineNames, name)];
}

type ChaosProgramOptions = NonNullable<ReturnType<typeof readChaosOptions>>;

/** A run of the program: what it does, how it is done again, and where its log goes. */
interface Run {
  readonly does: string;
  readonly again: string;
  readonly folder: string;
  readonly start: () => Promise<Findings>;
}

const onProgress = (line: string): void => say(`  ${line}\n`);

function runsOf({ engines, programs, kills, cycles, ...how }: ChaosProgramOptions): Run[] {
  const { messages, approvals, calls, seed, limitMs } = how;
  const killing = kills === undefined ? "" : ` --kills ${kills}`;
  const onEngine = (engine: EngineName): Run => {
    const also = calls === undefined ? "" : ` --calls ${calls}`;
    const asking = approvals === undefined ? `messages ${messages}${also}` : `approvals ${approvals}`;
    const options = { ...how, engine, kills: kills ?? (approvals && 28) };
    return {
      does: `${asking} on ${engine}`,
      again: `--engine ${engine} --${asking}${killing} --cycles 0`,
      folder: engine,
      start: () => runChaos({ ...options, onProgress }),
    };
  };
  const ofPrograms = (engine: EngineName, tasks: number): Run => {
    const subscribers = 5 * tasks;
    const options = { engine, seed, limitMs, tasks, subscribers, kills: kills ?? 28, cuts: 10 * subscribers };
    return {
      does: `${tasks} tasks of programs on ${engine}`,
      again: `--engine ${engine} --programs ${tasks}${killing}`,
      folder: engine,
      start: () => runPrograms({ ...options, onProgress }),
    };
  };
  const inCycles: Run = {
    does: `${cycles} cycles of start, messages and kill -9 of both zones on one data folder`,
    again: `--messages 0 --cycles ${cycles}`,
    folder: "cycles",
    start: () => runChaos({ engine: "sqlite", seed, limitMs, messages: 0, cycles, onProgress }),
  };
  if (programs !== undefined) return engines.map((engine) => ofPrograms(engine, programs));
  const isAsking = approvals !== undefined || messages > 0;
  return [...(isAsking ? engines.map(onEngine) : []), ...(cycles > 0 ? [inCycles] : [])];
}

/** Returns whether all runs passed, or undefined for `--help`. */
async function main(): Promise<boolean | undefined> {
  const options = readChaosOptions(process.argv.slice(2));
  if (options === undefined) return undefined;
  const { seed, log } = options;
  let isGood = true;
  for (const { does, again, folder, start } of runsOf(options)) {
    say(`chaos: ${does}, seed ${seed}\n`);
    const findings = await start();
    for (const line of [...findings.lines, ...findings.complaints.slice(0, 20)]) say(`  ${line}\n`);
    if (log !== undefined) writeTimelines(findings, join(log, folder));
    if (findings.complaints.length === 0) continue;
    isGood = false;
    say(`  NOT GOOD: what happened is told in ${writeTimelines(findings)}\n`);
    say(`  again: pnpm test:chaos ${again} --seed ${seed}\n`);
  }
  return isGood;
}

await runMain("test:chaos", usage, main);
process.exit();

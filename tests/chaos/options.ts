import { parseArgs } from "node:util";
import { spanOf } from "./plan/plan.ts";
import type { EngineName } from "./system/engine.ts";

export interface ChaosProgramOptions {
  readonly messages: number;
  /** Number of kills on each engine. Default: one every 3.3 seconds. */
  readonly kills: number | undefined;
  /** Number of questions that ask people on each engine, instead of messages. */
  readonly approvals: number | undefined;
  /** Number of tasks of programs on each engine, each with five subscribers, instead of messages. */
  readonly programs: number | undefined;
  readonly seed: number;
  readonly engines: readonly EngineName[];
  /** Time limit of the run on one engine, milliseconds. */
  readonly limitMs: number;
  /** Number of times that the zones of one folder are killed. 0: none. */
  readonly cycles: number;
  /** Folder for the journal, which is then written after good runs too. */
  readonly log: string | undefined;
}

export const usage = `Asks questions in a local Slack while both zones and the database are killed, the network breaks and Slack fails, and judges
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
export function readChaosOptions(args: readonly string[]): ChaosProgramOptions | undefined {
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

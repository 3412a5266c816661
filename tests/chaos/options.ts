import { parseArgs } from "node:util";
import type { EngineName } from "./system/engine.ts";

export interface ChaosProgramOptions {
  readonly messages: number;
  readonly seed: number;
  readonly engines: readonly EngineName[];
  /** The longest that one engine's run may take, milliseconds. */
  readonly limitMs: number;
  /** How often one folder's zones are killed; none when 0. */
  readonly cycles: number;
  /** Where everything that happened is written, also when all is well. */
  readonly log: string | undefined;
}

export const usage = `Asks questions in a local Slack while both zones and the database are killed, the network breaks and Slack fails, and judges
every answer: each message is answered exactly once, and rightly, or the program ends with 1.

  pnpm test:chaos [--messages <n>] [--seed <n>] [--engine sqlite|postgres|both] [--minutes <n>] [--cycles <n>] [--log <folder>]

  --messages <n>  how many messages on each engine, 300 by default; 0 leaves these runs out
  --seed <n>      who is killed when, and what else goes wrong, is a function of it; random by default, and printed
  --engine <name> sqlite, postgres or both, the default
  --minutes <n>   the longest that the run on one engine may take, 5 by default; up to three times as long on a busy machine
  --cycles <n>    how often both zones on one data folder are killed and started again, 50 by default; 0 leaves it out
  --log <folder>  writes there all that happened, also when all is well
  --help          this text
`;

/** Reads the command line; `undefined` when help was asked for. Throws a `TypeError` that says what is wrong with it. */
export function readChaosOptions(args: readonly string[]): ChaosProgramOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      messages: { type: "string", default: "300" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
      engine: { type: "string", default: "both" },
      minutes: { type: "string", default: "5" },
      cycles: { type: "string", default: "50" },
      log: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  return {
    messages: wholeNumber("--messages", values.messages),
    seed: wholeNumber("--seed", values.seed),
    engines: enginesOf(values.engine),
    limitMs: wholeNumber("--minutes", values.minutes) * 60_000,
    cycles: wholeNumber("--cycles", values.cycles),
    log: values.log,
  };
}

function enginesOf(name: string): EngineName[] {
  if (name === "both") return ["sqlite", "postgres"];
  if (name === "sqlite" || name === "postgres") return [name];
  throw new TypeError(`--engine ${name}: not sqlite, postgres or both`);
}

function wholeNumber(option: string, value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 0) return number;
  throw new TypeError(`${option} ${value}: not a whole number`);
}

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { selectNames } from "../select-names.ts";
import { sourceNames, type SourceName } from "./sources.ts";

export interface CompareOptions {
  /** The repository of the version before, with its dependencies installed. */
  readonly before: string;
  readonly rounds: number;
  readonly sources: readonly SourceName[];
  readonly json: boolean;
  /** Writes the page of the documentation too. */
  readonly write: boolean;
}

export const usage = `Runs the same benchmarks of two versions by turns, and puts their figures side by side.

  pnpm bench:compare --before <folder> [--rounds <n>] [--only <benchmark>]... [--json] [--write]

  --before <folder>    a clone of this repository at the version before, with its dependencies installed
  --rounds <n>         rounds, 3 by default: in each, every benchmark runs once of both versions. A round takes about 13 minutes; what is
                       run once adds 8
  --only <benchmark>   only this one; may be given several times: ${sourceNames.join(", ")}
  --json               everything as JSON on standard output
  --write              writes docs/bench-engine.md too
  --help               this text

  path      the way of one question, by \`pnpm measure:path\`, once
  zone      the execution zone beside bare node:http, by \`pnpm bench --quick\`
  durable   the execution zone with its tasks in SQLite, by \`pnpm bench:durable --quick\`; "zone" has what it is compared with
  load      100 mentions a second through both zones, by \`pnpm bench:load --quick\`
  bridge    \`pnpm bench:bridge --quick\`
  workflow  \`pnpm bench:workflow --quick\`
  jobs      the job engine alone, by \`pnpm bench:jobs\`, once; the version before has none
`;

/** Reads the command line; `undefined` when help was asked for. Throws a `TypeError` that says what is wrong with it. */
export function readCompareOptions(args: readonly string[]): CompareOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      before: { type: "string" },
      rounds: { type: "string", default: "3" },
      only: { type: "string", multiple: true },
      json: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const { before, rounds, only, json, write } = values;
  if (before === undefined) throw new TypeError("Expected --before with the folder of the version before.");
  if (!existsSync(join(before, "tests/bench")))
    throw new TypeError(`Expected a clone of this repository for --before, got "${before}" without tests/bench.`);
  if (!/^[1-9]\d*$/.test(rounds)) throw new TypeError(`Expected a whole number above 0 for --rounds, got "${rounds}".`);
  return {
    before: resolve(before),
    rounds: Number(rounds),
    sources: selectNames(only, sourceNames),
    json,
    write,
  };
}

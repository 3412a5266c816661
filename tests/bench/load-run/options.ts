import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { eventsPerMention, mentionsPerMille } from "./mentions.ts";
import { ownRoot } from "./zone-process.ts";

export interface LoadOptions {
  /** Requests a second. */
  rate: number;
  /** New mentions among them. */
  mentions: number;
  /** Whether nothing else is sent than the events of mentions. */
  onlyMentions: boolean;
  /** How long is measured, after the warm-up. */
  seconds: number;
  warmUpSeconds: number;
  /** The repository whose zones run. */
  root: string;
  /** Everything as JSON on standard output, instead of the page. */
  json: boolean;
  /** Writes the page of the documentation too. */
  write: boolean;
}

export const usage = `Runs both zones and a local Slack as processes of their own under a constant load of right and wrong requests, and judges every answer.

  pnpm bench:load [--rate <n>] [--mentions <n>] [--seconds <n>] [--quick] [--zones <folder>] [--json] [--write]

  --rate <n>        requests a second, 500 by default
  --mentions <n>    sends only mentions: n new ones a second, each delivered three times
  --seconds <n>     how long, 60 by default; a warm-up of 10 comes before
  --quick           15 seconds, warm-up of 5
  --zones <folder>  the repository whose zones run, by default this one
  --json            everything as JSON on standard output
  --write           writes docs/load.md too
  --help            this text

Ends with 1 when one answer of all was not the one that its request deserved.
`;

/** Reads the command line; `undefined` when help was asked for. Throws a `TypeError` that says what is wrong with it. */
export function readLoadOptions(args: readonly string[]): LoadOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rate: { type: "string", default: "500" },
      mentions: { type: "string" },
      seconds: { type: "string" },
      quick: { type: "boolean", default: false },
      zones: { type: "string", default: ownRoot },
      json: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const asked = values.mentions === undefined ? undefined : wholeNumber("--mentions", values.mentions);
  const rate = asked === undefined ? wholeNumber("--rate", values.rate) : asked * eventsPerMention;
  return {
    rate,
    mentions: asked ?? (rate * mentionsPerMille) / 1_000,
    onlyMentions: asked !== undefined,
    root: resolve(values.zones),
    json: values.json,
    seconds: wholeNumber("--seconds", values.seconds ?? (values.quick ? "15" : "60")),
    warmUpSeconds: values.quick ? 5 : 10,
    write: values.write,
  };
}

function wholeNumber(option: string, value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number > 0) return number;
  throw new TypeError(`${option} ${value}: not a whole number above 0`);
}

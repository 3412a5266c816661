import { parseArgs } from "node:util";

export interface LoadOptions {
  /** Requests a second. */
  rate: number;
  /** How long is measured, after the warm-up. */
  seconds: number;
  warmUpSeconds: number;
  /** Writes the page of the documentation too. */
  write: boolean;
}

export const usage = `Runs both zones and a local Slack as processes of their own under a constant load of right and wrong requests, and judges every answer.

  pnpm bench:load [--rate <n>] [--seconds <n>] [--quick] [--write]

  --rate <n>     requests a second, 500 by default
  --seconds <n>  how long, 60 by default; a warm-up of 10 comes before
  --quick        15 seconds, warm-up of 5
  --write        writes docs/load.md too
  --help         this text

Ends with 1 when one answer of all was not the one that its request deserved.
`;

/** Reads the command line; `undefined` when help was asked for. Throws a `TypeError` that says what is wrong with it. */
export function readLoadOptions(args: readonly string[]): LoadOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rate: { type: "string", default: "500" },
      seconds: { type: "string" },
      quick: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  return {
    rate: wholeNumber("--rate", values.rate),
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

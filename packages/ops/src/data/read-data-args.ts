import { parseArgs } from "node:util";

const names = ["export", "purge", "reseal", "parked", "retry", "dead-letters", "replay"] as const;

/** A parsed command line. */
export interface DataArgs {
  readonly command: (typeof names)[number];
  /** Of `export` and `purge`. */
  readonly team: string;
  /** Of `export`. Default: the standard output. */
  readonly out?: string;
  /** Of `purge`: skip the confirmation. */
  readonly yes: boolean;
  /** Of `retry`, a request id; of `replay`, a dead letter's id or `all`. */
  readonly id: string;
}

const options = {
  team: { type: "string" },
  out: { type: "string" },
  yes: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const allowed: Record<DataArgs["command"], readonly string[]> = {
  export: ["team", "out"],
  purge: ["team", "yes"],
  reseal: [],
  parked: [],
  retry: [],
  "dead-letters": [],
  replay: [],
};

/** Commands that take one id, and their error texts. */
const ofOneId: Partial<Record<DataArgs["command"], string>> = {
  retry: "retry takes one request id.",
  replay: "replay takes the id of one dead letter, or all.",
};

/** Parses the arguments of a data command. `wrong` is the error text for invalid arguments. */
export function readDataArgs(args: readonly string[]): DataArgs | { readonly help: true } | { readonly wrong: string } {
  const read = parsed(args);
  if (read === undefined) return { wrong: `Invalid arguments: ${args.join(" ")}` };
  const { values, positionals } = read;
  if (values.help === true) return { help: true };
  const [word = "", id = "", ...rest] = positionals;
  const command = names.find((name) => name === word);
  if (command === undefined) return { wrong: word === "" ? "Missing command." : `Unknown command “${word}”.` };
  const stray = Object.keys(values).find((name) => !allowed[command].includes(name));
  if (stray !== undefined) return { wrong: `${command} has no option --${stray}.` };
  if ((ofOneId[command] !== undefined) !== (id !== "") || rest.length > 0)
    return { wrong: ofOneId[command] ?? `${command} takes no further arguments.` };
  const { team = "", out, yes = false } = values;
  if (allowed[command].includes("team") && !/^[TE][A-Z0-9]{1,30}$/.test(team))
    return { wrong: `${command} requires --team with the id of a Slack team, such as T0123ABCD.` };
  return { command, team, yes, id, out };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    return undefined;
  }
}

import type { Readable, Writable } from "node:stream";
import { createInterface } from "node:readline/promises";
import { hideSecrets } from "../secrets.ts";
import type { DataTools } from "./data-tools.ts";
import { listDeadLetters, replayDeadLetters } from "./dead-letters.ts";
import { exportTeam } from "./export-team.ts";
import { listParked, retryParked } from "./parked.ts";
import { purgeTeam } from "./purge-team.ts";
import { readDataArgs, type DataArgs } from "./read-data-args.ts";
import { resealAll } from "./reseal-all.ts";
import type { ZoneData } from "./zone-data.ts";

/** Where a command writes, and whom it asks. */
export interface DataTerminal {
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** A person sits there and can be asked; nobody does when absent. */
  readonly stdin?: Readable;
}

export interface DataCommandOptions {
  /** The words after the program: a command and its options. */
  readonly args: readonly string[];
  /** First lines of the help: how this program is called. */
  readonly usage: string;
  /** Opens each zone, in the order in which its rows are deleted. */
  readonly open: readonly (() => Promise<ZoneData>)[];
  readonly terminal: DataTerminal;
}

/** Gives whether all went well. */
type Command = (tools: DataTools) => Promise<boolean>;

const commands: Record<DataArgs["command"], Command> = {
  export: exportTeam,
  purge: purgeTeam,
  reseal: resealAll,
  parked: listParked,
  retry: retryParked,
  "dead-letters": listDeadLetters,
  replay: replayDeadLetters,
};

const help = `
  export --team T123 [--out FILE]  writes every row that is kept of a Slack team, a JSON object a line
  purge --team T123 [--yes]        deletes all of it, after it was confirmed
  reseal                           encrypts with the first key of DATA_KEYS what is encrypted with another, or not at all
  parked                           lists the questions that failed too often: ids and reasons, no text
  retry REQUEST_ID                 lets one of them be tried again
  dead-letters                     lists the messages of the bus that nobody could handle: ids and reasons, no text
  replay ID|all                    has one of them, or all, delivered again

Exit code: 0 when it was done, 1 when it was not, 2 when it was asked in a way that is not understood.
`;

/** Exports, deletes, re-encrypts and looks at what the zones keep. Gives the exit code. */
export async function runDataCommand({ args, usage, open, terminal }: DataCommandOptions): Promise<0 | 1 | 2> {
  const { stdout, stderr, stdin } = terminal;
  const tell = (line: string): void => void stderr.write(`${line}\n`);
  const print = (line: string): void => void stdout.write(`${line}\n`);
  const asked = readDataArgs(args);
  if ("help" in asked) return (stdout.write(usage + help), 0);
  if ("wrong" in asked) return (tell(`${asked.wrong}\n\n${usage}${help}`), 2);
  const ask = async (question: string): Promise<string | undefined> => {
    if (stdin === undefined) return undefined;
    const lines = createInterface({ input: stdin, output: stderr });
    return lines.question(question).finally(() => lines.close());
  };
  const zones: ZoneData[] = [];
  try {
    for (const openZone of open) zones.push(await openZone());
    return (await commands[asked.command]({ zones, args: asked, print, tell, stdout, ask })) ? 0 : 1;
  } catch (error) {
    tell(inWords(error));
    return 1;
  } finally {
    for (const zone of zones) await zone.close();
  }
}

const shownAsIs = new Set(["DataCommandError", "ConfigError", "NewerDatabaseError", "DatabaseUnavailableError"]);

function inWords(error: unknown): string {
  if (!(error instanceof Error)) return "This did not work.";
  const { code } = error as { code?: unknown };
  // Errors of several addresses at once have a code and no words.
  const said = hideSecrets(error.message || (typeof code === "string" ? code : error.name));
  return shownAsIs.has(error.name) ? said : `This did not work: ${said}`;
}

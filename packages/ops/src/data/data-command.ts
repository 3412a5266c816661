import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";
import { hideSecrets } from "@crosszone/service-kit";
import { errorText } from "@crosszone/service-kit/text";
import { listDeadLetters, listParked, replayDeadLetters, retryParked } from "./queue-commands.ts";
import { exportTeam, purgeTeam, resealAll } from "./team-commands.ts";
import { type DataArgs, readDataArgs } from "./read-data-args.ts";
import type { DataTools, ZoneData } from "./zone-data.ts";

export interface DataCommandOptions {
  /** The command and its options. */
  readonly args: readonly string[];
  /** First lines of the help. */
  readonly usage: string;
  /** Opens each zone, in the order in which rows are deleted. */
  readonly open: readonly (() => Promise<ZoneData>)[];
  readonly terminal: {
    readonly stdout: Writable;
    readonly stderr: Writable;
    /** Input for questions; absent without a user. */
    readonly stdin?: Readable;
  };
}

const commands: Record<DataArgs["command"], (tools: DataTools) => Promise<boolean>> = {
  export: exportTeam,
  purge: purgeTeam,
  reseal: resealAll,
  parked: listParked,
  retry: retryParked,
  "dead-letters": listDeadLetters,
  replay: replayDeadLetters,
};

const help = `
  export --team T123 [--out FILE]  writes every stored row of a Slack team, one JSON object per line
  purge --team T123 [--yes]        deletes all rows of a team, after a confirmation
  reseal                           encrypts all secrets with the first key of DATA_KEYS
  parked                           lists parked questions: ids and reasons, no text
  retry REQUEST_ID                 retries a parked question
  dead-letters                     lists the bus's dead letters: ids and reasons, no text
  replay ID|all                    delivers one dead letter, or all, again

Exit code: 0 success, 1 failure, 2 usage error.
`;

/** Runs a data command: exports, deletes, re-encrypts or lists what the zones store. Returns the exit code. */
export async function runDataCommand({ args, usage, open, terminal }: DataCommandOptions): Promise<0 | 1 | 2> {
  const { stdout, stderr, stdin } = terminal;
  const printError = (line: string): void => void stderr.write(`${line}\n`);
  const print = (line: string): void => void stdout.write(`${line}\n`);
  const asked = readDataArgs(args);
  if ("help" in asked) return (stdout.write(usage + help), 0);
  if ("wrong" in asked) return (printError(`${asked.wrong}\n\n${usage}${help}`), 2);
  const ask = async (question: string): Promise<string | undefined> => {
    if (stdin === undefined) return undefined;
    const lines = createInterface({ input: stdin, output: stderr });
    return lines.question(question).finally(() => lines.close());
  };
  const zones: ZoneData[] = [];
  try {
    for (const openZone of open) zones.push(await openZone());
    return (await commands[asked.command]({ zones, args: asked, print, printError, stdout, ask })) ? 0 : 1;
  } catch (error) {
    printError(failureLine(error));
    return 1;
  } finally {
    for (const zone of zones) await zone.close();
  }
}

const shownAsIs = new Set(["DataCommandError", "ConfigError", "NewerDatabaseError", "DatabaseUnavailableError"]);

function failureLine(error: unknown): string {
  if (!(error instanceof Error)) return "The command failed.";
  const text = hideSecrets(errorText(error));
  return shownAsIs.has(error.name) ? text : `The command failed: ${text}`;
}

import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Environment, hideSecrets } from "@crosszone/service-kit";
import { durationUnits, errorText, showUnseen } from "@crosszone/service-kit/text";
import { createBackup, restoreBackup } from "./backup.ts";
import { type DataArgs, DataCommandError, type DataTools, readDataArgs, type ZoneData } from "./zone-data.ts";

/** Encrypts everything with the first key. Resolves with false when a value could not be decrypted; its key must not be removed then. */
async function resealAll({ zones, print, printError }: DataTools): Promise<boolean> {
  let failures = 0;
  for (const data of zones) {
    const { zone, at } = data;
    const first = data.firstKey;
    const others = (await data.keys.inUse()).filter((id) => first !== undefined && id !== first);
    if (others.length > 0)
      throw new DataCommandError(
        `A process of ${zone} still encrypts with ${others.join(", ")}. Move ${String(first)} to the first place in every process, and restart it. Then run this command again.`,
      );
    const done = await data.reseal();
    if (done.length === 0) throw new DataCommandError(`${zone} has no DATA_KEYS, so nothing can be encrypted.`);
    const sealed = done.reduce((sum, table) => sum + table.sealed, 0);
    print(`${zone}: ${sealed} values are now encrypted with the first key (${at})`);
    for (const { table, failed } of done)
      if (failed > 0)
        printError(
          `${zone}.${table}: ${failed} values can't be decrypted with the configured keys and were left unchanged.`,
        );
    failures += done.reduce((sum, { failed }) => sum + failed, 0);
  }
  if (failures === 0) print("Remove the other keys of DATA_KEYS once every process uses the new first key.");
  return failures === 0;
}

/**
 * Exports a team as JSON lines: a header, one line for each row, and a final line. An export without the final line is incomplete. Rows are
 * read as fast as the output accepts them.
 */
async function exportTeam({ zones, args: { team, out }, stdout, printError }: DataTools): Promise<boolean> {
  let rows = 0;
  let hidden = 0;
  async function* lines(): AsyncGenerator<string> {
    yield jsonLine({ export: "crosszone", version: 1, team_id: team, at: new Date().toISOString() });
    for (const zone of zones)
      for await (const { table, row, left_out } of zone.rows(team)) {
        rows += 1;
        hidden += left_out.length;
        yield jsonLine({ zone: zone.zone, table, row, left_out: left_out.length > 0 ? left_out : undefined });
      }
    yield jsonLine({ end: true, rows });
  }
  try {
    if (out === undefined) await pipeline(Readable.from(lines()), stdout, { end: false });
    else await pipeline(Readable.from(lines()), createWriteStream(out, { flags: "wx", mode: 0o600 }));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EEXIST") throw new DataCommandError(`${out} already exists. Choose another file.`);
    // The reader has closed the pipe, as in `… | head`.
    if (code === "EPIPE") return false;
    throw error;
  }
  printError(`Exported ${rows} rows of ${team}${out === undefined ? "" : ` to ${out}`}.`);
  if (hidden > 0) printError(`Left out ${hidden} secret values. Their rows list them in left_out.`);
  return true;
}

const jsonLine = (value: unknown): string => `${showUnseen(JSON.stringify(value))}\n`;

/** Shows what is stored of a team, asks for a confirmation, deletes it, and checks whether new rows have arrived. */
async function purgeTeam({ zones, args: { team, yes }, print, printError, ask }: DataTools): Promise<boolean> {
  const before = await countAll(zones, team);
  for (const { zone, at } of zones) print(`${zone}: ${at}`);
  if (before.every(({ rows }) => rows === 0)) {
    print(`No data is stored for ${team}.`);
    return true;
  }
  print(`Data of ${team}:`);
  for (const { zone, table, rows, holds } of before)
    if (rows > 0) print(`  ${String(rows).padStart(7)}  ${zone}.${table}: ${holds}`);
  print("Open questions will not be answered. Messages in Slack are not deleted.");
  if (!yes) {
    const typed = await ask(`Type ${team} to delete all of it permanently: `);
    if (typed === undefined) printError("No terminal to confirm on. Add --yes to delete without confirmation.");
    if (typed?.trim() !== team) return (printError("Nothing was deleted."), false);
  }
  let whole = true;
  for (const data of zones) {
    const { zone } = data;
    const { deleted, erased } = await data.purge(team);
    for (const { table, rows } of deleted) if (rows > 0) print(`deleted ${rows} from ${zone}.${table}`);
    if (!erased)
      printError(
        `${zone}: the write-ahead log could not be truncated because another process is reading. Run this command again.`,
      );
    whole &&= erased;
  }
  const again = (await countAll(zones, team)).filter(({ rows }) => rows > 0);
  for (const { zone, table, rows } of again) printError(`${zone}.${table} has ${rows} new rows of ${team}.`);
  if (again.length > 0)
    printError(
      `The app still receives events of ${team}. Uninstall it from the workspace, then run this command again.`,
    );
  return whole && again.length === 0;
}

async function countAll(zones: readonly ZoneData[], team: string) {
  const counted = [];
  for (const data of zones) for (const one of await data.count(team)) counted.push({ zone: data.zone, ...one });
  return counted;
}

/** Gives up a lost key, so that the zones work without it. What only it decrypts stays, and can't be read. */
async function forgetKey({ zones, args: { id }, print, printError }: DataTools): Promise<boolean> {
  let isKnown = false;
  for (const { zone, keys } of zones) {
    if (!(await keys.giveUp(id))) continue;
    isKnown = true;
    print(`${zone}: no longer waits for the key ${id}. What it encrypted can't be read until it is back.`);
  }
  if (!isKnown) printError(`No data is encrypted with a key ${id}.`);
  return isKnown;
}

/** Lists parked questions, without their text. */
async function listParked({ zones, print }: DataTools): Promise<boolean> {
  let count = 0;
  for (const { parked } of zones)
    for (const { request_id, team_id, age_ms, attempts, why } of (await parked?.list()) ?? []) {
      count += 1;
      print(`${request_id}  ${team_id}  ${ageInWords(age_ms)}  attempts: ${attempts}  ${why}`);
    }
  if (count === 0) print("No parked questions.");
  return true;
}

async function retryParked({ zones, args: { id }, print, printError }: DataTools): Promise<boolean> {
  for (const { parked } of zones) if (await parked?.retry(id)) return (print(`${id} is queued for a retry.`), true);
  printError(`No parked question has the id ${id}.`);
  return false;
}

/** Formats a duration by its largest unit. */
function ageInWords(ms: number): string {
  const [unit, size] = durationUnits.find(([, least]) => ms >= least) ?? ["s", 1_000];
  return `${Math.floor(ms / size)} ${unit}`;
}

interface DataCommandOptions {
  /** The command and its options. */
  readonly args: readonly string[];
  /** First lines of the help. */
  readonly usage: string;
  readonly env: Environment;
  /** Opens each zone, in the order in which rows are deleted. */
  readonly zones: Readonly<Record<string, (env: Environment) => Promise<ZoneData>>>;
  readonly terminal: {
    readonly stdout: Writable;
    readonly stderr: Writable;
    /** Input for questions; absent without a user. */
    readonly stdin?: Readable;
  };
}

const commands: Record<Exclude<DataArgs["command"], "backup">, (tools: DataTools) => Promise<boolean>> = {
  export: exportTeam,
  purge: purgeTeam,
  reseal: resealAll,
  forget: forgetKey,
  parked: listParked,
  retry: retryParked,
};

const help = `
  export --team T123 [--out FILE]  writes every stored row of a Slack team, one JSON object per line
  purge --team T123 [--yes]        deletes all rows of a team, after a confirmation
  reseal                           encrypts all secrets with the first key of DATA_KEYS
  forget KEY_ID                    lets the zone work without a key that is lost for good
  parked                           lists parked questions: ids and reasons, no text
  retry REQUEST_ID                 retries a parked question
  backup create FOLDER             copies the database and the key of the audit log; the zone can keep running
  backup restore FOLDER            puts such a copy back; stop the zone before

Exit code: 0 success, 1 failure, 2 usage error.
`;

/** Runs a data command: exports, deletes, re-encrypts or lists what the zones store. Returns the exit code. */
export async function runDataCommand({ args, usage, env, zones, terminal }: DataCommandOptions): Promise<0 | 1 | 2> {
  const { stdout, stderr, stdin } = terminal;
  const printError = (line: string): void => void stderr.write(`${showUnseen(line)}\n`);
  const print = (line: string): void => void stdout.write(`${showUnseen(line)}\n`);
  const asked = readDataArgs(args);
  if ("help" in asked) return (stdout.write(usage + help), 0);
  if ("wrong" in asked) return (printError(`${asked.wrong}\n\n${usage}${help}`), 2);
  const ask = async (question: string): Promise<string | undefined> => {
    if (stdin === undefined) return undefined;
    const lines = createInterface({ input: stdin, output: stderr });
    return lines.question(question).finally(() => lines.close());
  };
  const opened: ZoneData[] = [];
  try {
    if (asked.command === "backup") {
      const work = asked.id === "create" ? createBackup : restoreBackup;
      for (const [zone, open] of Object.entries(zones))
        await work({ zone, env, folder: asked.folder, print, open: () => open(env) });
      return 0;
    }
    for (const open of Object.values(zones)) opened.push(await open(env));
    return (await commands[asked.command]({ zones: opened, args: asked, print, printError, stdout, ask })) ? 0 : 1;
  } catch (error) {
    printError(failureLine(error));
    return 1;
  } finally {
    for (const zone of opened) await zone.close();
  }
}

const shownAsIs = new Set(["DataCommandError", "ConfigError", "NewerDatabaseError", "DatabaseUnavailableError"]);

function failureLine(error: unknown): string {
  if (!(error instanceof Error)) return "The command failed.";
  const text = hideSecrets(errorText(error));
  return shownAsIs.has(error.name) ? text : `The command failed: ${text}`;
}

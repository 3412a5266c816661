import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DataCommandError } from "./storage.ts";
import type { DataTools, ZoneData } from "./zone-data.ts";

/** Encrypts everything with the first key. Resolves with false when a value could not be decrypted; its key must not be removed then. */
export async function resealAll({ zones, print, printError }: DataTools): Promise<boolean> {
  let failures = 0;
  for (const data of zones) {
    const { zone, at } = data;
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
export async function exportTeam({ zones, args: { team, out }, stdout, printError }: DataTools): Promise<boolean> {
  let rows = 0;
  let hidden = 0;
  async function* lines(): AsyncGenerator<string> {
    yield line({ export: "crosszone", version: 1, team_id: team, at: new Date().toISOString() });
    for (const zone of zones)
      for await (const { table, row, left_out } of zone.rows(team)) {
        rows += 1;
        hidden += left_out.length;
        yield line({ zone: zone.zone, table, row, ...(left_out.length > 0 && { left_out }) });
      }
    yield line({ end: true, rows });
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

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** Shows what is stored of a team, asks for a confirmation, deletes it, and checks whether new rows have arrived. */
export async function purgeTeam({ zones, args: { team, yes }, print, printError, ask }: DataTools): Promise<boolean> {
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

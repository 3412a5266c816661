import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { DataTools } from "./data-tools.ts";
import { DataCommandError } from "./data-command-error.ts";

/**
 * Writes a line about the export, one for each row, and one that says that it is whole; JSON each. Whoever finds no last line has a
 * part of it only. Rows are read and written as fast as the reader takes them.
 */
export async function exportTeam({ zones, args: { team, out }, stdout, tell }: DataTools): Promise<boolean> {
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
    if (code === "EEXIST") throw new DataCommandError(`${out} exists already: name another file.`);
    // Whoever read the lines has seen enough, as in `… | head`.
    if (code === "EPIPE") return false;
    throw error;
  }
  tell(`${rows} rows of ${team}${out === undefined ? "" : ` are in ${out}`}.`);
  if (hidden > 0) tell(`${hidden} values are left out: secrets. Their lines name them in left_out.`);
  return true;
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

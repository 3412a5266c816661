import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { DataTools } from "./data-tools.ts";
import { DataCommandError } from "./data-command-error.ts";

/**
 * Exports a team as JSON lines: a header, one line for each row, and a final line. An export without the final line is incomplete. Rows are
 * read as fast as the output accepts them.
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
    if (code === "EEXIST") throw new DataCommandError(`${out} already exists. Choose another file.`);
    // The reader has closed the pipe, as in `… | head`.
    if (code === "EPIPE") return false;
    throw error;
  }
  tell(`Exported ${rows} rows of ${team}${out === undefined ? "" : ` to ${out}`}.`);
  if (hidden > 0) tell(`Left out ${hidden} secret values. Their rows list them in left_out.`);
  return true;
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";

export interface DataRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a data command of the execution zone as an operator does, with these variables. */
export async function runData(env: Readonly<Record<string, string>>, ...words: string[]): Promise<DataRun> {
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", "src/data.ts", ...words], {
    cwd: resolve(import.meta.dirname, "../../apps/execution"),
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [[code], out, err] = await Promise.all([once(child, "exit"), text(child.stdout), text(child.stderr)]);
  return { code: code as number, out, err };
}

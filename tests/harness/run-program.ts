import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface ProgramEnd {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a module of the repository to its end, in the folder of its package, with these variables. */
export async function runProgram(
  path: `${"apps" | "packages"}/${string}/src/${string}.ts`,
  env: Readonly<Record<string, string>>,
  ...words: string[]
): Promise<ProgramEnd> {
  const [folder = "", file = ""] = path.split("/src/");
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", `src/${file}`, ...words], {
    cwd: resolve(import.meta.dirname, "../..", folder),
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [[code], out, err] = await Promise.all([once(child, "exit"), text(child.stdout), text(child.stderr)]);
  return { code: code as number, out, err };
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** A program that ended with another code than 0. The message is what it printed. */
export class ProgramError extends Error {}

/** Runs a program and returns its standard output. Throws a `ProgramError` when it fails, and another error when it isn't there. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
): Promise<string> {
  const child = spawn(program, args, {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  if (code !== 0) throw new ProgramError(`${output}${complaints}`.trim() || `${program} ended with ${code}`);
  return output;
}

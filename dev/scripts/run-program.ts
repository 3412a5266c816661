import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** A program that is not installed, or that ended with another code than 0. The message has the last lines that it wrote. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end and returns its standard output. Throws a `ProgramError`. */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  try {
    const env = { ...process.env, ...options.env };
    const { stdout } = await promisify(execFile)(program, [...args], { ...options, env, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === "ENOENT") throw new ProgramError(`${program} is not installed.`, { cause: error });
    const lines = `${stdout}\n${stderr}`.trim().split("\n").slice(-100).join("\n");
    const command = [program, ...args.slice(0, 3)].join(" ");
    throw new ProgramError(`${command} failed with ${String(code)}:\n${lines}`, { cause: error });
  }
}

/** Whether a program is installed: whether it can be started with `args`. */
export async function isInstalled(program: string, ...args: readonly string[]): Promise<boolean> {
  return promisify(execFile)(program, [...args]).then(
    () => true,
    () => false,
  );
}

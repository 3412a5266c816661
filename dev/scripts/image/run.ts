import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ImageError } from "./options.ts";

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end and returns its output. Throws an `ImageError` with the last lines that the program wrote. */
export async function run(program: string, args: readonly string[], { cwd, env }: RunOptions): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, [...args], {
      cwd,
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === "ENOENT") throw new ImageError(`${program} is not installed.`, { cause: error });
    const lines = `${stdout}\n${stderr}`.trim().split("\n").slice(-20).join("\n");
    throw new ImageError(`${program} ${args.slice(0, 3).join(" ")} failed with ${String(code)}:\n${lines}`, {
      cause: error,
    });
  }
}

/** Whether a program is installed: whether it can be started with `args`. */
export async function isInstalled(program: string, ...args: readonly string[]): Promise<boolean> {
  return promisify(execFile)(program, [...args]).then(
    () => true,
    () => false,
  );
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { freePort } from "@crosszone/testkit";
import { onTestFinished } from "vitest";

/** A program and its arguments. */
export type CommandLine = readonly [string, ...string[]];

export interface ProgramOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a program that prints `Listening on <URL>`, with a free port as PORT, and returns the URL. Ends with the test. */
export async function startProgram([command, ...args]: CommandLine, { cwd, env }: ProgramOptions): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, PORT: String(await freePort()), PYTHONDONTWRITEBYTECODE: "1", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`${command} ended before it listened`)));
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended])) as [string];
  return line.replace("Listening on ", "");
}

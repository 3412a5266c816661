import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { freePort } from "@crosszone/testkit";
import { programArgs } from "@crosszone/testkit/bundle";
import { expect, onTestFinished } from "vitest";
import { pythonEnv } from "./install-once.ts";

export interface ProgramEnd {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a module of the repository until it exits, in the folder of its package, with these variables. */
export async function runProgram(
  path: `${"apps" | "packages" | "tools"}/${string}/src/${string}.ts`,
  env: Readonly<Record<string, string>>,
  ...words: string[]
): Promise<ProgramEnd> {
  const [folder = ""] = path.split("/src/");
  const child = spawn(process.execPath, [...(await programArgs(path)), ...words], {
    cwd: resolve(import.meta.dirname, "../..", folder),
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [[code], out, err] = await Promise.all([once(child, "exit"), text(child.stdout), text(child.stderr)]);
  return { code: code as number, out, err };
}

/** A program and its arguments. */
export type CommandLine = readonly [string, ...string[]];

interface ProgramOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a program that prints `Listening on <URL>`, with a free port as PORT, and returns the URL. Ends with the test. */
export async function startProgram([command, ...args]: CommandLine, { cwd, env }: ProgramOptions): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, PORT: String(await freePort()), ...pythonEnv, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`${command} ended before it listened`)));
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended])) as [string];
  return line.replace("Listening on ", "");
}

/** Starts a program that listens at a URL. Resolves when anything answers there. Throws what the program wrote if it ends before. Ends with the test. */
export async function startServer(
  [command, ...args]: CommandLine,
  { cwd, env, url }: ProgramOptions & { readonly url: string },
): Promise<void> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...pythonEnv, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (data) => (said = (said + String(data)).slice(-4_000)));
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const answers = (): Promise<string> =>
    fetch(url).then(
      async (response) => (await response.body?.cancel(), "it answers"),
      () => (child.exitCode === null ? "it does not answer yet" : said),
    );
  await expect.poll(answers, { timeout: 60_000 }).toBe("it answers");
}

/** Runs a data command of the execution zone with these variables, as an operator does. */
export function runData(env: Readonly<Record<string, string>>, ...words: string[]): Promise<ProgramEnd> {
  return runProgram("apps/execution/src/data.ts", env, ...words);
}

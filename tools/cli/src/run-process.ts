import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { packageVersion } from "@crosszone/service-kit/json";
import { type ApiFailure, isApiFailure, RefusedError } from "./api/send.ts";
import { commandGroups } from "./command-groups.ts";
import { knownNames, withNearName } from "./program/unknown-names.ts";
import type { CommandGroup, Printed } from "./program/command.ts";
import { createProgram } from "./program/create-program.ts";
import { InterruptedError } from "./program/follow-run.ts";
import {
  createSession,
  type ExitCode,
  exitCodes,
  type Output,
  type SessionOptions,
  styled,
  UsageError,
  withStates,
} from "./program/session.ts";
import { harmless, harmlessJson, ownName, table } from "./text/terminal-text.ts";

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The programs of `@crosszone/local`, by the command that runs each, with its first arguments. */
const localPrograms: Readonly<Record<string, readonly [file: string, ...first: string[]]>> = {
  dev: ["crosszone-local.js"],
  chat: ["crosszone-chat.js"],
  doctor: ["crosszone-local.js", "doctor"],
  config: ["crosszone-local.js", "config"],
  backup: ["crosszone-local.js", "backup"],
};

/** Returns the module of a program in the package beside this one or in this folder; undefined when there is none. */
function programBeside(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const from = [resolve("crosszone.js"), import.meta.url].map(
    (one) => createRequire(one).resolve.paths("@crosszone/local") ?? [],
  );
  const modules = from.flat().map((folder) => join(folder, "@crosszone/local/bin", file));
  return modules.find((module) => existsSync(module));
}

type ProcessOptions = Pick<CliOptions, "argv" | "env" | "hint" | "localCrosszone" | "pageToken"> & {
  /** Modules of programs that read the arguments after their name, such as `dev`; otherwise those of `@crosszone/local`. */
  readonly programs?: Readonly<Record<string, string>>;
};

/** Runs the command line on the streams and signals of this process, and sets its exit code. */
export async function runProcess({ programs = {}, ...options }: ProcessOptions): Promise<void> {
  const [first = "", ...rest] = options.argv;
  const [file, ...before] = localPrograms[first] ?? [];
  const own = programs[first];
  const program = own ?? programBeside(file);
  if (program !== undefined) {
    process.argv.splice(2, process.argv.length, ...(own === undefined ? before : []), ...rest);
    await import(pathToFileURL(program).href);
    return;
  }
  const { stdin, stdout, stderr } = process;
  for (const stream of [stdout, stderr])
    stream.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      // The reader has closed the pipe, as in `crosszone runs | head`.
      if (code === "EPIPE") process.exit();
      stderr.write(`Cannot write: ${message}\n`);
      process.exit(exitCodes.unwritten);
    });
  const code = await startCli({
    ...options,
    stdin,
    stdout,
    stderr,
    onInterrupt: (listener) => {
      process.on("SIGINT", listener);
      return () => void process.off("SIGINT", listener);
    },
    onStop: (listener) => {
      for (const signal of stopSignals) process.on(signal, listener);
      return () => stopSignals.forEach((signal) => void process.off(signal, listener));
    },
  });
  process.exitCode = code;
  // Requests may still be in flight.
  if (code === exitCodes.interrupted) process.exit();
}

interface CliOptions extends Omit<SessionOptions, "listed"> {
  readonly argv: readonly string[];
  /** Default: all commands. */
  readonly groups?: readonly CommandGroup[];
}

/** Runs a command line and returns the exit code. Reports every expected error as a sentence on the standard error. */
export async function startCli({ argv, groups = commandGroups, ...surroundings }: CliOptions): Promise<ExitCode> {
  const { stdout, stderr } = surroundings;
  const listed = groups.flatMap(({ commands }) => commands.flatMap(({ lists }) => lists ?? []));
  const options = { ...surroundings, listed };
  let code: ExitCode = exitCodes.done;
  const runProgram = createProgram({
    groups,
    version: packageVersion(import.meta.url),
    stdout,
    run: async (command, call) => {
      const isJson = call.values["json"] === true;
      const session = createSession(options, isJson);
      const done = await command.run(call, session).catch(async (error: unknown) => {
        throw await withNearName(error, call.operands[0], session);
      });
      code = typeof done === "number" ? done : print(done, isJson, options);
    },
    namesOf: (kind) => knownNames(kind, createSession(options, true)).catch(() => []),
  });
  try {
    await runProgram(argv);
    return code;
  } catch (error) {
    return reportError(error, stderr);
  }
}

function print({ json, text, notice = "", isDone = true }: Printed, isJson: boolean, to: SessionOptions): ExitCode {
  to.stdout.write(isJson ? `${harmlessJson(json)}\n` : shownText(text, to));
  if (!isJson) to.stderr.write(harmless(notice));
  return isDone ? exitCodes.done : exitCodes.failed;
}

function shownText(text: Printed["text"], { stdout, env }: SessionOptions): string {
  if (typeof text === "string") return withStates(harmless(text), stdout, env);
  const { rows, none } = text;
  if (rows.length === 0) return `${none}\n`;
  const columns = (stdout.isTTY === true && stdout.columns) || undefined;
  // A terminal has no room for columns without a value.
  const isShown = (_: string, at: number): boolean => columns === undefined || rows.some((row) => row[at] !== "");
  const [head = [], ...shown] = [text.head, ...rows].map((row) => row.filter(isShown));
  return table(head, shown, { style: styled(stdout, env), columns });
}

/** Writes an expected error and returns its exit code; throws any other. */
function reportError(error: unknown, stderr: Output): ExitCode {
  if (error instanceof InterruptedError) {
    stderr.write(`Stopped watching: ${error.message}. To watch it again: ${ownName} runs watch.\n`);
    return exitCodes.interrupted;
  }
  if (error instanceof UsageError) {
    stderr.write(`${harmless(error.message)}\n`);
    stderr.write(`For help: ${ownName} ${error.command ? `${error.command} ` : ""}--help\n`);
    return exitCodes.usage;
  }
  if (!isApiFailure(error)) throw error;
  stderr.write(failureText(error));
  return exitCodes.refused;
}

function failureText(error: ApiFailure): string {
  const lines = [error.message];
  if (error instanceof RefusedError) {
    if (error.kind === "unauthorized") lines.push("Set CROSSZONE_TOKEN to a valid token of the zone.");
    lines.push(
      ...error.problems.map(({ pointer, message }) => `  ${pointer.replace(/^\/input\/(?=[^/]+$)/, "")} ${message}`),
    );
  }
  return lines.map((line) => `${harmless(line)}\n`).join("");
}

import process from "node:process";
import { packageVersion } from "@crosszone/service-kit/modules";
import { type ApiFailure, isApiFailure, RefusedError } from "./api/failures.ts";
import { commands } from "./commands/commands.ts";
import type { Printed } from "./program/command.ts";
import { createProgram } from "./program/create-program.ts";
import { type ExitCode, exitCodes, UsageError } from "./program/errors.ts";
import { createSession, type Output, type SessionOptions } from "./program/session.ts";
import { InterruptedError } from "./progress/follow-run.ts";
import { harmless, harmlessJson } from "./text/terminal-text.ts";

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs the command line on the streams and signals of this process, and sets its exit code. */
export async function runProcess(
  options: Pick<CliOptions, "argv" | "env" | "hint" | "localCrosszone" | "pageToken">,
): Promise<void> {
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

interface CliOptions extends SessionOptions {
  readonly argv: readonly string[];
}

/** Runs a command line and returns the exit code. Reports every expected error as a sentence on the standard error. */
export async function startCli({ argv, ...options }: CliOptions): Promise<ExitCode> {
  const { stdout, stderr } = options;
  let code: ExitCode = exitCodes.done;
  const runProgram = createProgram({
    commands,
    version: packageVersion(import.meta.url),
    stdout,
    run: async (command, call) => {
      const isJson = call.values["json"] === true;
      const done = await command.run(call, createSession(options, isJson));
      code = typeof done === "number" ? done : print(done, isJson, options);
    },
  });
  try {
    await runProgram(argv);
    return code;
  } catch (error) {
    return reportError(error, stderr);
  }
}

function print({ json, text, notice = "", isDone = true }: Printed, isJson: boolean, to: SessionOptions): ExitCode {
  to.stdout.write(isJson ? `${harmlessJson(json)}\n` : text);
  if (!isJson) to.stderr.write(notice);
  return isDone ? exitCodes.done : exitCodes.failed;
}

/** Writes an expected error and returns its exit code; throws any other. */
function reportError(error: unknown, stderr: Output): ExitCode {
  if (error instanceof InterruptedError) {
    stderr.write(`Stopped watching: ${error.message}. To watch it again: crosszone runs watch.\n`);
    return exitCodes.interrupted;
  }
  if (error instanceof UsageError) {
    stderr.write(`${harmless(error.message)}\n`);
    stderr.write(`For help: crosszone ${error.command ? `${error.command} ` : ""}--help\n`);
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

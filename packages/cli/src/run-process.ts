import process from "node:process";
import { exitCodes } from "./arguments/command.ts";
import { startCli, type CliOptions } from "./start-cli.ts";

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs the command line on the streams and signals of this process, and sets its exit code. */
export async function runProcess(options: Pick<CliOptions, "argv" | "env" | "hint" | "localCrosszone">): Promise<void> {
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
  if (code === exitCodes.left) process.exit();
}

import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The arguments of Node for the command line. */
export const cliArguments = ["--conditions=@crosszone/source", fileURLToPath(new URL("../main.ts", import.meta.url))];

interface ProgramOptions {
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of the standard input. */
  readonly input?: string;
}

/** Starts a program without a terminal. It ends with the test. */
export function startProgram(command: string, argv: readonly string[], { input = "", ...options }: ProgramOptions) {
  const child = spawn(command, argv, options);
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  child.stdin.end(input);
  let output = "";
  let read = 0;
  let changed = Promise.withResolvers<undefined>();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece: Buffer) => {
      output += piece.toString();
      changed.resolve(undefined);
    });
  const ended = new Promise<number | null>((done) => void child.once("close", done));
  const told = Promise.all([ended, text(child.stdout).catch(() => ""), text(child.stderr)]);
  const over = ended.then(() => "over" as const);
  return {
    ended,
    /** What it wrote on each stream, and its exit code, once it has ended. */
    done: told.then(([code, out, err]) => ({ code, out, err })),
    /** What it has written so far. */
    output: () => output,
    signal: (name: NodeJS.Signals) => void child.kill(name),
    /** Closes the standard output, as `head` does. */
    stopReading: () => void child.stdout.destroy(),
    /** Resolves with the match once the output has one, after the last one that was waited for. */
    wrote: async (pattern: RegExp): Promise<RegExpExecArray> => {
      for (;;) {
        const found = pattern.exec(output.slice(read));
        if (found !== null) {
          read += found.index + found[0].length;
          return found;
        }
        changed = Promise.withResolvers();
        const last = await Promise.race([changed.promise, over]);
        if (last === "over" && !pattern.test(output.slice(read)))
          throw new Error(`It ended without writing ${pattern}:\n${output}`);
      }
    },
  };
}

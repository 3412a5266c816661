import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

export interface CliEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface CliRun {
  readonly done: Promise<CliEnd>;
  /** Resolves once the output contains these words. */
  readonly wrote: (words: string) => Promise<void>;
  /** Presses Ctrl-C. */
  readonly interrupt: () => void;
  /** Closes the standard output, as `head` does. */
  readonly stopReading: () => void;
}

export const testToken = "admin-token-of-the-test";

/** Runs the command line as a separate process, without a terminal. */
export function runCli(url: string, argv: readonly string[], { input = "" }: { readonly input?: string } = {}): CliRun {
  const env = { CROSSZONE_URL: url, CROSSZONE_TOKEN: testToken, CROSSZONE_LINK_TOKEN: testToken, NO_COLOR: "1" };
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", main, ...argv], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.end(input);
  let written = "";
  const waiting = new Map<string, () => void>();
  child.stderr.on("data", (piece: Buffer) => {
    written += piece.toString();
    for (const [words, resolve] of waiting) if (written.includes(words)) resolve();
  });
  const code = new Promise<number | null>((resolve) => void child.once("close", resolve));
  const done = Promise.all([code, text(child.stdout).catch(() => ""), text(child.stderr)]);
  return {
    done: done.then(([exit, out, err]) => ({ code: exit, out, err })),
    wrote: (words) =>
      new Promise((resolve, reject) => {
        if (written.includes(words)) resolve();
        waiting.set(words, resolve);
        void code.then(() => reject(new Error(`it ended without writing ${words}: ${written}`)));
      }),
    interrupt: () => child.kill("SIGINT"),
    stopReading: () => child.stdout.destroy(),
  };
}

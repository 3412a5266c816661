import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly isShell: boolean;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** How long it has to end before it is killed, milliseconds. */
  readonly stopMs?: number;
  /** Called with each line of its output. */
  readonly onLine: (line: string) => void;
}

export interface Child {
  /** Resolves when it has ended, with what happened, as in `exited with code 1`. */
  readonly ended: Promise<string>;
  /** The last lines that it wrote, oldest first. */
  readonly lastLines: () => readonly string[];
  /** Ends it and everything that it started. */
  readonly stop: () => Promise<void>;
}

/** How many lines are kept: the error comes before its stack, in Go before the stacks of all goroutines. */
const keptLines = 200;

/** Starts a program in a process group of its own, so that what it starts can be ended with it. */
export function runChild({ command, args, isShell, cwd, env, stopMs = 3_000, onLine }: ChildOptions): Child {
  const child = spawn(command, args, { cwd, env, shell: isShell, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const last: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => {
      last.push(line);
      if (last.length > keptLines) last.shift();
      onLine(line);
    });
  const lift = child.pid === undefined ? (): void => undefined : guardGroup(child.pid);
  // `close` comes after the last line, unlike `exit`; an orphan that keeps the output open does not delay the end.
  const ended = new Promise<string>((resolve) => {
    child.once("error", ({ code, message }: NodeJS.ErrnoException) =>
      resolve(code === "ENOENT" ? `can't be started: ${command} is not installed` : `can't be started: ${message}`),
    );
    child.once("exit", (code, by) => {
      lift();
      const what = by === null ? `exited with code ${code}` : `was ended by ${by}`;
      child.once("close", () => resolve(what));
      setTimeout(() => resolve(what), 200).unref();
    });
  });
  return { ended, lastLines: () => [...last], stop: () => stop(child, stopMs) };
}

async function stop(child: ChildProcess, stopMs: number): Promise<void> {
  if (child.pid === undefined) return;
  const isOver = child.exitCode !== null || child.signalCode !== null;
  const gone = isOver ? undefined : once(child, "exit");
  signal(child.pid, "SIGTERM");
  if (gone === undefined) return;
  const kill = setTimeout(() => signal(child.pid ?? 0, "SIGKILL"), stopMs);
  await gone;
  clearTimeout(kill);
}

/** Signals the group. It is gone when every process of it has ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    if (pid > 0) process.kill(-pid, name);
  } catch {
    // Nothing is left to end.
  }
}

/** Waits for the end of its input, which is the end of this process, and then ends a process group. */
const script = 'cat > /dev/null; kill -TERM -"$1"';

/** Ends a process group when this process ends, even when it is killed. Returns a function that lifts the guard. */
function guardGroup(pid: number): () => void {
  if (process.platform === "win32") return () => undefined;
  const shell = spawn("/bin/sh", ["-c", script, "sh", String(pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.on("error", () => undefined);
  shell.stdin.on("error", () => undefined);
  shell.unref();
  (shell.stdin as unknown as { readonly unref: () => void }).unref();
  return () => void shell.kill("SIGKILL");
}

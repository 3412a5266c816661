import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** One process of Node. */
export interface Program {
  readonly name: string;
  /** Options of Node, then the module. */
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: NodeJS.ProcessEnv;
}

const stopMs = 15_000;

/** Starts programs, and hands each line that they write to `onLine`. */
export function runPrograms(programs: readonly Program[], onLine: (name: string, line: string) => void) {
  const children = new Map<string, ChildProcess>();
  const ended = Promise.withResolvers<string>();
  const expected = new WeakSet<ChildProcess>();

  function start({ name, args, env }: Program): void {
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    children.set(name, child);
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on("line", (line) => onLine(name, line));
    child.once("exit", () => expected.has(child) || ended.resolve(name));
  }

  async function end(child: ChildProcess): Promise<void> {
    expected.add(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    const kill = setTimeout(() => child.kill("SIGKILL"), stopMs);
    await gone;
    clearTimeout(kill);
  }

  for (const program of programs) start(program);
  return {
    /** Resolves with the name of the first program that ended by itself. */
    ended: ended.promise,
    restart: async (name: string): Promise<void> => {
      const program = programs.find((one) => one.name === name);
      const child = children.get(name);
      if (program === undefined || child === undefined) return;
      await end(child);
      start(program);
    },
    /** Asks every program to stop, kills those that take longer than 15 seconds, and resolves when all have ended. */
    stop: async (): Promise<void> => {
      await Promise.all([...children.values()].map(end));
    },
  };
}

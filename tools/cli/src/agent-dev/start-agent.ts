import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve as resolvePath } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { UsageError } from "../program/session.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface LaunchPlan {
  readonly command: string;
  readonly args: readonly string[];
  /** The folder that it runs in and whose edits restart it. */
  readonly folder: string;
  /** Runs before each start; the agent that runs keeps running when it fails. */
  readonly build?: { readonly command: string; readonly args: readonly string[] };
  /** From the file or folder: the agent's name unless its card has one. */
  readonly name: string;
  /** Whether the command is a line for the shell. */
  readonly isShell: boolean;
}

/** What the command line says about the agent. */
export interface AgentTarget {
  /** A file, a folder, or a URL. With `command` only the folder to run in. */
  readonly target: string;
  /** A command line for the shell. */
  readonly command?: string;
  /** The agent's own port, when it does not read PORT. */
  readonly port?: number;
}

/**
 * Returns how to start an agent by the kind of its file; `temporary` is for build outputs. Throws a `UsageError` when it is missing or of an
 * unknown kind.
 */
export function launchPlan({ target, command }: AgentTarget, env: Env, temporary: string): LaunchPlan {
  const path = resolvePath(target);
  if (!existsSync(path)) throw new UsageError(`${target} does not exist. Name the agent's file or folder, or its URL.`);
  const isFolder = statSync(path).isDirectory();
  const folder = isFolder ? path : dirname(path);
  const plan = { folder, name: nameOf(path), isShell: false };
  if (command !== undefined) return { ...plan, command, args: [], isShell: true };
  const extension = isFolder ? "" : extname(path);
  if (extension === ".go" || (isFolder && existsSync(join(path, "go.mod")))) {
    const program = join(temporary, "agent");
    const sources = isFolder || existsSync(join(folder, "go.mod")) ? "." : path;
    // Without debugging data, the linker takes half the time.
    const build = { command: "go", args: ["build", "-ldflags=-s -w", "-o", program, sources] };
    return { ...plan, command: program, args: [], build };
  }
  if (/^\.[cm]?[jt]s$/.test(extension)) return { ...plan, command: process.execPath, args: [path] };
  if (extension === ".py") return { ...plan, command: pythonIn(folder, env), args: [path] };
  const what = isFolder
    ? "The folder has no go.mod"
    : `Agents in ${extension || "files without an extension"} are unknown`;
  throw new UsageError(
    `${what}. Name a .js, .mjs, .ts, .py or .go file or a folder with go.mod, or give the command: --command "npm start".`,
  );
}

/** The interpreter of the active virtual environment, or of `.venv` in the agent's folder; otherwise `python3`. */
function pythonIn(folder: string, env: Env): string {
  const places = [env["VIRTUAL_ENV"], join(folder, ".venv")].filter((place) => place !== undefined && place !== "");
  return places.map((place) => join(place as string, "bin/python")).find(existsSync) ?? "python3";
}

const generic = new Set(["agent", "main", "index", "server", "app"]);

/** The file's name without its extension; the folder's name for a folder, and for a file with a name like `main.py`. */
function nameOf(path: string): string {
  const own = basename(path, extname(path));
  return generic.has(own) ? basename(dirname(path)) : own;
}

interface ChildOptions {
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
  signalProcess(child.pid, "SIGTERM");
  if (gone === undefined) return;
  const kill = setTimeout(() => signalProcess(child.pid ?? 0, "SIGKILL"), stopMs);
  await gone;
  clearTimeout(kill);
}

/** Signals the group. It is gone when every process of it has ended. */
function signalProcess(pid: number, name: NodeJS.Signals): void {
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

/** The author's agent: up at a URL, or down with the reason. */
export type AgentState = { readonly url: string } | { readonly problem: string };

export interface StartOptions {
  readonly plan: LaunchPlan;
  readonly port: number;
  readonly env: NodeJS.ProcessEnv;
  readonly onLine: (line: string) => void;
}

/** How long an agent has to answer after its start, milliseconds. */
const upMs = 30_000;

/** Starts the agent's process. `state` resolves when it answers, when it has ended, and at the latest after 30 seconds. */
export function startAgent({ plan, port, env, onLine }: StartOptions) {
  // An agent may ignore PORT and say where it listens instead.
  let ownPort: number | undefined;
  const child = runChild({
    ...plan,
    cwd: plan.folder,
    env: { ...env, PORT: String(port) },
    onLine: (line) => {
      ownPort ??= portIn(line);
      onLine(line);
    },
  });
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), upMs);
  const ports = (): readonly number[] => (ownPort === undefined || ownPort === port ? [port] : [port, ownPort]);
  const urls = (): readonly string[] => ports().flatMap((at) => [`http://127.0.0.1:${at}`, `http://[::1]:${at}`]);
  const up = waitUntilUp(urls, waiting.signal).then((url): AgentState =>
    url === undefined
      ? {
          problem: `The agent does not answer on port ${port} after ${upMs / 1_000} s. Make it listen on the port in PORT, or name its own with --port.`,
        }
      : { url },
  );
  const over = child.ended.then((what): AgentState => ({ problem: crashText(what, child.lastLines()) }));
  const state = Promise.race([over, up]).finally(() => {
    clearTimeout(timer);
    waiting.abort();
  });
  return { child, state };
}

/** Returns one sentence: what happened, and the line of its output that says why. */
export function crashText(what: string, lines: readonly string[]): string {
  const said = lines.map((line) => line.trim()).filter((line) => line !== "" && !/^Node\.js v\d/.test(line));
  const why =
    said.findLast((line) => /^(\w+\.)*\w*(Error|Exception)\b|^panic:|^fatal error:/.test(line)) ?? said.at(-1);
  return why === undefined ? `The agent ${what}.` : `The agent ${what}: ${why.replace(/[.!]?$/, ".")}`;
}

/** Runs the plan's build. Returns what is wrong when it fails. */
export async function buildAgent({ plan, env, onLine }: StartOptions): Promise<string | undefined> {
  if (plan.build === undefined) return undefined;
  const { ended, lastLines } = runChild({ ...plan.build, isShell: false, cwd: plan.folder, env, onLine });
  const what = await ended;
  if (what === "exited with code 0") return undefined;
  return `The agent can't be built: ${lastLines().at(-1) ?? `${what.replace("can't be started: ", "")}.`}`;
}

/** Delay between two attempts, milliseconds. */
const pauseMs = 20;

/** Returns the first of these addresses that answers HTTP; undefined when `signal` is aborted first. */
async function waitUntilUp(urls: () => readonly string[], signal: AbortSignal): Promise<string | undefined> {
  while (!signal.aborted) {
    for (const url of urls()) if (await answers(url, signal)) return url;
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${url}/.well-known/agent-card.json`, { signal, redirect: "manual" });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

const address = /https?:\/\/(?:127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1?\]):(\d+)/;

/** Returns the port that a line of an agent's output says it listens on, as in `Listening on http://127.0.0.1:8090`. */
export function portIn(line: string): number | undefined {
  const found = address.exec(line)?.[1];
  return found === undefined ? undefined : Number(found);
}

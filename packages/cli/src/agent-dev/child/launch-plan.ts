import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import process from "node:process";
import { UsageError } from "../../program/errors.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** How to start an author's agent. */
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

export interface LaunchRequest {
  /** A file or a folder; with `command` only the folder to run in. */
  readonly target: string;
  /** A command line for the shell. */
  readonly command?: string;
  readonly env: Env;
  /** For build outputs. */
  readonly temporary: string;
}

/** Returns how to start an agent by the kind of its file. Throws a `UsageError` when it is missing or of an unknown kind. */
export function launchPlan({ target, command, env, temporary }: LaunchRequest): LaunchPlan {
  const path = resolve(target);
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

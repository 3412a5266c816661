import { spawn, type ChildProcess } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Journal } from "../journal.ts";
import type { Zone } from "../plan/disturbance-plan.ts";

export type ZoneProcess = ReturnType<typeof startZoneProcess>;

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Replaces parts of both zones. */
const standIns = resolve(import.meta.dirname, "../stand-ins/use-stand-ins.ts");

/** The log event with which a zone begins to work. Verification listens before Slack has identified it. */
const worksWith: Record<Zone, string> = { verification: "slack_identified", execution: "listening" };

/** Starts the zone's `main.ts`. Its log goes to the journal. */
export function startZoneProcess(
  zone: Zone,
  {
    name,
    env,
    journal,
  }: { readonly name: string; readonly env: Readonly<Record<string, string>>; readonly journal: Journal },
) {
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", "--import", standIns, "src/main.ts"], {
    cwd: resolve(import.meta.dirname, "../../../apps", zone),
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  journal.note(name, `started, pid ${child.pid}`);
  const up = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number | NodeJS.Signals>();
  let port: number | undefined;
  let workingSince: number | undefined;
  child.once("exit", (code, signal) => {
    running.delete(child);
    port = undefined;
    journal.note(name, `ended with ${signal ?? code}`);
    up.resolve();
    ended.resolve(signal ?? code ?? 0);
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { event, time: _time, zone: _zone, ...fields } = readLine(line);
    journal.note(name, String(event), fields);
    if (event === worksWith[zone]) workingSince = performance.now();
    if (event !== "listening" || child.exitCode !== null || child.signalCode !== null) return;
    port = Number(new URL(String(fields["url"])).port);
    up.resolve();
  });
  createInterface({ input: child.stderr }).on("line", (line) => journal.note(name, `stderr: ${line}`));
  return {
    name,
    /** Its port. Undefined before it listens and after its end. */
    get port() {
      return port;
    },
    /** Time since it began to work, milliseconds. Undefined before that. */
    get workingMs() {
      return workingSince === undefined ? undefined : performance.now() - workingSince;
    },
    /** Resolves when it listens, or ends before that. */
    up: up.promise,
    /** Resolves with its exit code, or with the signal that ended it. */
    ended: ended.promise,
    signal: (signal: "SIGKILL" | "SIGTERM" | "SIGSTOP" | "SIGCONT") => void child.kill(signal),
  };
}

/** Parses a line of a log. A killed process may leave half a line. */
function readLine(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { event: `unreadable: ${line.slice(0, 200)}` };
  }
}

import { spawn, type ChildProcess } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Journal } from "../journal.ts";
import type { Zone } from "../plan/disturbance-plan.ts";

/** A zone in a process of its own. */
export interface ZoneProcess {
  readonly name: string;
  /** Where it listens; nothing before it does, and after its end. */
  readonly port: number | undefined;
  /** How long it has worked, milliseconds; nothing before it does. */
  readonly workingMs: number | undefined;
  /** Resolves when it listens, or has ended before it did. */
  readonly up: Promise<void>;
  /** Resolves with its exit code, or with the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly signal: (name: "SIGKILL" | "SIGTERM" | "SIGSTOP" | "SIGCONT") => void;
}

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** What takes the place of a part of a zone. */
const standIns: Record<Zone, string> = {
  verification: "../streams/use-many-streams.ts",
  execution: "../agent/use-reciting-agent.ts",
};

/** What a zone logs when it begins to work: verification listens before Slack has said who it is. */
const worksWith: Record<Zone, string> = { verification: "slack_identified", execution: "listening" };

/** Starts the zone's own main; what it logs goes to the journal. */
export function startZoneProcess(
  zone: Zone,
  {
    name,
    env,
    journal,
  }: { readonly name: string; readonly env: Readonly<Record<string, string>>; readonly journal: Journal },
): ZoneProcess {
  const standIn = resolve(import.meta.dirname, standIns[zone]);
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", "--import", standIn, "src/main.ts"], {
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
    get port() {
      return port;
    },
    get workingMs() {
      return workingSince === undefined ? undefined : performance.now() - workingSince;
    },
    up: up.promise,
    ended: ended.promise,
    signal: (signal) => void child.kill(signal),
  };
}

/** A process that is killed may leave half a line. */
function readLine(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { event: `unreadable: ${line.slice(0, 200)}` };
  }
}

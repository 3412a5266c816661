import { spawn, type ChildProcess } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { takeConstants } from "@crosszone/testkit/tune";
import type { Journal } from "../journal.ts";
import type { PlannedKill, Zone } from "../plan.ts";

/** Working time before a process can be killed, unless the kill is an early one, milliseconds. */
const settledMs = 500;

/** Delay before a process is replaced that ended by itself, milliseconds. It may have had no database. */
const againMs = 400;

/** The processes of one zone, as a platform runs them: as many as are wanted, and one more during a redeploy. A process that dies is replaced. */
export class Fleet {
  readonly #zone: Zone;
  readonly #journal: Journal;
  readonly #env: Readonly<Record<string, string>>;
  readonly #processes: ZoneProcess[] = [];
  /** The processes that were told to end. */
  readonly #ended = new Set<ZoneProcess>();
  #wanted = 0;
  #number = 0;
  #turn = 0;
  #over = false;
  /** The processes that ended by themselves after they had listened, with how. */
  readonly crashed: string[] = [];

  constructor(zone: Zone, journal: Journal, env: Readonly<Record<string, string>>) {
    this.#zone = zone;
    this.#journal = journal;
    this.#env = env;
  }

  /** Number of live processes. */
  get live(): number {
    return this.#processes.length;
  }

  /** Returns the port of a process that listens, round robin. */
  port(): number | undefined {
    const ports = this.#processes.flatMap(({ port }) => port ?? []);
    return ports[this.#turn++ % ports.length];
  }

  /** Returns where a process listens for programs, round robin. */
  askUrl(): string | undefined {
    const urls = this.#processes.flatMap(({ port, askUrl }) => (port === undefined ? [] : (askUrl ?? [])));
    return urls[this.#turn++ % urls.length];
  }

  /** Resolves when a process works, or after this time. */
  async working(limitMs: number): Promise<void> {
    const last = performance.now() + limitMs;
    while (!this.#living().some(({ workingSince }) => workingSince !== undefined) && performance.now() < last)
      await wait(50);
  }

  /** Starts one more process. Resolves when it listens. */
  add(): Promise<void> {
    this.#wanted += 1;
    return this.#start();
  }

  #start(): Promise<void> {
    const name = `${this.#zone} ${++this.#number}`;
    const started = startZoneProcess(this.#zone, { name, env: this.#env, journal: this.#journal });
    this.#processes.push(started);
    void this.#replace(started);
    return started.up;
  }

  /** Kills a process with SIGKILL and starts another after the pause. Returns false if no process can be killed. */
  kill({ which, pauseMs, early }: PlannedKill): boolean {
    const settled = performance.now() - settledMs;
    const victim = this.#chosen(which, ({ workingSince = Infinity }) => early || workingSince < settled);
    if (victim === undefined) return false;
    this.#end(victim, "SIGKILL");
    void victim.ended.then(() => this.#fill(pauseMs));
    return true;
  }

  /** Suspends a process. Returns false if none listens. */
  freeze(which: number, forMs: number): boolean {
    const victim = this.#chosen(which, ({ port }) => port !== undefined);
    if (victim === undefined) return false;
    victim.signal("SIGSTOP");
    setTimeout(() => victim.signal("SIGCONT"), forMs);
    return true;
  }

  /** Starts another process, and ends the oldest one after the overlap. */
  async redeploy(overlapMs: number, politely: boolean): Promise<void> {
    await this.add();
    await wait(overlapMs);
    this.#wanted -= 1;
    const [oldest, ...others] = this.#living();
    if (oldest !== undefined && others.length >= this.#wanted && !this.#over)
      this.#end(oldest, politely ? "SIGTERM" : "SIGKILL");
  }

  /** Ends all processes, by default with SIGTERM. Returns those that did not end in order, with how. */
  async stop(signal: "SIGKILL" | "SIGTERM" = "SIGTERM"): Promise<string[]> {
    this.#over = true;
    const last = [...this.#processes];
    for (const one of last) {
      one.signal("SIGCONT");
      this.#end(one, signal);
    }
    const right = signal === "SIGKILL" ? signal : 0;
    const ends = await Promise.all(last.map(async ({ name, ended }) => ({ name, how: await ended })));
    return ends.filter(({ how }) => how !== right).map(({ name, how }) => `${name} ended with ${how}`);
  }

  /** Returns the processes that were not told to end. */
  #living(): ZoneProcess[] {
    return this.#processes.filter((one) => !this.#ended.has(one));
  }

  #chosen(which: number, canBe: (one: ZoneProcess) => boolean): ZoneProcess | undefined {
    const candidates = this.#living().filter(canBe);
    return candidates[which % candidates.length];
  }

  async #replace(started: ZoneProcess): Promise<void> {
    await started.up;
    const listened = started.port !== undefined;
    const how = await started.ended;
    this.#processes.splice(this.#processes.indexOf(started), 1);
    if (this.#ended.has(started) || this.#over) return;
    if (listened) this.crashed.push(`${started.name} ended by itself with ${how}`);
    await this.#fill(againMs);
  }

  async #fill(pauseMs: number): Promise<void> {
    await wait(pauseMs);
    if (!this.#over && this.#living().length < this.#wanted) void this.#start();
  }

  #end(victim: ZoneProcess, signal: "SIGKILL" | "SIGTERM"): void {
    this.#ended.add(victim);
    victim.signal(signal);
  }
}

/** A process of a zone. */
interface ZoneProcess {
  readonly name: string;
  /** Its port. Undefined before it listens and after its end. */
  port?: number | undefined;
  /** Where it listens for programs. */
  askUrl?: string;
  /** When it began to work, on the clock of `performance`. */
  workingSince?: number;
  /** Resolves when it listens, or ends before that. */
  readonly up: Promise<void>;
  /** Resolves with its exit code, or with the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly signal: (signal: "SIGKILL" | "SIGTERM" | "SIGSTOP" | "SIGCONT") => void;
}

interface ZoneProcessOptions {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly journal: Journal;
}

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

const fromSource = ["--conditions=@crosszone/source", takeConstants];

/** Replaces parts of both zones. */
const standIns = resolve(import.meta.dirname, "../stand-ins/use-stand-ins.ts");

/** The log event with which a zone begins to work. Verification listens before Slack has identified it. */
const worksWith: Record<Zone, string> = { verification: "slack_identified", execution: "listening" };

/** Starts the zone's `main.ts`. Its log goes to the journal. */
function startZoneProcess(zone: Zone, { name, env, journal }: ZoneProcessOptions): ZoneProcess {
  const child = spawn(process.execPath, [...fromSource, "--import", standIns, "src/main.ts"], {
    cwd: resolve(import.meta.dirname, "../../../apps", zone),
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  journal.note(name, `started, pid ${child.pid}`);
  const up = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number | NodeJS.Signals>();
  const one: ZoneProcess = {
    name,
    up: up.promise,
    ended: ended.promise,
    signal: (signal) => void child.kill(signal),
  };
  child.once("exit", (code, signal) => {
    running.delete(child);
    one.port = undefined;
    journal.note(name, `ended with ${signal ?? code}`);
    up.resolve();
    ended.resolve(signal ?? code ?? 0);
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { event, time: _time, zone: _zone, ...fields } = readLine(line);
    journal.note(name, String(event), fields);
    if (event === worksWith[zone]) one.workingSince = performance.now();
    if (event === "ask_listening") one.askUrl = String(fields["url"]);
    if (event !== "listening" || child.exitCode !== null || child.signalCode !== null) return;
    one.port = Number(new URL(String(fields["url"])).port);
    up.resolve();
  });
  createInterface({ input: child.stderr }).on("line", (line) => journal.note(name, `stderr: ${line}`));
  return one;
}

/** Parses a line of a log. A killed process may leave half a line. */
function readLine(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { event: `unreadable: ${line.slice(0, 200)}` };
  }
}

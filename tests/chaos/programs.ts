import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createRandom, type Random } from "../harness/random.ts";
import { openJournal, type Journal } from "./journal.ts";
import { recite } from "./stand-ins/with-recitals.ts";
import { type EngineName, startEngine } from "./system/engine.ts";
import { Fleet } from "./system/fleet.ts";
import { executionSettings } from "./system/start-system.ts";

interface ProgramsOptions {
  readonly engine: EngineName;
  readonly seed: number;
  readonly tasks: number;
  readonly subscribers: number;
  readonly kills: number;
  /** How often subscribers cut their own streams, all together. */
  readonly cuts: number;
  readonly limitMs: number;
  /** Called every ten seconds. */
  readonly onProgress?: (line: string) => void;
}

/** Asks over A2A and follows every task with several subscribers, while both processes of execution are killed. */
export async function runPrograms({ engine: engineName, seed, tasks, subscribers, ...options }: ProgramsOptions) {
  const { kills, cuts, limitMs, onProgress } = options;
  const [journal, random] = [openJournal(), createRandom(seed, 7)];
  const engine = await startEngine(engineName, journal);
  const folder = mkdtempSync(join(tmpdir(), "crosszone-programs-"));
  try {
    const { fleet, headers } = await startFleet(folder, engine.env, journal);
    journal.begin();
    const isOver = (): boolean => journal.now() > limitMs;
    const zone: AskedZone = { url: () => `${fleet.askUrl() ?? "http://127.0.0.1:1"}/a2a/builtin`, headers, isOver };
    const started = Array.from({ length: tasks }, async (_, number) => {
      await wait(random.int(tasks * 20));
      return startTask(zone, number);
    });
    let isFollowing = true;
    const killing = killProcesses(fleet, { kills, random, journal, isOver: () => isOver() || !isFollowing });
    let ended = 0;
    const following = Array.from({ length: subscribers }, async (_, number) => {
      const taskId = (await started[number % tasks]) ?? "";
      await wait(random.int(500));
      const seen = await subscribe({ ...zone, taskId, random, cuts: Math.ceil(cuts / subscribers) });
      ended += 1;
      return seen;
    });
    const tell = (): void => onProgress?.(`${ended} of ${subscribers} subscribers have seen the end`);
    const progress = setInterval(tell, 10_000);
    const seen: Subscription[] = await Promise.all(following).finally(() => clearInterval(progress));
    isFollowing = false;
    const killed = await killing;
    const ids = await Promise.all(started);
    const ends = await Promise.all(ids.map((id) => call(zone, "GetTask", { id }) as Promise<TaskEnd>));
    await fleet.stop();
    const complaints = judgePrograms(ends, seen);
    const cut = seen.reduce((sum, one) => sum + one.cuts, 0);
    const events = seen.reduce((sum, one) => sum + one.events.length, 0);
    const lines = [
      `tasks ${tasks} · subscribers ${subscribers} · streams cut ${cut} · events ${events} · killed -9: execution ${killed}`,
      `${Math.round(journal.now() / 1_000)} s on ${engineName} · seed ${seed} · ${complaints.length} complaints`,
    ];
    return { complaints, lines, journal, killed, cuts: cut };
  } finally {
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Characters of the text that a task streams, by its number. */
const charactersOf = (number: number): number => 500 + (number % 7) * 1_500;
const nameOf = (number: number): string => `program-${number}`;

/** Starts two processes of execution, and creates a token for a program. */
async function startFleet(folder: string, env: Readonly<Record<string, string>>, journal: Journal) {
  const [admin, askers] = [randomBytes(32).toString("hex"), join(folder, "askers.yaml")];
  writeFileSync(
    askers,
    "programs:\n  askers:\n    - token: chaos\n      agents: ['*']\n      per_minute: 100000\n      open_tasks: 10000\n",
  );
  const asking = { ADMIN_TOKENS: admin, ASK_PORT: "0", EXECUTION_FILE: askers };
  const fleet = new Fleet("execution", journal, { ...executionSettings, ...env, ...asking });
  await fleet.add();
  await fleet.add();
  const response = await fetch(`http://127.0.0.1:${fleet.port()}/api/v1/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${admin}` },
    body: JSON.stringify({ name: "chaos", scopes: ["ask"], expires_in: 86_400 }),
  });
  const { token } = (await response.json()) as { readonly token?: string };
  if (token === undefined) throw new Error(`No token: HTTP ${response.status}.`);
  const headers = { "content-type": "application/json", "a2a-version": "1.0", authorization: `Bearer ${token}` };
  return { fleet, headers };
}

/** The agent as programs reach it. */
interface AskedZone {
  /** Returns its URL on any live process. */
  readonly url: () => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isOver: () => boolean;
}

/** Calls a method until a process answers it. */
async function call({ url, headers, isOver }: AskedZone, method: string, params: object): Promise<unknown> {
  for (;;) {
    let problem: unknown;
    try {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const response = await fetch(url(), { method: "POST", headers, body });
      const { result, error } = (await response.json()) as { readonly result?: unknown; readonly error?: unknown };
      if (result !== undefined) return result;
      problem = error;
    } catch (cause) {
      problem = cause;
    }
    if (isOver()) throw new Error(`${method} was not answered.`, { cause: problem });
    await wait(100);
  }
}

/** Asks for a text. Resolves with the id of the task. */
async function startTask(zone: AskedZone, number: number): Promise<string> {
  const text = `stream ${charactersOf(number)} characters of ${nameOf(number)}`;
  const message = { messageId: nameOf(number), role: "ROLE_USER", parts: [{ text }] };
  const sent = await call(zone, "SendMessage", { message, configuration: { returnImmediately: true } });
  return (sent as { readonly task: TaskEnd }).task.id;
}

interface Killing {
  readonly kills: number;
  readonly random: Random;
  readonly journal: Journal;
  readonly isOver: () => boolean;
}

/** Kills a process every few seconds. Returns how many. */
async function killProcesses(fleet: Fleet, { kills, random, journal, isOver }: Killing): Promise<number> {
  let killed = 0;
  while (killed < kills && !isOver()) {
    await wait(1_500 + random.int(1_500));
    if (!fleet.kill({ which: random.int(2), pauseMs: 200, early: false })) continue;
    killed += 1;
    journal.note("chaos", "killed a process");
  }
  return killed;
}

/** An event as a subscriber got it: its id, and the result of A2A, as JSON. */
type SeenEvent = readonly [id: number, result: string];

/** What a subscriber saw of one task. */
interface Subscription {
  readonly taskId: string;
  /** The first is the task as it was then. */
  readonly events: readonly SeenEvent[];
  /** How often its stream was cut, by itself or by a dead process. */
  readonly cuts: number;
}

interface SubscribeOptions extends AskedZone {
  readonly taskId: string;
  readonly random: Random;
  /** The subscriber cuts its stream this often, after a few events each. */
  readonly cuts: number;
}

/** Follows a task to its end over streams that are cut again and again, on any process. Each stream goes on after the last event. */
async function subscribe(options: SubscribeOptions): Promise<Subscription> {
  const { taskId, random, isOver } = options;
  const events: SeenEvent[] = [];
  let cuts = 0;
  while (!isOver() && !/"TASK_STATE_(COMPLETED|FAILED|CANCELED)"/.test(events.at(-1)?.[1] ?? "")) {
    const most = cuts < options.cuts ? 1 + random.int(4) : Infinity;
    let taken = 0;
    try {
      for await (const event of readStream(options, events.at(-1)?.[0])) {
        events.push(event);
        if ((taken += 1) >= most) break;
      }
    } catch (error) {
      // The task ended before the first stream began.
      if (events.length === 0 && String(error).includes("-32004")) break;
      // A program has a rate limit, and a dead process needs seconds to come back.
      await wait(300 + random.int(1_000));
    }
    if (taken > 0) cuts += 1;
  }
  return { taskId, events, cuts };
}

/** Yields the events of one stream. Throws when the process dies or refuses. */
async function* readStream({ taskId, url, headers }: SubscribeOptions, after?: number): AsyncGenerator<SeenEvent> {
  const over = new AbortController();
  const since = after === undefined ? {} : { "last-event-id": String(after) };
  const response = await fetch(url(), {
    method: "POST",
    headers: { ...headers, ...since, accept: "text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id: taskId } }),
    signal: over.signal,
  });
  try {
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (!isStream) throw new Error(await response.text());
    let rest = "";
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (rest + text).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const id = /^id: (\d+(?:\.\d+)?)$/m.exec(block)?.[1];
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data === undefined) continue;
        const { result } = JSON.parse(data) as { readonly result?: object };
        if (id === undefined || result === undefined) throw new Error(block);
        yield [Number(id), JSON.stringify(result)];
      }
    }
    throw new Error("The stream ended.");
  } finally {
    over.abort();
  }
}

/** A task as GetTask returns it. */
interface TaskEnd {
  readonly id: string;
  readonly status: { readonly state: string };
  readonly artifacts?: readonly Artifact[];
}

interface Artifact {
  readonly parts: readonly { readonly text?: string }[];
}

interface Update {
  readonly artifactUpdate?: { readonly artifact: Artifact; readonly append?: boolean };
  readonly task?: TaskEnd;
}

/** Returns what is wrong: a task that did not end rightly, and a subscriber who missed, doubled or reordered an event. */
function judgePrograms(ends: readonly TaskEnd[], seen: readonly Subscription[]): string[] {
  const late = seen.filter(({ events }) => events.length === 0).length;
  const complaints = late > seen.length / 5 ? [`${late} subscribers came too late`] : [];
  for (const [number, { id, status, artifacts }] of ends.entries()) {
    const text = recite(nameOf(number), charactersOf(number));
    if (status.state !== "TASK_STATE_COMPLETED") complaints.push(`task ${number} is ${status.state}`);
    else if (textIn(artifacts) !== text) complaints.push(`task ${number} has another text`);
    const own = seen.filter(({ taskId, events }) => taskId === id && events.length > 0);
    const all = new Map(own.flatMap(({ events }) => events.slice(1)));
    for (const { events } of own) {
      const wrong = flawOf(events, all, text);
      if (wrong !== undefined) complaints.push(`a subscriber of task ${number} ${wrong}`);
    }
  }
  return complaints;
}

/** A subscriber sees every event after its first one that any other saw, in order, once. */
function flawOf([first, ...rest]: readonly SeenEvent[], all: ReadonlyMap<number, string>, text: string) {
  const expected = [...all].filter(([id]) => id > (first?.[0] ?? 0)).toSorted(([one], [other]) => one - other);
  const at = [...expected, ...rest].findIndex((_, index) => String(rest[index]) !== String(expected[index]));
  if (at >= 0) return `saw ${rest.length} events, not ${expected.length}: ${rest[at]?.[0]}, not ${expected[at]?.[0]}`;
  const updates = [first, ...rest].map((event) => JSON.parse(event?.[1] ?? "{}") as Update);
  return shownText(updates) === text ? undefined : "saw another text";
}

/** Returns the text that a client shows that applies the events. */
function shownText(updates: readonly Update[]): string {
  let text = "";
  for (const { task, artifactUpdate } of updates) {
    if (task !== undefined) text = textIn(task.artifacts);
    if (artifactUpdate !== undefined) text = (artifactUpdate.append ? text : "") + textIn([artifactUpdate.artifact]);
  }
  return text;
}

const textIn = (artifacts: readonly Artifact[] = []): string =>
  artifacts.flatMap(({ parts }) => parts.map(({ text = "" }) => text)).join("");

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "@crosszone/testkit";
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
  readonly onProgress?: (line: string) => void;
}

export type ProgramsFindings = Awaited<ReturnType<typeof runPrograms>>;

interface Zone {
  readonly fleet: Fleet;
  readonly url: string;
}

/** Asks over A2A and follows every task with several subscribers, while both processes of execution are killed. */
export async function runPrograms(options: ProgramsOptions) {
  const { engine: engineName, seed, tasks: count, subscribers, limitMs, onProgress } = options;
  const [journal, random] = [openJournal(), createRandom(seed, 7)];
  const engine = await startEngine(engineName, journal);
  const folder = mkdtempSync(join(tmpdir(), "crosszone-programs-"));
  try {
    const { zones, token } = await startZones(folder, { env: engine.env, journal });
    const headers = { "content-type": "application/json", "a2a-version": "1.0", authorization: `Bearer ${token}` };
    journal.begin();
    const isOver = (): boolean => journal.now() > limitMs;
    const url = (): string => zones[random.int(zones.length)]?.url ?? "";
    const call = createCall({ url, headers, isOver });
    const started = Array.from({ length: count }, async (_, number) => {
      await wait(random.int(count * 20));
      return start(call, number);
    });
    let isFollowing = true;
    const killing = killAll(zones, { ...options, random, isOver: () => isOver() || !isFollowing, journal });
    const following = Array.from({ length: subscribers }, async (_, number) => {
      const taskId = (await started[number % count]) ?? "";
      await wait(random.int(500));
      return subscribe({ taskId, url, headers, random, cuts: Math.ceil(options.cuts / subscribers), isOver });
    });
    let ended = 0;
    for (const one of following) void one.then(() => (ended += 1));
    const progress = setInterval(
      () =>
        onProgress?.(
          `${Math.round(journal.now() / 1_000)} s: ${ended} of ${subscribers} subscribers have seen the end`,
        ),
      10_000,
    );
    const seen: Subscription[] = await Promise.all(following).finally(() => clearInterval(progress));
    isFollowing = false;
    const killed = await killing;
    const ids = await Promise.all(started);
    const ends = await Promise.all(ids.map((id) => call("GetTask", { id }) as Promise<TaskEnd>));
    await Promise.all(zones.map(({ fleet }) => fleet.stop()));
    return {
      options,
      complaints: judgePrograms(ends, seen),
      killed,
      cuts: seen.reduce((sum, { cuts }) => sum + cuts, 0),
      events: seen.reduce((sum, { events }) => sum + events.length, 0),
      wallMs: journal.now(),
      journal,
    };
  } finally {
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Characters of the text that a task streams, by its number. */
const charactersOf = (number: number): number => 500 + (number % 7) * 1_500;
const nameOf = (number: number): string => `program-${number}`;
const textOf = (number: number): string => recite(nameOf(number), charactersOf(number));

async function start(call: Call, number: number): Promise<string> {
  const text = `stream ${charactersOf(number)} characters of ${nameOf(number)}`;
  const message = { messageId: nameOf(number), role: "ROLE_USER", parts: [{ text }] };
  const sent = await call("SendMessage", { message, configuration: { returnImmediately: true } });
  return (sent as { readonly task: TaskEnd }).task.id;
}

async function startZones(
  folder: string,
  { env, journal }: { readonly env: Readonly<Record<string, string>>; readonly journal: Journal },
): Promise<{ readonly zones: readonly Zone[]; readonly token: string }> {
  const [admin, askers] = [randomBytes(32).toString("hex"), join(folder, "askers.yaml")];
  writeFileSync(
    askers,
    "askers:\n  - token: chaos\n    agents: ['*']\n    per_minute: 100000\n    open_tasks: 10000\n",
  );
  const zones = await Promise.all(
    [1, 2].map(async () => {
      const port = await freePort();
      const settings = { ...executionSettings, ...env, ADMIN_TOKENS: admin, ASK_PORT: String(port), ASK_FILE: askers };
      return {
        fleet: new Fleet("execution", journal, settings),
        url: `http://127.0.0.1:${port}/a2a/builtin`,
      };
    }),
  );
  for (const { fleet } of zones) await fleet.start();
  const response = await fetch(`http://127.0.0.1:${zones[0]?.fleet.port()}/api/v1/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${admin}` },
    body: JSON.stringify({ name: "chaos", scopes: ["ask"], expires_in: 86_400 }),
  });
  const { token } = (await response.json()) as { readonly token?: string };
  if (token === undefined) throw new Error(`No token: HTTP ${response.status}.`);
  return { zones, token };
}

type Call = (method: string, params: object) => Promise<unknown>;

/** Returns a function that calls a method until a process answers it. */
function createCall({
  url,
  headers,
  isOver,
}: {
  readonly url: () => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isOver: () => boolean;
}): Call {
  return async (method, params) => {
    for (;;) {
      let problem = "";
      try {
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
        const response = await fetch(url(), { method: "POST", headers, body });
        const { result, error } = (await response.json()) as { readonly result?: unknown; readonly error?: unknown };
        if (result !== undefined) return result;
        problem = JSON.stringify(error);
      } catch (cause) {
        problem = String(cause);
      }
      if (isOver()) throw new Error(`${method}: ${problem}`);
      await wait(100);
    }
  };
}

/** Kills a process every few seconds. Returns how many. */
async function killAll(
  zones: readonly Zone[],
  {
    kills,
    random,
    isOver,
    journal,
  }: Pick<ProgramsOptions, "kills"> & {
    readonly random: ReturnType<typeof createRandom>;
    readonly isOver: () => boolean;
    readonly journal: Journal;
  },
): Promise<number> {
  let killed = 0;
  while (killed < kills && !isOver()) {
    await wait(1_500 + random.int(1_500));
    const victim = random.int(zones.length);
    if (zones[victim]?.fleet.kill({ which: 0, pauseMs: 200, early: false }) !== true) continue;
    killed += 1;
    journal.note("chaos", `kills process ${victim + 1}`);
  }
  return killed;
}

/** An event as a subscriber got it. */
interface SeenEvent {
  readonly id: number;
  /** The result of A2A, as JSON. */
  readonly result: string;
}

/** What a subscriber saw of one task. */
export interface Subscription {
  readonly taskId: string;
  /** The first is the task as it was then. */
  readonly events: readonly SeenEvent[];
  /** How often its stream was cut, by itself or by a dead process. */
  readonly cuts: number;
}

interface SubscribeOptions {
  readonly taskId: string;
  /** Returns the URL of an agent on any live process. */
  readonly url: () => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly random: Random;
  /** The subscriber cuts its stream this often, after a few events each. */
  readonly cuts: number;
  readonly isOver: () => boolean;
}

/** Follows a task to its end over streams that are cut again and again, on any process. Each stream goes on after the last event. */
async function subscribe(options: SubscribeOptions): Promise<Subscription> {
  const { taskId, random, isOver } = options;
  const events: SeenEvent[] = [];
  let cuts = 0;
  while (!isOver() && !hasEnded(events.at(-1))) {
    const most = cuts < options.cuts ? 1 + random.int(4) : Infinity;
    let taken = 0;
    try {
      for await (const event of readStream(options, events.at(-1)?.id)) {
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

const hasEnded = (event: SeenEvent | undefined): boolean =>
  event !== undefined && /"TASK_STATE_(COMPLETED|FAILED|CANCELED)"/.test(event.result);

/** Yields the events of one stream. Throws when the process dies or refuses. */
async function* readStream({ taskId, url, headers }: SubscribeOptions, after?: number): AsyncGenerator<SeenEvent> {
  const over = new AbortController();
  const response = await fetch(url(), {
    method: "POST",
    headers: {
      ...headers,
      accept: "text/event-stream",
      ...(after !== undefined && { "last-event-id": String(after) }),
    },
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
        const { result, error } = JSON.parse(data) as { readonly result?: object; readonly error?: object };
        if (id === undefined || result === undefined) throw new Error(JSON.stringify(error ?? block));
        yield { id: Number(id), result: JSON.stringify(result) };
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
  readonly artifactId: string;
  readonly parts: readonly { readonly text?: string }[];
}

interface Update {
  readonly artifactUpdate?: { readonly artifact: Artifact; readonly append?: boolean };
  readonly task?: TaskEnd;
}

/** Returns what is wrong: a task that did not end rightly, and a subscriber who missed, doubled or reordered an event. */
function judgePrograms(ends: readonly TaskEnd[], seen: readonly Subscription[]): string[] {
  const complaints: string[] = [];
  const longest = new Map<string, Subscription>();
  for (const one of seen)
    if (one.events.length > (longest.get(one.taskId)?.events.length ?? 0)) longest.set(one.taskId, one);
  for (const [number, end] of ends.entries()) {
    if (end.status.state !== "TASK_STATE_COMPLETED") complaints.push(`task ${number} is ${end.status.state}`);
    else if (textIn(end.artifacts) !== textOf(number)) complaints.push(`task ${number} has another text`);
  }
  const came = seen.filter(({ events }) => events.length > 0);
  const late = seen.length - came.length;
  if (late > seen.length / 5) complaints.push(`${late} subscribers came too late`);
  for (const [index, subscription] of came.entries()) {
    const number = ends.findIndex(({ id }) => id === subscription.taskId);
    const wrong = whatIsWrong(subscription, longest.get(subscription.taskId), textOf(number));
    if (wrong !== undefined) complaints.push(`subscriber ${index} of task ${number} ${wrong}`);
  }
  return complaints;
}

function whatIsWrong({ events }: Subscription, longest: Subscription | undefined, text: string): string | undefined {
  const [{ id: firstId } = { id: 0 }, ...rest] = events;
  if (rest.some(({ id }, at) => id <= (events[at]?.id ?? 0))) return "saw an event twice or out of order";
  // Every event after its first one, and no other, as the one who saw most.
  const expected = longest?.events.slice(1).filter(({ id }) => id > firstId) ?? [];
  const list = (all: readonly { readonly id: number; readonly result: string }[]): string =>
    JSON.stringify(all.map(({ id, result }) => [id, result]));
  if (list(rest) !== list(expected)) {
    const at = expected.findIndex((event, index) => list([event]) !== list(rest.slice(index, index + 1)));
    const ids = [rest, expected].map((all) =>
      all
        .slice(Math.max(0, at - 1), at + 2)
        .map(({ id }) => id)
        .join(" "),
    );
    return `saw ${rest.length} events (${ids[0]}), another ${expected.length} (${ids[1]})`;
  }
  return shownText(events.map(({ result }) => JSON.parse(result) as Update)) === text ? undefined : "saw another text";
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

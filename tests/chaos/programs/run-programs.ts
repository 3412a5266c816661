import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "@crosszone/testkit";
import { createRandom } from "../../harness/random.ts";
import { openJournal, type Journal } from "../journal.ts";
import { recite } from "../stand-ins/with-recitals.ts";
import { type EngineName, startEngine } from "../system/engine.ts";
import { createFleet, type Fleet } from "../system/fleet.ts";
import { executionSettings } from "../system/start-system.ts";
import { judgePrograms, type TaskEnd } from "./judge-programs.ts";
import { subscribe, type Subscription } from "./subscribe.ts";

export interface ProgramsOptions {
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
      complaints: judgePrograms({ ends, seen, textOf }),
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
        fleet: createFleet("execution", { journal, env: settings }),
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

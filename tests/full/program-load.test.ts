// suite: load
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { WorkflowDefinition } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { tempFile } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import type { LoadOrder, LoadReport } from "../harness/load-program.ts";
import { adminToken } from "../harness/runs-api.ts";
import { writeAgentsFile, writeWorkflows } from "../harness/temp-file.ts";
import { type Memory, memoryOf, reportsMemory } from "../hostile/zones.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";
import { shareOf } from "../harness/random.ts";

/** `LOAD_SECONDS=600` for ten minutes by hand, `TEST_SEED` to repeat a run. */
const seconds = Number(process.env["LOAD_SECONDS"] ?? shareOf(60, 20));
const seed = Number(process.env["TEST_SEED"] ?? 1);
/** Of a container of execution in `deploy/kubernetes`, less what is not heap. */
const heapMb = 768;
const restMs = 30_000;

const decide = { people: ["U_BOSS"] };
const action = { tool: "pay", arguments: {} };
const ok = { id: "ok", type: "human", input: "approve", prompt: "Pay?", action, decide } as const;
const pay: WorkflowDefinition = { workflow_id: "pay", name: "Pay", version: "1", start_step: "ok", steps: { ok } };
const askers = "askers: [{token: load, agents: [builtin, big, pay], per_minute: 100000, open_tasks: 10000}]";

/** Starts the program that sends the load, and its agent. */
async function startLoad() {
  const child = fork(resolve(import.meta.dirname, "../harness/load-program.ts"), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const report = async (): Promise<LoadReport> => reported(child);
  const started = await report();
  const run = async (order: LoadOrder): Promise<Readonly<Record<string, number>>> => {
    child.send(order);
    const ended = await report();
    return "tally" in ended ? ended.tally : {};
  };
  return { agentUrl: "agentUrl" in started ? started.agentUrl : "", run };
}

const reported = async (child: ChildProcess): Promise<LoadReport> => {
  const [report] = (await once(child, "message")) as [LoadReport];
  return report;
};

/** Starts both zones and the local Slack, with execution in a heap of 768 MB, and a token that may ask three agents. */
async function startZones(agentUrl: string, database: string) {
  const zones = await startWithAgents({
    node: [`--max-old-space-size=${heapMb}`, ...reportsMemory],
    env: {
      ...(database.startsWith("postgres") && { DATABASE_URL: database }),
      ADMIN_TOKENS: adminToken,
      ASK_PORT: "0",
      ASK_FILE: tempFile("askers.yaml", askers),
      AGENTS_FILE: writeAgentsFile([{ name: "big", url: agentUrl, protocol: "jsonrpc-2.0" }]),
      AGENT_ORIGINS: agentUrl,
      WORKFLOWS_DIR: writeWorkflows(pay),
      LOG_LEVEL: "info",
    },
    verificationEnv: { MESSAGES_PER_MINUTE: "1000", THREAD_MESSAGES_PER_HOUR: "1000" },
  });
  const created = await fetch(`${zones.url}/api/v1/tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "load", scopes: ["ask"], expires_in: 86_400 }),
  });
  const { token } = (await created.json()) as { readonly token: string };
  const lineOf = (event: string) => zones.log.filter((line) => line["event"] === event);
  const memory = (): Promise<Memory> => memoryOf(zones.execution, zones.log);
  const state = { hasEnded: false };
  void zones.execution.ended.then(() => (state.hasEnded = true));
  return { ...zones, token, askUrl: String(lineOf("ask_listening")[0]?.["url"]), memory, state };
}

/** An act that is repeated, and the clock by which each repetition is timed. */
interface Repeated {
  readonly act: () => Promise<unknown>;
  readonly everyMs: number;
  readonly clock: () => number;
}

/** Repeats an act until the signal aborts, and adds how long each took to `times`. */
async function repeat({ act, everyMs, clock }: Repeated, times: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const began = clock();
    await act();
    times.push(clock() - began);
    await delay(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/** The value that this part of all values does not exceed. */
const upTo = (part: number, values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(part * values.length) - 1] ?? Infinity;

/** Returns the CPU time of a process's main thread, milliseconds. It stands still while a busy machine gives the thread no core. */
function mainThreadMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8");
  const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return 10 * (Number(user) + Number(system));
}

onBothEngines("one program's load", (newDatabase) => {
  test(
    "X1: one token ended the execution zone, and Slack's answers with it",
    { timeout: (seconds + 300) * 1_000 },
    async () => {
      const load = await startLoad();
      const { askUrl, token, url, ask, memory, state, log, execution } = await startZones(
        load.agentUrl,
        await newDatabase(),
      );
      const order = { askUrl, token, seed, atOnce: 100 };
      await load.run({ ...order, tasks: 2_000 });
      expect(await ask("builtin", "2+2")).toMatch(/\b4\b/);
      const before = await memory();

      const over = new AbortController();
      // A wait that takes no CPU time, such as for a lock, ends the test too.
      const probe = () => fetch(`${url}/healthz`, { signal: AbortSignal.timeout(10_000) });
      const isWell = async (): Promise<void> => expect((await probe()).status).toBe(200);
      const answers = async (): Promise<void> => expect(await ask("builtin", "3+4")).toMatch(/\b7\b/);
      const [health, questions]: [number[], number[]] = [[], []];
      const cpu = (): number => mainThreadMs(execution.pid);
      const probes = Promise.all([
        repeat({ act: isWell, everyMs: 50, clock: cpu }, health, over.signal),
        repeat({ act: answers, everyMs: 3_000, clock: () => health.length }, questions, over.signal),
      ]);
      const tally = await load.run({ ...order, seconds });
      over.abort();
      await probes;
      await delay(restMs);
      const after = await memory();

      const [p99, worst, slowest] = [upTo(0.99, health), upTo(1, health), upTo(1, questions)];
      expect(state.hasEnded).toBe(false);
      expect(log.filter(({ event }) => event === "listening")).toHaveLength(1);
      expect(tally["200"]).toBeGreaterThan(seconds);
      expect(after.heapUsed).toBeLessThanOrEqual(1.2 * before.heapUsed);
      // No request blocks the others for long.
      expect(worst).toBeLessThanOrEqual(1_000);
      expect(p99).toBeLessThanOrEqual(300);
      // On an idle machine, three seconds.
      expect(slowest).toBeLessThanOrEqual(60);
    },
  );
});

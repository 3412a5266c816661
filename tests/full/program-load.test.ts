// suite: load
// @module-tag judge
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { workflowOf } from "../harness/runs-api.ts";
import type { LoadOrder, LoadReport } from "../harness/load-program.ts";
import { share } from "../harness/random.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";
import { openDoors } from "../hostile/doors/open-doors.ts";
import { memoryOf, reportsMemory } from "../hostile/zones.ts";

/** `LOAD_SECONDS=600` for ten minutes by hand, `TEST_SEED` to repeat a run. */
const seconds = Number(process.env["LOAD_SECONDS"] ?? 60);
const rounds = 3;
const seed = Number(process.env["TEST_SEED"] ?? 1);
/** Of a container of a zone in `deploy/kubernetes`, less what is not heap. */
const heapMb = 768;
const restMs = 30_000;

const decide = { people: ["U_BOSS"] };
const action = { tool: "pay", arguments: {} };
const ok = { id: "ok", type: "human", input: "approve", prompt: "Pay?", action, decide } as const;
const pay = workflowOf("pay", [ok]);

/** A workflow that starts itself twenty times. */
const branches = Array.from({ length: 20 }, (_, n) => `s${n}`);
const again = branches.map((id) => ({ id, type: "workflow", workflow: "rec20", input_mapping: {} }) as const);
const rec20 = workflowOf("rec20", [{ id: "all", type: "parallel", parallel_steps: branches }, ...again]);

/** Starts the program that sends the load, and its agent. */
async function startLoad() {
  const child = fork(resolve(import.meta.dirname, "../harness/load-program.ts"), {
    execArgv: ["--conditions=@crosszone/source", "--disable-warning=ExperimentalWarning"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const { agentUrl = "" } = (await reported(child)) as { readonly agentUrl?: string };
  const run = async (order: LoadOrder): Promise<Readonly<Record<string, number>>> => {
    child.send(order);
    const ended = await reported(child);
    return "tally" in ended ? ended.tally : {};
  };
  return { agentUrl, run, pid: Number(child.pid) };
}

const reported = async (child: ChildProcess): Promise<LoadReport> => {
  const [report] = (await once(child, "message")) as [LoadReport];
  return report;
};

/** Gives processes a core of their own, if there are several. */
function pin(core: number, ...pids: readonly number[]): void {
  if (availableParallelism() < 2) return;
  for (const pid of pids) execFileSync("taskset", ["-apc", String(core), String(pid)], { stdio: "ignore" });
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
const mainThreadMs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ", 1)[0]) / 1e6;

onBothEngines("everything at once", (newDatabase) => {
  // Two minutes of load: at night.
  test.skipIf(share < 1)(
    "X1: programs, senders of hooks, authors of workflows and strangers do at every door what they may, and the zones answer people",
    { timeout: (rounds * seconds + 400) * 1_000 },
    async () => {
      const load = await startLoad();
      const zone = await openDoors({
        databases: [await newDatabase(), await newDatabase()],
        workflows: [pay, rec20],
        tokens: 8,
        node: [`--max-old-space-size=${heapMb}`, ...reportsMemory],
        env: {
          EXECUTION_FILE: writeAgentsFile([{ name: "big", url: load.agentUrl, protocol: "jsonrpc-2.0" }]),
          AGENT_ORIGINS: load.agentUrl,
        },
      });
      const { zones, log, pids, processes } = zone;
      pin(0, pids.execution, pids.verification);
      pin(1, load.pid, process.pid);
      let ended = 0;
      for (const one of processes) void one.ended.then(() => (ended += 1));
      const memory = async () => {
        const used: number[] = [];
        for (const one of processes) used.push((await memoryOf(one, log)).heapUsed / 1e6);
        return used;
      };
      // What the first use of each door leaves, such as its compiled schemas, stays once.
      await load.run({ zones, seed, tasks: 2_000 });
      await load.run({ zones, seed, seconds: 10 });
      expect(await zone.ask("builtin", "2+2")).toMatch(/\b4\b/);
      const before = await memory();

      // A wait that takes no CPU time, such as for a lock, ends the test too.
      const probe = (url: string) => async (): Promise<void> =>
        expect((await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(10_000) })).status).toBe(200);
      const answers = async (): Promise<void> => expect(await zone.ask("builtin", "3+4")).toMatch(/\b7\b/);
      for (let round = 0; round < rounds; round += 1) {
        const over = new AbortController();
        const times = { execution: [], verification: [], seen: [], questions: [] } as Record<
          "execution" | "verification" | "seen" | "questions",
          number[]
        >;
        const cpu = (pid: number) => (): number => mainThreadMs(pid);
        const everyMs = 50;
        const clock = (): number => performance.now();
        const { signal } = over;
        const [health, sight] = [probe(zones.url), probe(zones.verificationUrl)];
        const probes = Promise.all([
          repeat({ act: health, everyMs, clock: cpu(pids.execution) }, times.execution, signal),
          repeat({ act: sight, everyMs, clock: cpu(pids.verification) }, times.verification, signal),
          repeat({ act: health, everyMs, clock }, times.seen, signal),
          repeat({ act: answers, everyMs: 3_000, clock: () => times.execution.length }, times.questions, signal),
        ]);
        const tally = await load.run({ zones, seed: seed + round, seconds });
        over.abort();
        await probes;
        const figures = Object.entries(times).map(([name, all]) => [
          name,
          upTo(0.5, all),
          upTo(0.99, all),
          upTo(1, all),
        ]);
        console.log({ round, tally, "name, p50, p99, worst": figures });
        expect(ended).toBe(0);
        expect(Object.values(tally).reduce((sum, one) => sum + one, 0)).toBeGreaterThan(5 * seconds);
        for (const one of [times.execution, times.verification]) {
          // No request blocks the others for long.
          expect(upTo(1, one)).toBeLessThanOrEqual(1_000);
          expect(upTo(0.99, one)).toBeLessThanOrEqual(300);
        }
        // On an idle machine, three seconds.
        expect(upTo(1, times.questions)).toBeLessThanOrEqual(60);
      }
      await delay(restMs);
      const after = await memory();
      console.log({ before, after });
      expect(after.every((used, at) => used <= 1.2 * (before[at] ?? 0))).toBe(true);
    },
  );
});

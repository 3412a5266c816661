import { setTimeout as delay } from "node:timers/promises";
import { createAlarm } from "@crosszone/bus";
import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import type { AgentFailure } from "../agent-failure.ts";
import { chooseWay, type ChosenWay } from "../canary/chosen-way.ts";
import type { HeldCall, NewCall, TakenCall } from "../calls/agent-call.ts";
import type { CallStore } from "../calls/call-store.ts";
import { callId } from "../calls/store/call-row.ts";
import type { AgentRegistry } from "../registry/agent-registry.ts";
import type { AgentSlots } from "../slots/agent-slots.ts";
import { CallReleased } from "./call-released.ts";
import { startCallRun, type CallRun, type CallRunDeps } from "./call-run.ts";
import { keepLeases } from "./keep-leases.ts";
import { takeCalls, type Leftover } from "./take-calls.ts";
import { createTurns } from "./turns.ts";

export interface WorkersDeps extends Omit<CallRunDeps, "store"> {
  readonly store: CallStore;
  readonly registry: Pick<AgentRegistry, "find">;
  readonly slots: Pick<AgentSlots, "take" | "free">;
}

/** How to store an arriving call. Call either `stored` or `notStored` afterwards. */
export interface Entry {
  /** True: store it as leased to this process; it starts at once. False: it waits for its turn. */
  readonly isHeld: boolean;
  /** Returns how a held call is sent; undefined for one that waits. */
  readonly wayOf: (task: AgentTask) => ChosenWay | undefined;
  readonly stored: (call: NewCall) => Promise<void>;
  /** The call existed, or the store didn't answer: its reserved room is free again. */
  readonly notStored: () => void;
}

export interface Workers {
  readonly start: () => void;
  /** Announces an arriving call. It gets a slot if its agent has one free and no older call could use it. */
  readonly enter: (agent: string) => Promise<Entry>;
  /** Stops the work on a canceled call, if it runs here. */
  readonly cancel: (id: string, reason: AgentFailure) => void;
  readonly running: () => number;
  /** Takes no more calls, lets running calls end within `graceMs` milliseconds, and releases the others. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** How often to look for calls from other processes or left by crashed ones, milliseconds. */
const idleMs = 500;

/** By its slots, the room in the process. */
const anyAgent = { name: "", max_concurrency: Infinity };

/** How often to look for calls canceled elsewhere, milliseconds; callers are promised half a second. */
const leaseLookMs = 400;

/** Creates the workers. They run stored calls up to the process's capacity, with agents in turn. */
export function createWorkers(deps: WorkersDeps): Workers {
  const { store, registry, slots, observer } = deps;
  const runs = new Map<string, CallRun>();
  const alarm = createAlarm();
  const turns = createTurns();
  const keeping = new AbortController();
  let ownAt = -Infinity;
  let left: Leftover = "nothing";
  const stopping = new AbortController();
  let loops: readonly Promise<void>[] = [];

  function run(taken: TakenCall, agent: AgentRecord | undefined, release: () => void): void {
    if (stopping.signal.aborted || runs.has(taken.id)) {
      release();
      return void handBack([taken]);
    }
    const started = startCallRun(deps, taken, agent);
    runs.set(taken.id, started);
    void started.ended.finally(() => {
      runs.delete(taken.id);
      giveBack(release);
    });
  }

  /** Looks for calls that wait for the freed room. */
  function giveBack(release: () => void): void {
    release();
    if (left === "full") alarm.wake();
  }

  async function enter(name: string): Promise<Entry> {
    const agent = await registry.find(name);
    const isNext = agent?.enabled && !stopping.signal.aborted && turns.isNext(name);
    const release = isNext ? slots.take(agent) : undefined;
    return release === undefined ? queued(name) : begun(agent, release);
  }

  function queued(name: string): Entry {
    const end = turns.queue(name);
    return {
      isHeld: false,
      wayOf: () => undefined,
      stored: async () => {
        end();
        alarm.wake();
      },
      notStored: end,
    };
  }

  function begun(agent: AgentRecord | undefined, release: () => void): Entry {
    return {
      isHeld: true,
      wayOf: (task) => agent && chooseWay(agent, task),
      stored: async ({ task, headers, deadlineMs, way }) => {
        const id = callId(task);
        const fresh = { remoteId: undefined, way, isReadable: true, remainingMs: deadlineMs, waitedMs: 0 };
        if (!stopping.signal.aborted) return run({ id, attempt: 1, task, headers, ...fresh }, agent, release);
        release();
        await handBack([{ id, attempt: 1 }]);
      },
      // If it was stored and only the answer was lost, its lease expires and it is taken then. Releasing it now could
      // hit a take in progress.
      notStored: () => giveBack(release),
    };
  }

  async function handBack(held: readonly HeldCall[]): Promise<void> {
    if (held.length === 0) return;
    await store.handBack(held).catch((cause: unknown) => observer.storeFailed("renew", cause));
  }

  /**
   * Looks for calls left behind by this process only every third of a lease: a list of all running calls makes a take
   * slow.
   */
  function own(): readonly string[] | undefined {
    if (performance.now() - ownAt < store.leaseMs / 3) return undefined;
    ownAt = performance.now();
    return [...runs.keys()];
  }

  async function takeAgainAndAgain(): Promise<void> {
    const take = takeCalls({
      ...deps,
      turns,
      roomLeft: () => (stopping.signal.aborted ? 0 : slots.free(anyAgent)),
      running: own,
      run,
    });
    while (!stopping.signal.aborted) {
      left = await take();
      // Varies the pause, so that processes that started together drift apart.
      if (left !== "more") await alarm.sleep(idleMs * (0.75 + Math.random() / 2));
    }
  }

  async function keepAgainAndAgain(): Promise<void> {
    const keep = keepLeases({ store, observer, runs: () => [...runs.values()] });
    const everyMs = Math.min(leaseLookMs, store.leaseMs / 3);
    const { signal } = keeping;
    while (!signal.aborted) {
      await keep();
      await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  const allEnded = (): Promise<unknown> => Promise.all([...runs.values()].map(({ ended }) => ended));

  return {
    start: () => {
      loops = [takeAgainAndAgain(), keepAgainAndAgain()];
    },
    enter,
    cancel: (id, reason) => {
      const found = runs.get(id);
      if (found === undefined || found.isEnding) return;
      found.drop(reason);
      found.tellLetGo("canceled");
    },
    running: () => runs.size,
    stop: async (graceMs) => {
      stopping.abort();
      alarm.wake();
      await loops[0];
      await Promise.race([allEnded(), delay(graceMs, undefined, { ref: false })]);
      const open = [...runs.values()];
      const again = open.filter(({ isEnding }) => !isEnding);
      for (const one of again) {
        one.drop(new CallReleased("this process is stopping"));
        one.tellLetGo("stopping");
      }
      for (const one of open) one.abandon();
      await handBack(again);
      await allEnded();
      keeping.abort();
      await loops[1];
    },
  };
}

import { setTimeout as delay } from "node:timers/promises";
import { createAlarm } from "@crosszone/bus";
import type { AgentRecord } from "@crosszone/contracts";
import type { AgentFailure } from "../agent-failure.ts";
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

/** How a call that comes is to be stored, and what follows. One of `stored` and `notStored` is to be called. */
export interface Entry {
  /** It is stored as one that this process has, and begun at once; else it waits for its turn. */
  readonly isHeld: boolean;
  readonly stored: (call: NewCall) => Promise<void>;
  /** It was there already, or the store did not answer: what room was kept for it is free. */
  readonly notStored: () => void;
}

export interface Workers {
  readonly start: () => void;
  /** A call comes: it gets a slot if its agent has one and no older call could have it. */
  readonly enter: (agent: string) => Promise<Entry>;
  /** Ends the work on a call, if it is done here: the task is over. */
  readonly cancel: (id: string, reason: AgentFailure) => void;
  readonly running: () => number;
  /** Takes no more calls, lets the running ones end for `graceMs`, then hands them back for others. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** How often calls are looked for that came to another process, or were left by one that died; milliseconds. */
const idleMs = 500;

/** By its slots, how much room the process has. */
const anyAgent = { name: "", max_concurrency: Infinity };

/** How often it is looked whether a call was canceled elsewhere; a caller is promised half a second. */
const leaseLookMs = 400;

/** Runs the calls of the store, as many as there is room for, each agent in its turn. */
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

  /** Who waits for room is looked for. */
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
      stored: async ({ task, headers, deadlineMs }) => {
        const id = callId(task);
        const fresh = { remoteId: undefined, isReadable: true, remainingMs: deadlineMs, waitedMs: 0 };
        if (!stopping.signal.aborted) return run({ id, attempt: 1, task, headers, ...fresh }, agent, release);
        release();
        await handBack([{ id, attempt: 1 }]);
      },
      // If it was stored, and only the answer to that was lost, it is taken when its lease has run out. To hand it back now could hit
      // one that is being taken here.
      notStored: () => giveBack(release),
    };
  }

  async function handBack(held: readonly HeldCall[]): Promise<void> {
    if (held.length === 0) return;
    await store.handBack(held).catch((cause: unknown) => observer.storeFailed("renew", cause));
  }

  /** Every third of a lease it is looked whether a call of this process's was left behind; a list of all that run makes a take slow. */
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
      // A little different each time, so that processes which began together do not stay together.
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
        one.drop(new CallReleased("this process stops"));
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

import type { AgentRecord } from "@crosszone/contracts";

type Bounded = Pick<AgentRecord, "name" | "max_concurrency">;

/** Limits the concurrent tasks of each agent in this process, so that a slow agent doesn't block others. */
export interface AgentSlots {
  /** Takes a slot. Returns a function that frees it (further calls do nothing), or undefined when none is free. */
  readonly take: (agent: Bounded) => (() => void) | undefined;
  /** Returns the free slots for this agent, within the limit of the process. */
  readonly free: (agent: Bounded) => number;
  /** Returns the taken slots of all agents. */
  readonly taken: () => number;
  /** Returns the taken slots by agent name, without agents that have none. */
  readonly readings: () => ReadonlyMap<string, number>;
}

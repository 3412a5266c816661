import type { AgentRecord } from "@crosszone/contracts";

type Bounded = Pick<AgentRecord, "name" | "max_concurrency">;

/** How many tasks each agent does at the same time for this process, so that a slow one takes no other's place. */
export interface AgentSlots {
  /** Takes a slot. Gives the function that gives it back (a second call of it does nothing), or nothing when none is free. */
  readonly take: (agent: Bounded) => (() => void) | undefined;
  /** How many slots are free for this agent, also by the bound of the process. */
  readonly free: (agent: Bounded) => number;
  /** Slots that are taken, of all agents. */
  readonly taken: () => number;
  /** Slots that are taken, by the names of their agents; agents without any are not in it. */
  readonly readings: () => ReadonlyMap<string, number>;
}

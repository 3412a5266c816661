interface Bounded {
  readonly name: string;
  readonly max_concurrency: number;
}

/** Limits the concurrent tasks of each agent in this process, so that a slow agent doesn't block others. */
export class AgentSlots {
  readonly #most: number;
  readonly #byAgent = new Map<string, number>();
  #taken = 0;

  /** `most` is the limit of concurrent tasks of all agents in this process. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a slot. Returns a function that frees it (further calls do nothing), or undefined when none is free. */
  take(agent: Bounded): (() => void) | undefined {
    if (this.free(agent) === 0) return undefined;
    const { name } = agent;
    this.#add(name, 1);
    let isFreed = false;
    return () => {
      if (isFreed) return;
      isFreed = true;
      this.#add(name, -1);
    };
  }

  /** Returns the free slots for this agent, within the limit of the process. */
  free({ name, max_concurrency }: Bounded): number {
    return Math.max(0, Math.min(this.#most - this.#taken, max_concurrency - (this.#byAgent.get(name) ?? 0)));
  }

  /** Returns the taken slots by agent name, without agents that have none. */
  readings(): ReadonlyMap<string, number> {
    return new Map(this.#byAgent);
  }

  #add(name: string, change: 1 | -1): void {
    this.#taken += change;
    const left = (this.#byAgent.get(name) ?? 0) + change;
    if (left === 0) this.#byAgent.delete(name);
    else this.#byAgent.set(name, left);
  }
}

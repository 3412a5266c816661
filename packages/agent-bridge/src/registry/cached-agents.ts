import type { AgentRecord } from "@crosszone/contracts";
import { outageOf } from "@crosszone/sql";
import { isReadableAgent, type UnreadableAgent } from "./agent-table.ts";

/** The registered agents, by name. Answers from memory; all processes see a change within seconds. */
export interface AgentRegistry {
  /** Returns the agent of this name, even if disabled. */
  readonly find: (name: string) => Promise<AgentRecord | undefined>;
  /** Returns all enabled agents, sorted by name. */
  readonly listEnabled: () => Promise<readonly AgentRecord[]>;
}

export type CachedAgentRegistry = ReturnType<typeof createAgentRegistry>;

interface Snapshot {
  readonly byName: ReadonlyMap<string, AgentRecord>;
  readonly enabled: readonly AgentRecord[];
  readonly readAt: number;
}

/**
 * Creates a registry that caches the agents. The first request after `maxAgeMs` reads all agents in one statement, so a
 * change by another process, or by hand, is visible after that time. Without requests nothing is read. While the
 * database is unreachable, the last version stays valid.
 */
export function createAgentRegistry(options: {
  readonly store: { readonly all: () => Promise<readonly (AgentRecord | UnreadableAgent)[]> };
  /** How long the cache is valid, milliseconds (default 2,000). */
  readonly maxAgeMs?: number;
  /** Called once for each invalid row, until it is fixed or deleted. */
  readonly onUnreadable?: (agent: UnreadableAgent) => void;
  /** Monotonic milliseconds; the process's own clock when absent. */
  readonly now?: () => number;
}) {
  const { store, maxAgeMs = 2_000, onUnreadable, now = () => performance.now() } = options;
  let snapshot: Snapshot | undefined;
  let reading: Promise<Snapshot> | undefined;
  let changes = 0;
  let reported: ReadonlySet<string> = new Set();

  function reportUnreadable(unreadable: readonly UnreadableAgent[]): void {
    const keys = unreadable.map(({ name, reason }) => `${name}\n${reason}`);
    for (const [index, key] of keys.entries())
      if (!reported.has(key)) onUnreadable?.(unreadable[index] as UnreadableAgent);
    reported = new Set(keys);
  }

  async function read(): Promise<Snapshot> {
    const changesBefore = changes;
    const readAt = now();
    const all = await store.all();
    reportUnreadable(all.filter((agent): agent is UnreadableAgent => !isReadableAgent(agent)));
    const agents = all.filter(isReadableAgent);
    const next = {
      byName: new Map(agents.map((agent) => [agent.name, agent])),
      enabled: agents.filter(({ enabled }) => enabled),
      readAt,
    };
    // The snapshot may miss a change that was made while it was read.
    if (changesBefore === changes) snapshot = next;
    return next;
  }

  async function current(): Promise<Snapshot> {
    if (snapshot !== undefined && now() - snapshot.readAt < maxAgeMs) return snapshot;
    const old = snapshot;
    try {
      return await (reading ??= read().finally(() => {
        reading = undefined;
      }));
    } catch (error) {
      if (old !== undefined && outageOf(error)) return old;
      throw error;
    }
  }

  return {
    find: async (name: string) => (await current()).byName.get(name),
    listEnabled: async () => (await current()).enabled,
    /** Makes the next request read the store: call it after each change by this process. */
    invalidate: (): void => {
      changes += 1;
      snapshot = undefined;
      reading = undefined;
    },
  };
}

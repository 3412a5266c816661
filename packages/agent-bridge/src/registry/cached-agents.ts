import type { AgentRecord } from "@crosszone/contracts";
import { isTransient } from "@crosszone/sql";
import type { AgentRegistry } from "./agent-registry.ts";
import { isReadable, type UnreadableAgent } from "./agent-row.ts";
import type { AgentStore } from "./agent-store.ts";

/** Where agents come from, and how old what is known of them may be; milliseconds. */
export interface AgentRegistryOptions {
  readonly store: Pick<AgentStore, "all">;
  /** After so long, what is in memory is read again by who asks next; milliseconds (default 2,000). */
  readonly maxAgeMs?: number;
  /** Told once of each row that is no agent, until it is mended or gone. */
  readonly onUnreadable?: (agent: UnreadableAgent) => void;
  /** Monotonic milliseconds; the process's own when absent. */
  readonly now?: () => number;
}

/** The agents as this process knows them. */
export interface CachedAgentRegistry extends AgentRegistry {
  /** Has the next question read the store: call it after each change that this process makes. */
  readonly invalidate: () => void;
}

interface Snapshot {
  readonly byName: ReadonlyMap<string, AgentRecord>;
  readonly enabled: readonly AgentRecord[];
  readonly readAt: number;
}

/**
 * The agents in memory. Whoever asks first after `maxAgeMs` has them read, all by one statement, so that a change of another process, or by
 * hand, is seen after that time; without questions nothing is read. While the database cannot be reached, what was read last goes on.
 */
export function createAgentRegistry(options: AgentRegistryOptions): CachedAgentRegistry {
  const { store, maxAgeMs = 2_000, onUnreadable, now = () => performance.now() } = options;
  let snapshot: Snapshot | undefined;
  let reading: Promise<Snapshot> | undefined;
  let changes = 0;
  let told: ReadonlySet<string> = new Set();

  function tell(unreadable: readonly UnreadableAgent[]): void {
    const keys = unreadable.map(({ name, reason }) => `${name}\n${reason}`);
    for (const [index, key] of keys.entries()) if (!told.has(key)) onUnreadable?.(unreadable[index] as UnreadableAgent);
    told = new Set(keys);
  }

  async function read(): Promise<Snapshot> {
    const seen = changes;
    const readAt = now();
    const all = await store.all();
    tell(all.filter((agent): agent is UnreadableAgent => !isReadable(agent)));
    const agents = all.filter(isReadable);
    const next = {
      byName: new Map(agents.map((agent) => [agent.name, agent])),
      enabled: agents.filter(({ enabled }) => enabled),
      readAt,
    };
    // What changed while it was read may not be in it.
    if (seen === changes) snapshot = next;
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
      if (old !== undefined && isTransient(error)) return old;
      throw error;
    }
  }

  return {
    find: async (name) => (await current()).byName.get(name),
    listEnabled: async () => (await current()).enabled,
    invalidate: () => {
      changes += 1;
      snapshot = undefined;
      reading = undefined;
    },
  };
}

import { agentCallKind, agentOfShare, type ExecutionColumn, shareOfAgent } from "@crosszone/agent-calls";
import type { AgentRecord } from "@crosszone/contracts";
import type { JobKind } from "@crosszone/jobs";
import type { AgentRegistry } from "../registry/cached-agents.ts";
import { type CallRunDeps, lostCall, runCall } from "./call-run.ts";
import { type LeasedCall, leasedCallOf } from "./leased-call.ts";

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

export interface AgentCallKindDeps extends CallRunDeps {
  readonly registry: AgentRegistry;
  readonly slots: AgentSlots;
}

/** How calls to registered agents run in this process. */
export interface AgentCallKind extends JobKind<ExecutionColumn, LeasedCall> {
  readonly prepare: (shares: readonly string[]) => Promise<void>;
}

/** Its free slots are those of the process. */
const anyAgent = { name: "", max_concurrency: Infinity };

export function createAgentCallKind(deps: AgentCallKindDeps): AgentCallKind {
  const { registry, slots, codec } = deps;
  /** Registered agents, by the share of their calls. */
  const agents = new Map<string, AgentRecord>();

  /** An unknown or disabled agent needs no slot: its calls fail at once. */
  const bounded = (share: string): AgentRecord | undefined => {
    const agent = agents.get(share);
    return agent?.enabled === true ? agent : undefined;
  };

  return {
    kind: agentCallKind,
    room: () => slots.free(anyAgent),
    prepare: async (shares) => {
      for (const share of shares) {
        const agent = await registry.find(agentOfShare(share));
        if (agent === undefined) agents.delete(share);
        else agents.set(share, agent);
      }
    },
    free: (share) => {
      const agent = bounded(share);
      return agent === undefined ? Infinity : slots.free(agent);
    },
    reserve: (share) => {
      const agent = bounded(share);
      return agent === undefined ? () => undefined : slots.take(agent);
    },
    read: (row) => leasedCallOf(row, codec),
    run: (call, { signal, note }) => {
      const agent = agents.get(shareOfAgent(call.task.agent_name));
      return runCall(deps, call, { agent, signal, note });
    },
    lost: (call, why) => lostCall(deps, call, why),
  };
}

import { agentCallKind, agentOfShare, type ExecutionColumn, shareOfAgent } from "@crosszone/agent-calls";
import type { AgentRecord } from "@crosszone/contracts";
import type { JobKind } from "@crosszone/jobs";
import type { AgentRegistry } from "../registry/cached-agents.ts";
import type { AgentSlots } from "../limits/agent-slots.ts";
import { type CallRunDeps, lostCall, runCall } from "./call-run.ts";
import { type LeasedCall, leasedCallOf } from "./leased-call.ts";

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

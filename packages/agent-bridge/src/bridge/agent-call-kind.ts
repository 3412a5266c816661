import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import {
  agentCallKind,
  agentOfShare,
  type ExecutionColumn,
  type JobKind,
  type JobRun,
  type JobStore,
  type LeasedJob,
  shareOfAgent,
} from "@crosszone/jobs";
import { recordOf, type LeasedCall, leasedCallOf } from "./leased-call.ts";
import { chooseWay, type ChosenWay, trialId, wayColumns } from "../canary/chosen-way.ts";
import type { AgentRegistry } from "../registry/cached-agents.ts";
import { wayOf } from "../registry/agent-settings.ts";
import type { AgentSlots } from "../limits/agent-slots.ts";
import { type CallRunDeps, startCallRun } from "./call-run.ts";

export interface AgentCallKindDeps extends Omit<CallRunDeps, "store"> {
  readonly store: Pick<JobStore<ExecutionColumn>, "set" | "lost" | "release">;
  readonly registry: Pick<AgentRegistry, "find">;
  readonly slots: Pick<AgentSlots, "take" | "free">;
}

/** How calls to registered agents run in this process. */
export interface AgentCallKind extends JobKind<ExecutionColumn> {
  readonly prepare: (shares: readonly string[]) => Promise<void>;
  /** Chooses how to send an arriving call; undefined when its agent is unknown. Call `prepare` before. */
  readonly wayOf: (task: AgentTask) => ChosenWay | undefined;
  /** Runs a call that is already leased to this process. */
  readonly begin: (call: LeasedCall) => JobRun;
}

/** Its free slots are those of the process. */
const anyAgent = { name: "", max_concurrency: Infinity };

export function createAgentCallKind(deps: AgentCallKindDeps): AgentCallKind {
  const { store, registry, slots, codec } = deps;
  /** Registered agents, by the share of their calls. */
  const agents = new Map<string, AgentRecord>();

  /** An unknown or disabled agent needs no slot: its calls fail at once. */
  const bounded = (share: string): AgentRecord | undefined => {
    const agent = agents.get(share);
    return agent?.enabled === true ? agent : undefined;
  };

  /** Chooses how a taken call is sent, if that was not chosen before. */
  function withWay(job: LeasedJob<ExecutionColumn>): LeasedJob<ExecutionColumn> {
    const agent = agents.get(job.share);
    if (job.way !== null || agent === undefined) return job;
    return { ...job, ...wayColumns(chooseWay(agent, recordOf(job).task)) };
  }

  const begin: AgentCallKind["begin"] = (call) =>
    startCallRun(deps, call, agents.get(shareOfAgent(call.task.agent_name)));

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
    // Another process continues a call the way it started. Without a canary, all calls of an agent go the same way.
    preset: (share) => {
      const agent = agents.get(share);
      return { way: agent === undefined || trialId(agent) !== undefined ? null : wayColumns(wayOf(agent)).way };
    },
    taken: async (jobs) => {
      const chosen = jobs.map(withWay);
      const changed = chosen.filter((job, index) => job !== jobs[index]);
      await Promise.all(changed.map((job) => store.set(job, { way: job.way, trial: job.trial })));
      return chosen;
    },
    run: (job) => begin(leasedCallOf(job, codec)),
    wayOf: (task) => {
      const agent = agents.get(shareOfAgent(task.agent_name));
      return agent && chooseWay(agent, task);
    },
    begin,
  };
}

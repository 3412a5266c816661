import { randomUUID } from "node:crypto";
import type { AgentErrorKind, AgentRecord } from "@crosszone/contracts";
import { jobStates, type CallOutcome, type ExecutionJobTables } from "@crosszone/jobs";
import type { Database } from "@crosszone/sql";
import type { BridgeObserver } from "../observer/bridge-observer.ts";
import type { AgentRegistry } from "../registry/cached-agents.ts";
import { settingsOf } from "../registry/agent-settings.ts";
import type { AgentStore } from "../registry/agent-store.ts";
import { trialColumn, trialId, type Trial } from "./chosen-way.ts";
import { judgeCanary, resultOf, type CanaryTasks, type EndedTask } from "./judge-canary.ts";

export interface CanaryJudgeDeps {
  readonly database: Pick<Database<ExecutionJobTables>, "db">;
  readonly registry: Pick<AgentRegistry, "find">;
  readonly canaries: EndCanaries;
  readonly observer: Pick<BridgeObserver, "canaryTaskEnded" | "canaryEnded" | "storeFailed">;
}

/** What ending a canary needs of the registry. */
export interface EndCanaries {
  readonly store: Pick<AgentStore, "update">;
  /** Makes this process read the agents again. */
  readonly invalidate: () => void;
}

export interface CanaryJudge {
  /** Counts an ended task, and soon judges its canary. */
  readonly ended: (agent: string, trial: Trial, end: Pick<EndedTask, "state" | "kind">) => void;
  /** Stops judging. */
  readonly stop: () => Promise<void>;
}

/** Tasks that end within this time are judged together, milliseconds. */
const togetherMs = 250;
/** Only the latest tasks of each side count. */
const mostTasks = 500;

/**
 * Ends canaries that do worse than their limits allow. Every process judges the canaries of its own tasks by the tasks of all processes, and
 * the first change of a revision wins.
 */
export function createCanaryJudge({ database, registry, canaries, observer }: CanaryJudgeDeps): CanaryJudge {
  const { db } = database;
  const timers = new Map<string, NodeJS.Timeout>();
  const judging = new Set<Promise<void>>();

  async function latest(trial: Trial): Promise<EndedTask[]> {
    const rows = await db
      .selectFrom("job")
      .select(["outcome", "error_kind", "took_ms"])
      .where("trial", "=", trialColumn(trial))
      .where("state", "=", jobStates.ended)
      .orderBy("ended_at", "desc")
      .limit(mostTasks)
      .execute();
    return rows.map(({ outcome, error_kind, took_ms: tookMs }) => {
      return { state: outcome as CallOutcome, kind: error_kind as AgentErrorKind | null, tookMs };
    });
  }

  async function tasksOf(id: string): Promise<CanaryTasks> {
    const [canary, stable] = await Promise.all([latest({ id, isCanary: true }), latest({ id, isCanary: false })]);
    return { canary, stable };
  }

  async function judge(name: string): Promise<void> {
    const agent = await registry.find(name);
    const id = agent === undefined ? undefined : trialId(agent);
    if (agent?.canary === undefined || id === undefined) return;
    const reason = judgeCanary(agent.canary, await tasksOf(id));
    if (reason !== undefined) await endCanary(agent, reason);
  }

  async function endCanary(agent: AgentRecord, reason: string): Promise<void> {
    const { canary: _canary, ...settings } = settingsOf(agent);
    const update = { settings, source: agent.source, action: "canary_ended", reason } as const;
    const ended = await canaries.store.update(agent, update, { actor: "bridge", correlationId: randomUUID() });
    canaries.invalidate();
    // Another process ended it, or it was changed: then it is judged again with the next task.
    if (ended !== undefined) observer.canaryEnded({ agent: agent.name, revision: ended.revision, reason });
  }

  function judgeSoon(name: string): void {
    if (timers.has(name)) return;
    const run = (): void => {
      timers.delete(name);
      const judged = judge(name).catch((cause: unknown) => observer.storeFailed("canary", cause));
      judging.add(judged);
      void judged.finally(() => judging.delete(judged));
    };
    timers.set(name, setTimeout(run, togetherMs).unref());
  }

  return {
    ended: (agent, trial, end) => {
      const way = trial.isCanary ? "canary" : "stable";
      observer.canaryTaskEnded({ agent_name: agent, way, result: resultOf(end) });
      judgeSoon(agent);
    },
    stop: async () => {
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(judging);
    },
  };
}

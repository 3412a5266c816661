import type { AgentRecord, AgentResult } from "@crosszone/contracts";
import {
  type CallEnds,
  type CallHeaders,
  type ExecutionColumn,
  executionJobs,
  executionJobsStep,
  type ExecutionJobTables,
} from "@crosszone/agent-calls";
import { auditStep } from "@crosszone/audit";
import { type JobStore, openProcessJobs } from "@crosszone/jobs";
import { type Database, openDatabase } from "@crosszone/sql";
import { type BridgeDeps, type BridgeLimits, createBridge } from "../bridge/create-bridge.ts";
import type { AgentCaller } from "../calls/agent-caller.ts";
import { createAgentStore } from "../registry/agent-store.ts";
import { agentsStep, type AgentTables } from "../registry/agent-table.ts";
import { createAgentRegistry } from "../registry/cached-agents.ts";
import { AgentSlots } from "../limits/agent-slots.ts";
import { recordingEmit } from "./test-callers.ts";

type BridgeTables = ExecutionJobTables & AgentTables;

const bridgeMigrations = {
  "0001_agents": agentsStep,
  "0002_jobs": executionJobsStep,
  "0003_audit": auditStep,
};

/** Opens a database with only the tables of a bridge and its agents. */
export function openBridgeDatabase(url: string): Promise<Database<BridgeTables>> {
  return openDatabase<BridgeTables>({ url, schema: "bridge", migrations: bridgeMigrations });
}

export interface OpenBridgeOptions {
  /** The registered agents; those of the database when absent. */
  readonly agents?: readonly AgentRecord[];
  readonly caller: AgentCaller;
  readonly limits?: Partial<BridgeLimits>;
  readonly leaseMs?: number;
  readonly maxRunning?: number;
  readonly vault?: BridgeDeps["vault"];
}

/** A result that this process passed to the task or run that waits. */
export interface GivenResult {
  readonly value: AgentResult;
  readonly headers: CallHeaders;
  readonly parent: string | undefined;
}

export type OpenedBridge = Awaited<ReturnType<typeof openBridge>>;

/** Opens a bridge as a separate process would, without starting it: with its own database connection and lease. */
export async function openBridge(url: string, options: OpenBridgeOptions) {
  const { agents, caller, limits, leaseMs = 30_000, maxRunning = 100, vault } = options;
  const database = await openBridgeDatabase(url);
  const { emit, eventsOf } = recordingEmit();
  const jobs = openProcessJobs({ database, schema: executionJobs, leaseMs });
  const store = createAgentStore(database);
  const stored = createAgentRegistry({ store, maxAgeMs: 20 });
  const byName = new Map(agents?.map((agent) => [agent.name, agent]));
  const fixed = { find: async (name: string) => byName.get(name), listEnabled: async () => agents ?? [] };
  const registry = agents === undefined ? stored : fixed;
  const given: GivenResult[] = [];
  const bridge = createBridge({
    jobs,
    registry,
    caller,
    slots: new AgentSlots(maxRunning),
    emit,
    ends: plainEnds(jobs.store, given),
    vault,
    limits: { retentionMs: 60_000, mostAttempts: 3, ...limits },
  });
  await jobs.start();
  const close = async (): Promise<void> => {
    await bridge.stop(0);
    await jobs.stop();
    await database.close();
  };
  return {
    eventsOf,
    bridge,
    jobs: jobs.store,
    lease: jobs.lease,
    registry,
    database,
    /** The results that were passed on here, each once its end was stored. */
    given: given as readonly GivenResult[],
    close,
  };
}

/** Stores ends by themselves. */
function plainEnds(jobs: Pick<JobStore<ExecutionColumn>, "end">, given: GivenResult[]): CallEnds {
  return {
    end: async ({ headers, parent }, { result, ending }) => {
      const [isHeld = false] = await jobs.end([ending]);
      if (isHeld) given.push({ value: result, headers, parent });
      return isHeld;
    },
  };
}

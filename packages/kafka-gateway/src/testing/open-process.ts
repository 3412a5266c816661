import type { AgentResult, AgentTask } from "@crosszone/contracts";
import {
  agentCallJob,
  agentResultKind,
  type CallHeaders,
  callOutputContext,
  executionJobs,
  latestJobsStep,
  type ExecutionJobTables,
} from "@crosszone/agent-calls";
import { type LeaseId, openProcessJobs, storeArrival } from "@crosszone/jobs";
import { createRecordCodec, type RecordCodec } from "@crosszone/service-kit";
import { type Database, openDatabase } from "@crosszone/sql";
import { onTestFinished } from "vitest";
import type { KafkaBus } from "../bus/kafka-bus.ts";
import { deadLettersStep, type DeadLetterTables } from "../gateway/dead-letters.ts";
import { createGateway, type KafkaGateway } from "../gateway/create-gateway.ts";
import type { GatewayRoles } from "../gateway/consume-topics.ts";

/** Opens a database with the tables of jobs and dead letters only. */
export function openZoneDatabase(url: string): Promise<Database<ExecutionJobTables & DeadLetterTables>> {
  const migrations = { "0001_dead_letters": deadLettersStep, "0002_jobs": latestJobsStep };
  return openDatabase<ExecutionJobTables & DeadLetterTables>({
    url,
    schema: "zone",
    migrations,
    onIdleError: () => undefined,
  });
}

/** A process with a gateway, and a bridge whose calls a test ends. */
export type ZoneProcess = Awaited<ReturnType<typeof openProcess>>;

interface BegunCall {
  readonly task: AgentTask;
  readonly leaseId: LeaseId;
  readonly headers: CallHeaders;
  /** Ends the call with this output. Returns whether it was still leased. */
  readonly end: (output: unknown) => Promise<boolean>;
}

export interface ProcessOptions {
  readonly url: string;
  readonly bus: KafkaBus;
  readonly codec?: RecordCodec;
  /** Default: all. */
  readonly roles?: readonly ("bridge" | "rpc" | "workflow")[];
  /** Ends each call at once. */
  readonly answers?: boolean;
}

export async function openProcess(options: ProcessOptions) {
  const { url, bus, codec = createRecordCodec(undefined) } = options;
  const { roles = ["bridge", "rpc", "workflow"], answers = false } = options;
  const database = await openZoneDatabase(url);
  const jobs = openProcessJobs({ database, schema: executionJobs, leaseMs: 10_000 });
  const { store, lease } = jobs;
  const gateway = createGateway({ database, jobs, codec }, bus);
  const [begun, dropped, results]: [BegunCall[], string[], AgentResult[]] = [[], [], []];

  const bridge = createTestBridge(gateway, { codec, answers }, { begun, dropped });
  await jobs.start();
  await gateway.start({
    ...(roles.includes("bridge") && { bridge }),
    ...(roles.includes("rpc") && { onTaskResult: (result: AgentResult) => results.push(result) > 0 }),
    ...(roles.includes("workflow") && {
      enterResult: (result: AgentResult) => {
        // Ready for a process that advances runs; there is none here.
        const settle = (isStored: boolean): void => void (isStored && results.push(result));
        return result.run_id === result.task_id ? undefined : { as: "ready", kind: agentResultKind, settle };
      },
    }),
  });
  onTestFinished(async () => {
    await gateway.close(100);
    await jobs.stop();
    await database.close();
  });
  return {
    database,
    store,
    lease,
    gateway,
    /** The calls that the bridge has begun. */
    begun,
    dropped,
    /** The results that its roles received. */
    results,
    /** Stores a call as the role `rpc` does. */
    call: async (task: AgentTask, headers: CallHeaders = { "reply-to": "execution" }) => {
      const arrival = await gateway.intake.enter({ task, headers, deadlineMs: 60_000, parent: task.task_id });
      await storeArrival(arrival, () => store.add(arrival.job));
    },
    /** Stops the process's work without a change to its database, as a crash would. */
    crash: async () => {
      await database.db.deleteFrom("job_worker").where("owner", "=", lease.owner).execute();
    },
  };
}

/** A bridge whose calls a test ends. */
function createTestBridge(
  gateway: KafkaGateway,
  { codec, answers }: { readonly codec: RecordCodec; readonly answers: boolean },
  { begun, dropped }: { readonly begun: BegunCall[]; readonly dropped: string[] },
): NonNullable<GatewayRoles["bridge"]> {
  const endCall = (leaseId: LeaseId, task: AgentTask, headers: CallHeaders) => async (output: unknown) => {
    const result = resultOf(task, output);
    const text = codec.toColumn(result, callOutputContext(leaseId.id));
    return gateway.publishResult({ leaseId, end: { outcome: "succeeded", output: text } }, result, headers);
  };
  return {
    intake: {
      enter: async (call) => {
        const job = agentCallJob(call, "leased", codec);
        const { task, headers } = call;
        const leaseId = { id: job.id, attempt: 1 };
        const settle = (isStored: boolean): void => {
          if (!isStored) return;
          const end = endCall(leaseId, task, headers);
          begun.push({ task, leaseId, headers, end });
          if (answers) void end({ text: "done" });
        };
        return { job, settle };
      },
    },
    drop: (id) => void dropped.push(id),
    deadlineMs: 60_000,
    emit: () => undefined,
  };
}

export function newAgentTask(task_id: string, changes: Partial<AgentTask> = {}): AgentTask {
  const ids = { run_id: task_id, task_id, correlation_id: `correlation of ${task_id}` };
  return { ...ids, agent_name: "agent", input_data: { text: `hi ${task_id}` }, ...changes };
}

function resultOf({ run_id, task_id, correlation_id }: AgentTask, output_data: unknown): AgentResult {
  const timestamp = "2026-01-01T00:00:00Z";
  return { run_id, task_id, correlation_id, timestamp, status: "SUCCESS", output_data, error_message: null };
}

/** Returns the states of all jobs by share, oldest first. */
export async function jobsOf({ database }: Pick<ZoneProcess, "database">) {
  const rows = await database.db
    .selectFrom("job")
    .select(["id", "share", "state", "outcome"])
    .orderBy("sequence")
    .execute();
  return rows.map(({ share, state, outcome }) => [share, state, outcome] as const);
}

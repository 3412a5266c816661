import { agentCallJob, type CallEnds, type CallIntake, executionJobs } from "@crosszone/agent-calls";
import { type JobWorker, openProcessJobs } from "@crosszone/jobs";
import { createRecordCodec, type RecordCodec, type Vault } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import { createWorkflows } from "../runner/create-workflows.ts";
import type { WorkflowLimits } from "../runner/start-run.ts";
import { type ExecutorTables, openWorkflowDatabase, recordingEmit } from "./executor-parts.ts";

export interface ExecutorOptions {
  readonly limits?: Partial<WorkflowLimits>;
  readonly vault?: Vault;
  readonly agentNames?: () => Promise<Iterable<string>>;
  /** Wraps the intake of calls, to refuse some. */
  readonly intakeOf?: (intake: CallIntake) => CallIntake;
  /** Wraps the database, to lose writes. */
  readonly databaseOf?: (database: Database<ExecutorTables>) => Database<ExecutorTables>;
}

/** A bridge in this process: its intake and its worker. */
export interface FakeBridge {
  readonly enter: CallIntake["enter"];
  readonly worker: Pick<JobWorker, "check" | "stop">;
}

/** An executor in this process. */
export type Executor = Awaited<ReturnType<typeof newExecutor>>;

const defaults: WorkflowLimits = {
  deadlineMs: 600_000,
  stepTimeoutMs: 300_000,
  maxRunning: 50,
  maxRunBytes: 50_000_000,
  retentionMs: 3_600_000,
};

export async function newExecutor(url: string, options: ExecutorOptions = {}) {
  const { limits, vault, agentNames, intakeOf = (intake) => intake, databaseOf = (database) => database } = options;
  const database = databaseOf(await openWorkflowDatabase(url));
  let bridge: FakeBridge | undefined;
  let isStarted = false;
  const jobs = openProcessJobs({ database, schema: executionJobs, leaseMs: 1_500 });
  const codec = createRecordCodec(vault);
  const { emit, emitted } = recordingEmit();
  const created = createWorkflows({
    jobs,
    database,
    vault,
    emit,
    intake: intakeOf(intakeWith(codec, () => bridge)),
    limits: { ...defaults, ...limits },
    agentNames,
  });
  const start = (): void => {
    isStarted = true;
    created.start();
  };
  const workflows = { ...created, start };
  /** Receives ends of calls: its workflows if they are started, else other processes. */
  const ends: CallEnds = { end: (_, end) => (isStarted ? created.endCall(end) : created.handOver(end)) };
  await jobs.start();
  const close = async (): Promise<void> => {
    await Promise.all([bridge?.worker.stop(0), created.stop(5_000)]);
    await jobs.stop();
    await database.close();
  };
  /** Gives this process the role `bridge`. Without it, calls wait for other processes. */
  const useBridge = (given: FakeBridge): void => void (bridge = given);
  return { database, jobs, codec, ends, workflows, emitted, useBridge, close };
}

/** Returns an intake that gives calls to the bridge of this process; without one, they wait for other processes. */
function intakeWith(codec: RecordCodec, bridge: () => FakeBridge | undefined): CallIntake {
  return {
    enter: async (call) =>
      bridge()?.enter(call) ?? { job: agentCallJob(call, "ready", codec), settle: () => undefined },
    cancel: async () => bridge()?.worker.check(),
  };
}

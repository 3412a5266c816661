import { inputKind } from "@crosszone/agent-calls";
import { createRecordCodec, type Emit, type Vault } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Workflows } from "@crosszone/workflow";
import type { ExecutionConfig } from "../config/config.ts";
import type { ExecutionDatabase, ZoneJobs } from "../database/open-execution-database.ts";
import type { ApprovalFor } from "../inputs/approvals.ts";
import { createInputKind } from "../inputs/input-kind.ts";
import { InputRequests } from "../inputs/input-requests.ts";
import { createRunInputs } from "../inputs/run-inputs.ts";
import type { TaskStore } from "../tasks/sql/task-store.ts";
import { taskKind } from "../tasks/task.ts";

export interface InputsOptions {
  readonly database: ExecutionDatabase;
  readonly jobs: ZoneJobs;
  readonly vault?: Vault | undefined;
  /** How long a request is kept after its end, milliseconds. */
  readonly retentionMs: number;
  readonly emit: Emit<ExecutionEvent>;
}

/** Opens the input requests of this process. */
export function openInputs({ jobs, ...options }: InputsOptions): InputRequests {
  const { store } = jobs;
  return new InputRequests({
    ...options,
    jobs: {
      forget: (...of) => store.forget(...of),
      wakeQuery: (ids) => store.wakeQuery(ids),
      wakeHere: () => jobs.lookFor(inputKind, taskKind),
    },
  });
}

export interface InputWorkerOptions extends Pick<InputsOptions, "jobs" | "vault"> {
  readonly config: Pick<ExecutionConfig, "EXECUTION_ROLES">;
  readonly requests: InputRequests;
  readonly approvalFor: ApprovalFor;
  readonly store: Pick<TaskStore, "get">;
  readonly workflows: Workflows;
}

/** Creates the worker of this process for the lives of requests, whatever its roles. */
export function workOnInputs({ config, jobs, vault, requests, approvalFor, store, workflows }: InputWorkerOptions) {
  const ofRuns = createRunInputs({
    runs: workflows,
    advancesRuns: config.EXECUTION_ROLES.includes("workflow"),
    codec: createRecordCodec(vault),
    callerOf: async (taskId) => (await store.get(taskId))?.caller,
    termsFor: (asked) => approvalFor({ ...asked, sideEffects: true }).terms,
  });
  return jobs.workOn(createInputKind({ requests, ...ofRuns }));
}

import { type AppendAudit, createAppendAudit } from "@crosszone/audit";
import { inputKind } from "@crosszone/agent-calls";
import { createRecordCodec } from "@crosszone/service-kit";
import type { Workflows } from "@crosszone/workflow";
import type { ExecutionConfig } from "../config/config.ts";
import { createInputKind } from "../inputs/input-kind.ts";
import { InputRequests } from "../inputs/input-requests.ts";
import { createRunInputs, createWhyNobody, type RunPeople } from "../inputs/run-inputs.ts";
import { type NewTask, taskKind } from "../tasks/task.ts";
import { openApprovals } from "./approvals-file.ts";
import { createFileLoaded } from "./file-loaded.ts";
import type { RoleParts } from "./role-parts.ts";

interface InputsOptions extends Pick<RoleParts, "database" | "jobs" | "vault" | "emit"> {
  /** APPROVALS_FILE. */
  readonly policyFile?: string | undefined;
  /** Appends to the audit log. */
  readonly append?: AppendAudit;
  /** How long a request is kept after its end, milliseconds. */
  readonly retentionMs: number;
}

/** What tasks and runs ask people, and the policy under which they ask. `people`: whom runs ask. */
export type Inputs = Awaited<ReturnType<typeof openInputs>>;

/** Opens the input requests of this process. Rejects with a `FileProblemsError` if the policy can't be used. */
export async function openInputs({ policyFile, jobs, ...given }: InputsOptions) {
  const { store } = jobs;
  const { database, vault } = given;
  const { engine, db } = database;
  const options = { append: createAppendAudit({ engine, codec: createRecordCodec(vault) }), ...given };
  const requests = new InputRequests({
    ...options,
    jobs: {
      forget: (...of) => store.forget(...of),
      queries: store.queries,
      settleClock: (how) => store.settleClock(how),
      wakeHere: () => jobs.lookFor(inputKind, taskKind),
    },
  });
  const loaded = createFileLoaded((act) => options.append(db, [act]));
  const approvals = await openApprovals(policyFile, { emit: options.emit, loaded });
  const people: RunPeople = {
    taskOf: async (taskId) => {
      const task = await store.find(taskId);
      return task && (JSON.parse(task.record) as NewTask);
    },
    termsFor: (asked) => approvals.approvalFor({ ...asked, sideEffects: true }).terms,
  };
  const whyNobody = createWhyNobody({ ...people, whyNobody: (rule) => requests.whyNobody(rule) });
  return { requests, people, whyNobody, ...approvals };
}

interface InputWorkerOptions extends Pick<InputsOptions, "jobs" | "vault"> {
  readonly config: Pick<ExecutionConfig, "EXECUTION_ROLES">;
  readonly inputs: Inputs;
  readonly workflows: Workflows;
}

/** Creates the worker of this process for the lives of requests, whatever its roles. */
export function workOnInputs({ config, jobs, vault, inputs, workflows }: InputWorkerOptions) {
  const { requests, people } = inputs;
  const ofRuns = createRunInputs({
    runs: workflows,
    advancesRuns: config.EXECUTION_ROLES.includes("workflow"),
    codec: createRecordCodec(vault),
    ...people,
    check: (record) => requests.check(record),
  });
  return jobs.workOn(createInputKind({ requests, ...ofRuns }));
}

import { inputKind } from "@crosszone/agent-calls";
import { type AppendAudit, createAppendAudit } from "@crosszone/audit";
import { createRecordCodec, type Emit, type Vault } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Workflows } from "@crosszone/workflow";
import { isConsent } from "../fires/consents.ts";
import { type ApprovalPolicy, createApprovalFor, usualApprovals } from "../people/approvals.ts";
import { InputRequests } from "../people/input-requests.ts";
import {
  createInputKind,
  createRunInputs,
  createWhyNobody,
  type InputOwner,
  type RunPeople,
} from "../people/run-inputs.ts";
import type { ExecutionDatabase, ZoneJobs } from "../store/open-execution-database.ts";
import { type NewTask, taskKind } from "../tasks/task.ts";
import type { RoleParts } from "./open-store.ts";

/** What tasks and runs ask people, and the policy under which they ask. `people`: whom runs ask. */
export type Inputs = ReturnType<typeof openInputs>;

/** Opens the input requests of this process. */
export function openInputs({
  approvals = () => usualApprovals,
  jobs,
  ...given
}: {
  /** Returns the policy in force; the usual one when absent. */
  readonly approvals?: () => ApprovalPolicy;
  readonly database: ExecutionDatabase;
  readonly jobs: ZoneJobs;
  readonly vault?: Vault;
  readonly emit: Emit<ExecutionEvent>;
  /** Appends to the audit log. */
  readonly append?: AppendAudit;
  /** How long a request is kept after its end, milliseconds. */
  readonly retentionMs: number;
}) {
  const { store } = jobs;
  const { database, vault } = given;
  const { append = createAppendAudit({ engine: database.engine, codec: createRecordCodec(vault) }) } = given;
  const requests = new InputRequests({
    ...given,
    append,
    jobs: {
      forget: (...of) => store.forget(...of),
      queries: store.queries,
      settleClock: (how) => store.settleClock(how),
      wakeHere: () => jobs.lookFor(inputKind, taskKind),
    },
  });
  const approvalFor = createApprovalFor(approvals);
  const people: RunPeople = {
    taskOf: async (taskId) => {
      const task = await store.find(taskId);
      return task && (JSON.parse(task.record) as NewTask);
    },
    termsFor: (asked) => approvalFor({ ...asked, sideEffects: true }).terms,
  };
  const whyNobody = createWhyNobody(people, (rule) => requests.whyNobody(rule));
  return { requests, people, whyNobody, approvalFor };
}

/** Creates the worker of this process for the lives of requests, whatever its roles. */
export function workOnInputs(parts: RoleParts, inputs: Inputs & { consents: InputOwner }, workflows: Workflows) {
  const { config, jobs, vault } = parts;
  const { requests, people, consents } = inputs;
  const ofRuns = createRunInputs({
    runs: workflows,
    advancesRuns: config.EXECUTION_ROLES.includes("workflow"),
    codec: createRecordCodec(vault),
    ...people,
    check: (record) => requests.check(record),
  });
  return jobs.workOn(createInputKind({ requests, ownerOf: ({ id }) => (isConsent(id) ? consents : ofRuns) }));
}

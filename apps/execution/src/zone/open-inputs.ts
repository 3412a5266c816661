import { inputKind } from "@crosszone/agent-calls";
import { type AppendAudit, createAppendAudit } from "@crosszone/audit";
import { createRecordCodec, type Emit, followFiles, type Vault } from "@crosszone/service-kit";
import { errorText } from "@crosszone/service-kit/text";
import { FileProblemsError, readYamlFile } from "@crosszone/service-kit/yaml";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Workflows } from "@crosszone/workflow";
import { isConsent } from "../fires/consents.ts";
import { type ApprovalPolicy, createApprovalFor, defaultPolicy, readPolicy } from "../people/approvals.ts";
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
import { createFileLoaded, type FileLoaded, type RoleParts } from "./open-store.ts";

/** Reads APPROVALS_FILE; returns the default policy when it is not set. Rejects with a `FileProblemsError` that names each mistake by line. */
export async function readApprovalsFile(path: string | undefined): Promise<ApprovalPolicy> {
  if (path === undefined) return defaultPolicy;
  const { value, problemAt } = await readYamlFile(path, "approvals file");
  const read = readPolicy(value);
  if ("problems" in read) throw new FileProblemsError(read.problems.map(problemAt));
  return read.policy;
}

/**
 * Follows APPROVALS_FILE. Rejects with a `FileProblemsError` if it can't be used. An edit that can't be used is logged, and the previous
 * policy stays.
 */
export async function openApprovals(
  path: string | undefined,
  { emit, loaded }: { readonly emit: Emit<ExecutionEvent>; readonly loaded: FileLoaded },
) {
  const paths = path === undefined ? [] : [path];
  const { current, close } = await followFiles({
    paths,
    read: () => readApprovalsFile(path),
    store: (policy) => loaded("approvals", policy, paths),
    onApplied: () => emit("approvals_file_applied"),
    onFailure: (error) => emit("approvals_file_not_usable", { because: errorText(error) }),
  });
  return { approvalFor: createApprovalFor(current), close };
}

/** What tasks and runs ask people, and the policy under which they ask. `people`: whom runs ask. */
export type Inputs = Awaited<ReturnType<typeof openInputs>>;

/** Opens the input requests of this process. Rejects with a `FileProblemsError` if the policy can't be used. */
export async function openInputs({
  policyFile,
  jobs,
  ...given
}: {
  /** APPROVALS_FILE. */
  readonly policyFile?: string | undefined;
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
  const { database, vault, emit } = given;
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
  const loaded = createFileLoaded((act) => append(database.db, [act]));
  const approvals = await openApprovals(policyFile, { emit, loaded });
  const people: RunPeople = {
    taskOf: async (taskId) => {
      const task = await store.find(taskId);
      return task && (JSON.parse(task.record) as NewTask);
    },
    termsFor: (asked) => approvals.approvalFor({ ...asked, sideEffects: true }).terms,
  };
  const whyNobody = createWhyNobody(people, (rule) => requests.whyNobody(rule));
  return { requests, people, whyNobody, ...approvals };
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

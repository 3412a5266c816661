import { executionJobs } from "@crosszone/agent-calls";
import { createInsertQuery } from "@crosszone/jobs";
import type { Emit, Vault } from "@crosszone/service-kit";
import { now } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { sql } from "kysely";
import type { ExecutionDatabase, ZoneJobs } from "../database/open-execution-database.ts";
import type { ApprovalFor } from "../inputs/approvals.ts";
import { InputRequests } from "../inputs/input-requests.ts";
import { openApprovals } from "./approvals-file.ts";

export interface InputsOptions {
  /** APPROVALS_FILE. */
  readonly policyFile?: string | undefined;
  readonly database: ExecutionDatabase;
  readonly jobs: ZoneJobs;
  readonly vault?: Vault | undefined;
  /** How long a request is kept after its end, milliseconds. */
  readonly retentionMs: number;
  readonly emit: Emit<ExecutionEvent>;
}

/** What tasks and runs ask people, and the policy under which they ask. */
export interface Inputs {
  readonly requests: InputRequests;
  readonly approvalFor: ApprovalFor;
  readonly close: () => Promise<void>;
}

/** Opens the input requests of this process. Rejects with a `FileProblemsError` if the policy can't be used. */
export async function openInputs({ policyFile, jobs, ...options }: InputsOptions): Promise<Inputs> {
  const { engine } = options.database;
  const requests = new InputRequests({
    ...options,
    jobs: {
      addQuery: createInsertQuery(executionJobs, engine),
      forget: (...of) => jobs.store.forget(...of),
      wakeQuery: (ids) => sql`
        update job set due_at = ${now(engine)} where id in (${sql.join(ids)}) and state = 0 and due_at > ${now(engine)}`,
      wakeHere: () => undefined,
    },
  });
  return { requests, ...(await openApprovals(policyFile, options.emit)) };
}

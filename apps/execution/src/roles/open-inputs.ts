import type { Emit, Vault } from "@crosszone/service-kit";
import { now } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { sql } from "kysely";
import type { ExecutionDatabase, ZoneJobs } from "../database/open-execution-database.ts";
import { InputRequests } from "../inputs/input-requests.ts";

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
  const { engine } = options.database;
  return new InputRequests({
    ...options,
    jobs: {
      forget: (...of) => jobs.store.forget(...of),
      wakeQuery: (ids) => sql`
        update job set due_at = ${now(engine)} where id in (${sql.join(ids)}) and state = 0 and due_at > ${now(engine)}`,
      wakeHere: () => undefined,
    },
  });
}

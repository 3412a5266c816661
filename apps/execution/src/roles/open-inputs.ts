import type { Emit, Vault } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { ExecutionDatabase, ZoneJobs } from "../database/open-execution-database.ts";
import { InputRequests } from "../inputs/input-requests.ts";
import { inputKind } from "../inputs/input-statements.ts";
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

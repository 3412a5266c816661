import type { ExecutionColumn } from "@crosszone/agent-calls";
import { jobStates, type NewJob, type LeasedJob } from "@crosszone/jobs";
import { createRecordCodec, type Vault } from "@crosszone/service-kit";
import { columnText } from "@crosszone/sql";
import { teamKey } from "../../database/open-execution-database.ts";
import {
  type NewTask,
  type OpenTask,
  type RecoveredTask,
  type Task,
  type TaskError,
  type TaskOutcome,
  taskKind,
} from "../task.ts";
import {
  handleContext,
  outcomeContext,
  paramsContext,
  recordOf,
  requestKey,
  taskOf,
  type TaskRow,
} from "./task-row.ts";

/** Converts tasks to jobs and back. Seals and opens their contents when a vault is given. */
export interface TaskCodec {
  readonly jobOf: (task: NewTask) => NewJob<ExecutionColumn>;
  readonly taskOf: (row: TaskRow) => Task;
  /** Returns the columns of a task's end. */
  readonly endOf: (taskId: string, outcome: TaskOutcome) => { output: string; own: TaskEndColumns };
  /** Returns the handle of a task's files; undefined when it was not stored, or its key is missing. */
  readonly openHandle: (taskId: string, sealed: string | null) => string | undefined;
  readonly recoveredTask: (job: LeasedJob<ExecutionColumn>) => RecoveredTask;
}

type TaskEndColumns = Readonly<Record<"error_kind" | "error_detail", string | null>>;

const errorColumns = ({ kind, detail }: TaskError): TaskEndColumns => ({
  error_kind: kind,
  error_detail: detail === undefined ? null : columnText(detail),
});

export function createTaskCodec(vault: Pick<Vault, "seal" | "open"> | undefined): TaskCodec {
  const codec = createRecordCodec(vault);

  function openHandle(taskId: string, sealed: string | null): string | undefined {
    if (sealed === null) return undefined;
    try {
      return vault?.open(sealed, handleContext(taskId));
    } catch {
      return undefined;
    }
  }

  return {
    openHandle,
    taskOf: (row) => taskOf(row, codec),
    endOf: (taskId, outcome) => ({
      output: codec.toColumn(outcome, outcomeContext(taskId)),
      own: "error" in outcome ? errorColumns(outcome.error) : { error_kind: null, error_detail: null },
    }),

    jobOf: ({ task_id: id, caller, key, params, ...task }) => ({
      id,
      kind: taskKind,
      share: taskKind,
      key: requestKey(caller, key),
      as: "leased",
      deadlineMs: task.deadline_ms,
      team: params.team_id === undefined ? null : teamKey(params.team_id),
      record: recordOf({ task_id: id, caller, key, params, ...task }),
      input: codec.toColumn(params, paramsContext(id)),
      own: {
        name: columnText(task.agent),
        correlation_id: columnText(task.correlation_id),
        handle: vault === undefined || task.handle === undefined ? null : vault.seal(task.handle, handleContext(id)),
      },
    }),

    recoveredTask: ({ id, attempt, record, input, handle: sealed, remaining_ms }) => {
      const handle = openHandle(id, sealed as string | null);
      const row = { id, state: jobStates.leased, outcome: null, record, input, output: null } as const;
      const task = taskOf(row, codec) as OpenTask;
      return { task, attempt, remainingMs: remaining_ms ?? 0, handle };
    },
  };
}

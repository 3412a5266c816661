import type { CompiledQuery } from "kysely";
import type { AwaitedInput, RunInputs } from "../agents/task-paused.ts";
import type { OpenTask } from "./task.ts";

/** The input requests of tasks. */
export interface TaskInputs {
  /**
   * Returns the statements that store what a task asks; a request that exists stays as it is. Throws a `ZoneError` when a request is
   * invalid, or nobody can decide it.
   */
  readonly pausing: (task: OpenTask, awaited: readonly AwaitedInput[]) => Promise<readonly CompiledQuery[]>;
  /** Returns what a run of a paused task gets. */
  readonly forRun: (task: OpenTask, continuation: unknown) => Promise<RunInputs>;
  /** Withdraws the open requests of a task that has ended. */
  readonly withdraw: (taskId: string) => Promise<void>;
}

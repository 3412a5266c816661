import type { ZoneError } from "@crosszone/contracts";
import type { LeaseId } from "@crosszone/jobs";
import type { Emit } from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Agent } from "../agents/agent.ts";
import type { Conversation } from "../agents/conversations.ts";
import type { GrantFiles } from "./run-agent.ts";
import type { TaskStore } from "./sql/task-store.ts";
import type { TaskInputs } from "./task-inputs.ts";
import type { TaskTails } from "./task-tails.ts";
import type { OpenTask, Task } from "./task.ts";

export interface RunDeps {
  readonly store: TaskStore;
  readonly inputs: TaskInputs;
  readonly now: () => Date;
  readonly grantFiles: GrantFiles;
  readonly tracer: Tracer;
  readonly emit: Emit<ExecutionEvent>;
  readonly tails: Pick<TaskTails, "stored">;
  /** Called with the task when its run is over, if its state is known. */
  readonly notify: (task: Task) => void;
}

/** A task that this process has leased, and what its run needs. */
export interface TaskJob extends LeaseId {
  readonly task: OpenTask;
  /** Returns the agent that runs the task, or the error that ends it at once. Called again when it rejects. */
  readonly agent: () => Promise<Agent | ZoneError>;
  readonly handle?: string | undefined;
  readonly remainingMs: number;
  /** The conversation that the task belongs to, if it was read. */
  readonly conversation?: Conversation | undefined;
}

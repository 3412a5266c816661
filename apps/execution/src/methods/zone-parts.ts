import type { GetUsageParams, GetUsageResult } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { AgentDirectory } from "../agents/agent-directory.ts";
import type { InputRequests } from "../inputs/input-requests.ts";
import type { TaskStore } from "../tasks/sql/task-store.ts";
import type { TaskRunner } from "../tasks/task-runner.ts";
import type { CheckToken } from "../tokens/check-token.ts";
import type { DescribeZone } from "./describe-zone.ts";

/** Times of tasks and of their callers, milliseconds. */
export interface TaskLimits {
  /** How long `execute_task` waits for the answer before it returns `accepted`. */
  readonly syncWindowMs: number;
  /** The longest wait for a result. */
  readonly maxWaitMs: number;
  /** Timeout of a task. */
  readonly taskDeadlineMs: number;
}

/** Returns one person's use of language models. */
export type UsageOf = (who: GetUsageParams) => Promise<GetUsageResult>;

/** What the methods of the zone link use. */
export interface ZoneParts {
  readonly agents: AgentDirectory;
  readonly store: TaskStore;
  readonly runner: TaskRunner;
  readonly inputRequests: InputRequests;
  readonly limits: TaskLimits;
  readonly emit: Emit<ExecutionEvent>;
  readonly describeZone: DescribeZone;
  readonly usageOf: UsageOf;
  readonly checkToken: CheckToken;
}

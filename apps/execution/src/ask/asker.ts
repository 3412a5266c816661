import type { ProgramAsk } from "../tasks/task.ts";

/** What a program may do. */
export interface AskerGrant {
  /** Names of the agents and workflows that it may ask; `*` is all of them. */
  readonly agents: readonly string[];
  /** The most tasks that may be open at a time. */
  readonly openTasks: number;
  /** The channel in budgets and usage records; the surface when absent. Programs with the same one share its budget. */
  readonly budget?: string | undefined;
}

/** An authenticated program. */
export interface Asker extends AskerGrant {
  /** Its name in tasks, decisions and the audit log: `token:ci`, or `subject:` and an issuer's name for it. */
  readonly actor: string;
}

/** One request of a program. */
export interface AskRequest {
  readonly asker: Asker;
  readonly surface: ProgramAsk["surface"];
  readonly correlationId: string;
  readonly traceparent?: string | undefined;
}

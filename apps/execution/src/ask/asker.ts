import { ZoneError } from "@crosszone/contracts";
import type { HeldBytes, Sender } from "@crosszone/service-kit";
import type { ProgramAsk } from "../tasks/task.ts";

/** What a program may do. */
export interface AskerGrant {
  /** Names of the agents and workflows that it may ask; `*` is all of them. */
  readonly agents: readonly string[];
  /** The most tasks that may be open at a time. */
  readonly openTasks: number;
  /** The channel in budgets and usage records; the surface when absent. Programs with the same one share its budget. */
  readonly budget?: string | undefined;
  /** The most bytes of questions and answers that are stored for it; `defaultStoredBytes` when absent. */
  readonly storedBytes?: number | undefined;
}

export const defaultStoredBytes = 1_000_000_000;

/** An authenticated program. */
export interface Asker extends AskerGrant {
  /** Its name in tasks, decisions and the audit log: `token:ci`, or `subject:` and an issuer's name for it. */
  readonly actor: string;
  /** What its request holds in memory, until the response has been written. */
  readonly held?: HeldBytes | undefined;
  /** Where its request came from. */
  readonly from?: Sender;
}

/** One request of a program. */
export interface AskRequest {
  readonly asker: Asker;
  readonly surface: ProgramAsk["surface"];
  readonly correlationId: string;
  readonly traceparent?: string | undefined;
  readonly call?: ProgramAsk["call"];
}

/** Holds content of a request instead of what it held before, such as its body. Throws `rate_limited` when there is no room in time. */
export async function hold({ held }: Pick<Asker, "held">, bytes: number): Promise<void> {
  if ((await held?.take(bytes)) === false) throw new ZoneError("rate_limited", { retry_after_ms: 1_000 });
}

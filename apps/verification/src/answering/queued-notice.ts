import type { Clock } from "../time/clock.ts";
import type { AskRecord, Inbox } from "../inbox/inbox.ts";
import type { Owe } from "./notices.ts";
import type { Desk } from "../workspaces/workspace-context.ts";
import type { Desks } from "../workspaces/workspaces.ts";

export interface TellQueuedDeps {
  readonly desks: {
    readonly of: (...given: Parameters<Desks["of"]>) => Promise<Pick<Desk, "policies"> | undefined>;
  };
  readonly inbox: Pick<Inbox, "isWaiting">;
  readonly clock: Pick<Clock, "sleep">;
  readonly owe: Owe;
  /** Aborts when the process stops. */
  readonly stopping: AbortSignal;
}

/** A question that begins within this time is not reported as queued, milliseconds. */
const quietMs = 1_000;

const text = "Your question is queued. In a thread, I answer one question at a time.";

/**
 * Returns a function that waits a second and then tells the requester, once, that the question is still queued. A requester whom the policy
 * denies gets only the denial, when a worker processes the question. Never rejects: the notice is optional.
 */
export function createTellQueued(deps: TellQueuedDeps): (record: AskRecord) => Promise<void> {
  const { desks, inbox, clock, owe, stopping } = deps;

  async function tell(record: AskRecord): Promise<void> {
    await clock.sleep(quietMs, stopping);
    if (!(await inbox.isWaiting(record.request_id))) return;
    const desk = await desks.of(record);
    if (desk === undefined || (await desk.policies.again(record)).denial !== undefined) return;
    await owe(record, { to: "person", topic: "queued", text });
  }

  return (record) => tell(record).catch(() => undefined);
}

import type { Clock } from "../../time/clock.ts";
import type { Inbox } from "../../inbox/inbox.ts";
import type { RunningTask } from "../tasks/running-tasks.ts";

const everyMs = 1_000;

/**
 * Ends a task soon after its question is marked as stopped, by any process, until `over` aborts. Never rejects: a failed read is repeated a
 * second later.
 */
export async function watchStop(
  { inbox, clock }: { readonly inbox: Pick<Inbox, "isStopped">; readonly clock: Clock },
  { requestId, task, over }: { readonly requestId: string; readonly task: RunningTask; readonly over: AbortSignal },
): Promise<void> {
  const until = AbortSignal.any([task.signal, over]);
  const pause = (): Promise<boolean> =>
    clock.sleep(everyMs, until).then(
      () => !until.aborted,
      () => false,
    );
  while (await pause()) if (await inbox.isStopped(requestId).catch(() => false)) task.end("stopped");
}

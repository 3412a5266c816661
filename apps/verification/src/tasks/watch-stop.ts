import type { Clock } from "../clock.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { RunningTask } from "./running-tasks.ts";

const everyMs = 1_000;

/**
 * Ends a task soon after its question was marked as stopped, whichever process was told to. Until `over`; never rejects: what cannot
 * be read now is read a second later.
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

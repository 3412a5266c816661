import type { ReadRun, Workflows } from "@crosszone/workflow";

/**
 * Waits until a run has ended, whichever processes bring it forward, and gives it. Nothing when there is no such run; rejects with the
 * signal's reason.
 */
export async function followRun(
  { getRun, waitForRun }: Pick<Workflows, "getRun" | "waitForRun">,
  runId: string,
  signal: AbortSignal,
): Promise<ReadRun | undefined> {
  for (;;) {
    const standing = await waitForRun(runId, { signal });
    signal.throwIfAborted();
    const found = standing && (await getRun(runId));
    // A retry may have opened it again since.
    if (found === undefined || found.run.ended_at !== undefined) return found;
  }
}

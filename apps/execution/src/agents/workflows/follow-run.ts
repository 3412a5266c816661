import type { ReadRun, Workflows } from "@crosszone/workflow";

/**
 * Waits until a run has ended, in whichever process, and returns it; undefined when the run does not exist. Rejects
 * with the signal's reason.
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
    // A retry may have reopened it since.
    if (found === undefined || found.run.ended_at !== undefined) return found;
  }
}

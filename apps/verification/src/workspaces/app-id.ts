import { SlackCallError } from "../slack/slack-call-error.ts";

/**
 * Returns a function that fetches the id of this app with `ask` and caches it. The function resolves with undefined if Slack refuses to
 * return the id. On any other failure it rejects, and the next call tries again.
 */
export function createAppId(
  ask: () => Promise<string>,
  onUnknown: (error: unknown) => void,
): () => Promise<string | undefined> {
  let known: Promise<string | undefined> | undefined;

  function failed(error: unknown): undefined {
    const isRefused = error instanceof SlackCallError && error.failure === "refused";
    if (!isRefused) {
      known = undefined;
      throw error;
    }
    onUnknown(error);
  }

  return () => (known ??= ask().catch(failed));
}

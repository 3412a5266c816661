import { SlackCallError } from "./slack-call-error.ts";

/**
 * Gives the function that returns the id of this app, which `ask` is called for once. It returns nothing when Slack refuses to give
 * the id; any other failure is thrown, and the next call asks again.
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

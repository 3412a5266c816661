import type { SuggestedPrompts } from "../control/agent-protocol.ts";
import type { ChangeFeed } from "./change-feed.ts";

/** Stores the app's suggested prompts: the latest of each conversation and of each thread. */
export interface PromptStore {
  set(suggested: SuggestedPrompts): void;
  all(): SuggestedPrompts[];
}

/** Makes an in-memory store; it publishes every change to the feed. */
export function createPromptStore(feed: ChangeFeed): PromptStore {
  const places = new Map<string, SuggestedPrompts>();
  return {
    set: (suggested) => {
      places.set(`${suggested.channel} ${suggested.thread_ts ?? ""}`, suggested);
      feed.publish({ type: "prompts", suggested });
    },
    all: () => [...places.values()],
  };
}

import type { SuggestedPrompts } from "../control/agent-protocol.ts";
import type { ChangeFeed } from "./change-feed.ts";

/** The prompts that the app suggests: the last ones of each conversation, and of each thread. */
export interface PromptStore {
  set(suggested: SuggestedPrompts): void;
  all(): SuggestedPrompts[];
}

/** Prompts in memory; every change goes to the feed. */
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

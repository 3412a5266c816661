import { hash } from "node:crypto";

/** Where a thread stands with one agent. */
export interface Conversation {
  /** The agent's own id of the conversation, when it does not take ours. */
  readonly agentContextId?: string;
  /** The agent's task that waits for the user. */
  readonly openTaskId?: string;
}

/** Keeps conversations between messages, for all processes of the zone. */
export interface Conversations {
  /** The conversation of this id; an empty one when it is new. */
  readonly find: (contextId: string) => Promise<Conversation>;
  readonly keep: (contextId: string, conversation: Conversation, team: string | undefined) => Promise<void>;
}

/**
 * The id of a thread's conversation with one agent, the same for each message of the thread. Shaped as a UUID of version 8, because databases
 * of agents keep 36 characters. https://www.rfc-editor.org/rfc/rfc9562#section-5.8
 */
export function contextIdOf(threadContextId: string, agent: string): string {
  const digest = hash("sha256", JSON.stringify([threadContextId, agent]));
  const variant = ((Number.parseInt(digest[16] ?? "0", 16) & 0x3) | 0x8).toString(16);
  const [a, b, c, d, e] = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(13, 16),
    digest.slice(17, 20),
    digest.slice(20, 32),
  ];
  return `${a}-${b}-8${c}-${variant}${d}-${e}`;
}

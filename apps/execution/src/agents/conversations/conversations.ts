import { hash } from "node:crypto";

/** The state of a thread's conversation with one agent. */
export interface Conversation {
  /** The agent's own context id, when it doesn't accept the zone's. */
  readonly agentContextId?: string;
  /** The agent's task that waits for the user. */
  readonly openTaskId?: string;
}

/** Stores conversations for all processes of the zone. */
export interface Conversations {
  /** Returns the conversation of this id; an empty one when it is new. */
  readonly find: (contextId: string) => Promise<Conversation>;
  readonly keep: (contextId: string, conversation: Conversation, team: string | undefined) => Promise<void>;
}

/**
 * Returns the id of a thread's conversation with one agent, the same for every message of the thread. It is a UUID of
 * version 8, because some agents store 36 characters. https://www.rfc-editor.org/rfc/rfc9562#section-5.8
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

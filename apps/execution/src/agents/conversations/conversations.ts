import { hash } from "node:crypto";
import type { CompiledQuery } from "kysely";

/** The state of a thread's conversation with one agent. */
export interface Conversation {
  /** The agent's own context id, when it doesn't accept the zone's. */
  readonly agentContextId?: string;
  /** The agent's task that waits for the user. */
  readonly openTaskId?: string;
}

/** A conversation to store. */
export interface KeptConversation {
  readonly contextId: string;
  readonly conversation: Conversation;
  /** Digest of the thread's team. */
  readonly team: string | undefined;
}

/** Stores conversations for all processes of the zone. */
export interface Conversations {
  /** Returns the conversation of this id; an empty one when it is new. */
  readonly find: (contextId: string) => Promise<Conversation>;
  readonly keep: (kept: KeptConversation) => Promise<void>;
}

/** The same as statements, to run together with others. */
export interface ConversationStatements {
  readonly finding: (contextId: string) => CompiledQuery;
  /** Returns the conversation in the rows of `finding`. */
  readonly found: (contextId: string, rows: readonly unknown[]) => Conversation;
  /** Safe to repeat. */
  readonly keeping: (kept: KeptConversation) => CompiledQuery;
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

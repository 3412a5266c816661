import { hash } from "node:crypto";

/** Identifies a tool call within a task. */
export interface ToolCallKey {
  readonly taskId: string;
  readonly agent: string;
  /** The number of this call to the agent within the task, from 1. */
  readonly number: number;
  /** The call's text. Undefined when a reworded call must count as the same call. */
  readonly text: string | undefined;
}

/**
 * Returns the task id of a tool call, a UUID. When a crashed task runs again, the same call has the same id, so the
 * agent returns its stored result.
 */
export function toolTaskId({ taskId, agent, number, text }: ToolCallKey): string {
  const digest = hash("sha256", JSON.stringify([taskId, agent, number, text ?? null]), "hex");
  const variant = ((Number.parseInt(digest.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  // UUID version 8: custom. https://www.rfc-editor.org/rfc/rfc9562#section-5.8
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join("-");
}

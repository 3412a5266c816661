import { hash } from "node:crypto";

/** A call of a tool within a task. */
export interface ToolCallKey {
  readonly taskId: string;
  readonly agent: string;
  /** Which call of this agent it is within the task, from 1. */
  readonly number: number;
  /** What the agent is asked; left out where another wording must not be another call. */
  readonly text: string | undefined;
}

/**
 * Returns the id of the task that a call of a tool is, a UUID. The same call has the same id when the task is run again after a crash: the
 * agent then gives the result that it has.
 */
export function toolTaskId({ taskId, agent, number, text }: ToolCallKey): string {
  const digest = hash("sha256", JSON.stringify([taskId, agent, number, text ?? null]), "hex");
  const variant = ((Number.parseInt(digest.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  // Version 8: of an origin of its own. https://www.rfc-editor.org/rfc/rfc9562#section-5.8
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join("-");
}

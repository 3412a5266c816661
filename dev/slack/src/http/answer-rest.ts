import type { Response } from "express";
import { ControlError } from "../control/control-error.ts";

/**
 * Answers requests that no route has answered, as `{ error: { message } }`: 404 for an unknown path, the status of a `ControlError`, the
 * parser's 4xx for an unreadable body. Anything else is 500 and is logged to the error output, because it is a bug in the local Slack.
 */
export function answerRest(response: Response, error: unknown): void {
  const status = error === undefined ? 404 : statusOf(error);
  if (status >= 500) console.error("The local Slack failed:", error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.status(status).json({ error: { message: messageOf(status, error) } });
}

function statusOf(error: unknown): number {
  if (error instanceof ControlError) return error.status;
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  return status >= 400 && status < 500 ? status : 500;
}

function messageOf(status: number, error: unknown): string {
  if (error === undefined) return "not found";
  return status < 500 && error instanceof Error ? error.message : "the local Slack failed; see its output";
}

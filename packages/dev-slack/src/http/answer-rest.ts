import type { Response } from "express";
import { ControlError } from "../control/control-error.ts";

/**
 * Answers what no route has answered, as `{ error: { message } }`: nothing there is 404, a `ControlError` has its own status, a body that
 * cannot be read has the parser's 4xx. Anything else is 500 and goes to the error output, because it is a fault of the local Slack.
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
  if (error === undefined) return "there is nothing here";
  return status < 500 && error instanceof Error ? error.message : "the local Slack failed; see its output";
}

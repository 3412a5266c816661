import type { Response } from "express";
import type { Fault } from "../control/protocol.ts";
import type { CallAnswer } from "./answer-call.ts";

/** The response in place of the right one. With status 0 the connection breaks, or with `hang` nothing is ever sent. */
export type Spoiled = Pick<CallAnswer, "status" | "body"> & { headers: object; hang?: boolean };

/** Undefined if the response is right, and only late. */
const SPOILED: Record<Fault["kind"], (fault: Fault) => Spoiled | undefined> = {
  rate_limited: ({ retry_after = 1 }) => ({
    status: 429,
    headers: { "retry-after": String(retry_after) },
    body: { ok: false, error: "ratelimited" },
  }),
  server_error: () => ({ status: 500, headers: {}, body: { ok: false, error: "internal_error" } }),
  error: ({ error = "fatal_error" }) => ({ status: 200, headers: {}, body: { ok: false, error } }),
  hang: () => ({ status: 0, headers: {}, body: {}, hang: true }),
  drop: () => ({ status: 0, headers: {}, body: {} }),
  late: () => undefined,
};

/** Returns the response that a fault causes. */
export function spoil(fault: Fault): Spoiled | undefined {
  return SPOILED[fault.kind](fault);
}

/** Sends a response, or none at all. */
export function sendSpoiled(response: Response, { status, headers, body, hang }: Spoiled): void {
  if (hang) return;
  if (status === 0) {
    response.destroy();
    return;
  }
  response
    .status(status)
    .set({ ...headers })
    .json(body);
}

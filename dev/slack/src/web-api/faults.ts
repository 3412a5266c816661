import type { Response } from "express";
import type { Fault } from "../protocol/faults.ts";
import type { CallAnswer } from "./answer-call.ts";

/** Stores faults for future calls. */
export interface FaultQueue {
  add(fault: Fault): void;
  /** Returns the fault for this call, if any; each call uses up one of its `times`. */
  next(method: string): Fault | undefined;
}

/** Makes a queue that uses faults in order; `*` matches every method. */
export function createFaultQueue(): FaultQueue {
  const waiting: { fault: Fault; left: number }[] = [];
  return {
    add: (fault) => {
      waiting.push({ fault, left: fault.times ?? 1 });
    },
    next: (method) => {
      const index = waiting.findIndex(({ fault }) => fault.method === method || fault.method === "*");
      const entry = waiting[index];
      if (!entry) return undefined;
      if (--entry.left === 0) waiting.splice(index, 1);
      return entry.fault;
    },
  };
}

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

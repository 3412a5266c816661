import express, { type Request, type Response, Router } from "express";
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { TrafficLog } from "../traffic/traffic-log.ts";
import type { WebApiRequest } from "./arguments.ts";
import { answerCall, type CallAnswer, type WebApiParts } from "./answer-call.ts";
import type { Fault } from "../protocol/faults.ts";

/** Serves `/api/<method>`: the Web API over HTTP, with the faults that tests request and a record of each call. */
export function webApiRoutes(parts: WebApiParts & { faults: FaultQueue; traffic: TrafficLog }): Router {
  const router = Router();
  router.all("/api/:method", express.raw({ type: () => true, limit: "10mb" }), async (request, response) => {
    const name = request.params["method"] ?? "";
    const started = Date.now();
    const call = toWebApiRequest(request);
    const fault = parts.faults.next(name);
    const spoiled = fault && spoil(fault);
    const answer =
      spoiled && !fault.takes_effect
        ? { status: 0, headers: {}, body: {}, args: {} }
        : await answerCall(name, call, { ...parts, sharesUploads: fault?.kind !== "unshared" });
    if (fault?.kind === "late") await wait(fault.after_ms ?? LATE_MS, undefined, { ref: false });
    const sent = spoiled ?? answer;
    const standard = { "x-oauth-scopes": parts.scopes.join(","), "x-slack-req-id": randomUUID() };
    sendSpoiled(response, { ...sent, headers: { ...sent.headers, ...standard } });
    parts.traffic.record({
      at: started,
      kind: "web_api",
      name,
      status: sent.status,
      ms: Date.now() - started,
      verdict: fault ? `fault: ${fault.kind}` : verdictOf(answer),
      request: answer.args,
      response: sent.body,
    });
  });
  return router;
}

function toWebApiRequest(request: Request): WebApiRequest {
  return {
    httpMethod: request.method,
    contentType: request.headers["content-type"] ?? "",
    authorization: request.headers.authorization ?? "",
    query: new URL(request.url, "http://127.0.0.1").searchParams,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  };
}

const LATE_MS = 3_000;

function verdictOf({ status, body }: CallAnswer): string {
  if (body["ok"] === true) return typeof body["warning"] === "string" ? `ok, with ${body["warning"]}` : "ok";
  return status === 429 ? "refused: too many calls" : `refused: ${String(body["error"])}`;
}

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
  unshared: () => undefined,
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

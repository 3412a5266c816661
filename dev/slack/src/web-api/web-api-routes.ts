import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import express, { type Request, Router } from "express";
import type { TrafficLog } from "../traffic/traffic-log.ts";
import { answerCall, type CallAnswer, type WebApiParts } from "./answer-call.ts";
import { type FaultQueue, sendSpoiled, spoil } from "./faults.ts";

/** Serves `/api/<method>`: the Web API over HTTP, with the faults that tests request and a record of each call. */
export function webApiRoutes(parts: WebApiParts & { faults: FaultQueue; traffic: TrafficLog }): Router {
  const router = Router();
  router.all("/api/:method", express.raw({ type: () => true, limit: "10mb" }), async (request, response) => {
    const name = request.params["method"] ?? "";
    const started = Date.now();
    const fault = parts.faults.next(name);
    const spoiled = fault && spoil(fault);
    const answer =
      spoiled && !fault.takes_effect
        ? { status: 0, headers: {}, body: {}, args: {} }
        : await answerCall(name, toWebApiRequest(request), parts);
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

function toWebApiRequest(request: Request): Parameters<typeof answerCall>[1] {
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
  if (body["ok"] === true) return "ok";
  return status === 429 ? "refused: too many calls" : `refused: ${String(body["error"])}`;
}

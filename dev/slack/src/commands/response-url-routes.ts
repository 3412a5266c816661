import express, { Router } from "express";
import type { EventPublisher } from "../events/event-publisher.ts";
import type { TrafficLog } from "../traffic/traffic-log.ts";
import { SlackError } from "../web-api/slack-error.ts";
import { type FaultQueue, sendSpoiled, spoil } from "../web-api/faults.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { postReply, type ResponseUrlStore } from "./command-replies.ts";

/** The parts of the routes. */
export interface ResponseUrlRoutesParts {
  state: WorkspaceState;
  events: EventPublisher;
  responseUrls: ResponseUrlStore;
  /** The faults of the method `response_url`. */
  faults: FaultQueue;
  traffic: TrafficLog;
}

/**
 * `POST /commands/…` accepts the app's answers to slash commands, as JSON. 404 with Slack's error code for a used, expired or unknown URL;
 * 400 for invalid content, which uses up the URL too.
 */
export function responseUrlRoutes(parts: ResponseUrlRoutesParts): Router {
  const { responseUrls, faults, traffic } = parts;
  const router = Router();
  router.post("/commands/*path", express.json({ limit: "1mb" }), (request, response) => {
    const started = Date.now();
    const fault = faults.next("response_url");
    const spoiled = fault && spoil(fault);
    const answer = spoiled && !fault?.takes_effect ? undefined : taken(request.path, request.body);
    const sent = spoiled ?? answer ?? { status: 200, headers: {}, body: {} };
    if (!spoiled && sent.status === 200) response.type("text").send("ok");
    else sendSpoiled(response, sent);
    traffic.record({
      at: started,
      kind: "web_api",
      name: "response_url",
      status: sent.status,
      ms: Date.now() - started,
      verdict: fault ? `fault: ${fault.kind}` : sent.status === 200 ? "ok" : `refused: ${String(sent.body["error"])}`,
      request: (request.body ?? null) as unknown,
      response: sent.body,
    });
  });
  return router;

  function taken(path: string, payload: unknown): { status: number; headers: object; body: Record<string, unknown> } {
    const place = responseUrls.use(path);
    if (typeof place === "string") return { status: 404, headers: {}, body: { ok: false, error: place } };
    try {
      postReply(payload, place, parts);
      return { status: 200, headers: {}, body: { ok: true } };
    } catch (error) {
      if (!(error instanceof SlackError)) throw error;
      return { status: 400, headers: {}, body: { ok: false, error: error.code } };
    }
  }
}

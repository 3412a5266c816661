import express, { Router } from "express";
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { EventPublisher } from "../events/event-dispatcher.ts";
import { author, placeOf, threadRoot } from "../web-api/chat-methods.ts";
import { flag } from "../web-api/arguments.ts";
import { CONTENT_ARGUMENTS, messageContent } from "../web-api/message-content.ts";
import { SlackError } from "../web-api/slack-error.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import type { TrafficLog } from "../traffic/traffic-log.ts";
import { type FaultQueue, sendSpoiled, spoil } from "../web-api/web-api-routes.ts";

const REPLY = z.strictObject({
  ...CONTENT_ARGUMENTS,
  response_type: z.enum(["ephemeral", "in_channel"]).default("ephemeral"),
  thread_ts: z.string().optional(),
  replace_original: flag.default(false),
  delete_original: flag.default(false),
});

/**
 * Posts an app's answer to a command or an interaction: ephemeral unless it sets `in_channel`; also in conversations without the app. It
 * can replace or delete the message of the interaction instead, ephemeral or not. Throws a `SlackError`: `invalid_payload` for unknown
 * members or without such a message, `message_not_found` if it was deleted, or the content's own errors.
 */
export function postReply(
  payload: unknown,
  place: ReplyPlace,
  { state, events }: { state: WorkspaceState; events: EventPublisher },
): void {
  const reply = REPLY.safeParse(payload);
  if (!reply.success) throw new SlackError("invalid_payload");
  const { response_type, replace_original, delete_original, thread_ts, ...content } = reply.data;
  if (replace_original || delete_original) {
    if (place.original === undefined) throw new SlackError("invalid_payload");
    const original = state.messages.find(place.channel, place.original, place.user);
    if (!original) throw new SlackError("message_not_found");
    if (delete_original) events.remove(original);
    else events.change({ ...placeOf(original), ...messageContent({ warn: () => undefined }, content) });
    return;
  }
  events.post({
    channel: place.channel,
    ...author({ state }),
    ...messageContent({ warn: () => undefined }, content),
    ...threadRoot({ state }, place.channel, thread_ts),
    ...(response_type === "ephemeral" && { ephemeral_for: place.user }),
  });
}

/** The place and the author of a command or an interaction, for its answers. */
export interface ReplyPlace {
  channel: string;
  user: string;
  /** The `ts` of the message in which the person acted. */
  original?: string;
}

/** The issued `response_url`s. https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
export interface ResponseUrlStore {
  /** Returns the path of a new URL, valid for five answers within half an hour. */
  issue(kind: "actions" | "app" | "commands", place: ReplyPlace): string;
  /** Uses up one answer; returns Slack's error code if none is left. */
  use(path: string): ReplyPlace | "expired_url" | "used_url" | "invalid_url";
}

const MOST_USES = 5;
/** https://docs.slack.dev/interactivity/implementing-slash-commands#responding_to_commands */
const RESPONSE_URL_LIFE_MS = 1_800_000;

export function createResponseUrlStore(
  { directory, storage }: Pick<WorkspaceState, "directory" | "storage">,
  lifeMs: number = RESPONSE_URL_LIFE_MS,
): ResponseUrlStore {
  const issued = storage.keep<{ place: ReplyPlace; until: number; left: number }>("response urls");
  const team = directory.workspace.team.id;
  return {
    issue: (kind, place) => {
      const path = `/${kind}/${team}/${Date.now()}/${randomBytes(18).toString("base64url")}`;
      issued.set(path, { place, until: Date.now() + lifeMs, left: MOST_USES });
      return path;
    },
    use: (path) => {
      const entry = issued.get(path);
      if (!entry) return "invalid_url";
      if (Date.now() >= entry.until) return "expired_url";
      if (entry.left === 0) return "used_url";
      issued.set(path, { ...entry, left: entry.left - 1 });
      return entry.place;
    },
  };
}

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
 * `POST /commands/…`, `/actions/…` and `/app/…` accept the app's answers to slash commands and interactions, as JSON. 404 with Slack's error code for a used, expired or unknown URL;
 * 400 for invalid content, which uses up the URL too.
 */
export function responseUrlRoutes(parts: ResponseUrlRoutesParts): Router {
  const { responseUrls, faults, traffic } = parts;
  const router = Router();
  router.post(/^\/(actions|app|commands)\//, express.json({ limit: "1mb" }), (request, response) => {
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

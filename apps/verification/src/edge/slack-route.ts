import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { isDeeperThan } from "@crosszone/contracts/json";
import {
  answerHeaders,
  arrivingBytes,
  ByteBudget,
  type Emit,
  type HeldBytes,
  readBody,
  requestIdOf,
  senderOf,
} from "@crosszone/service-kit";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { Limits } from "../limits.ts";
import { mediaTypeOf } from "../slack/files/read-file.ts";
import { interactionJson, isCommandForm } from "../slack/interaction.ts";

/** Why a request was refused before Bolt, with its HTTP status. */
const guardRefusals = {
  method: 405,
  content_type: 415,
  headers: 401,
  timestamp: 401,
  stale: 401,
  future: 401,
  signature_form: 401,
  too_large: 413,
  no_room: 503,
  no_object: 400,
  too_deep: 400,
  no_command: 400,
} as const;

type GuardRefusal = keyof typeof guardRefusals;

/** The headers that some refusals have. Slack sends an event again that is not answered by 200. */
const refusalHeaders: Readonly<Partial<Record<GuardRefusal, Record<string, string>>>> = {
  method: { allow: "POST" },
  no_room: { "retry-after": "1" },
};

/** Maximum deviation of a request's timestamp, seconds. https://docs.slack.dev/authentication/verifying-requests-from-slack */
const windowSeconds = 300;

/**
 * Checks a request from Slack as far as possible without secrets, and reads its body. Bolt checks the signature, but accepts future
 * timestamps, extra text after a signature, and bodies of up to 4 MB. Resolves with the exact signed bytes; with "aborted" if the client
 * disconnected before its body was complete.
 */
async function guardRequest(
  request: IncomingMessage,
  {
    limits: { MAX_EVENT, MAX_DEPTH },
    now,
    held,
  }: { readonly limits: Limits; readonly now: number; readonly held: HeldBytes },
): Promise<Buffer | GuardRefusal | "aborted"> {
  const refusal = refusalOf(request, now);
  if (refusal !== undefined) return refusal;
  const body = await readBody(request, MAX_EVENT, held);
  if (typeof body === "string") return body;
  if (mediaTypeOf(request.headers["content-type"]) === formType) {
    const json = interactionJson(body);
    if (json === undefined && !isCommandForm(body)) return "no_command";
    // Bolt recognizes the type only in this spelling.
    request.headers["content-type"] = formType;
    return (json && jsonRefusal(json, MAX_DEPTH)) ?? body;
  }
  return jsonRefusal(body, MAX_DEPTH) ?? body;
}

/** Bolt reads members of any JSON value, and `null` would crash the process. */
function jsonRefusal(json: Buffer, depth: number): GuardRefusal | undefined {
  if (!opensObject(json)) return "no_object";
  // Each byte is a character: the structure of JSON is ASCII.
  return isDeeperThan(json.toString("latin1"), depth) ? "too_deep" : undefined;
}

/** Returns true if the JSON starts with `{` after white space. https://www.rfc-editor.org/rfc/rfc8259#section-2 */
function opensObject(body: Buffer): boolean {
  return body[body.findIndex((byte) => ![0x20, 0x09, 0x0a, 0x0d].includes(byte))] === 0x7b;
}

/** Events are JSON; slash commands and interactions are forms. */
const formType = "application/x-www-form-urlencoded";

function refusalOf(request: IncomingMessage, now: number): GuardRefusal | undefined {
  const { method, headers } = request;
  if (method !== "POST") return "method";
  if (!["application/json", formType].includes(mediaTypeOf(headers["content-type"]))) return "content_type";
  const timestamp = headers["x-slack-request-timestamp"];
  const signature = headers["x-slack-signature"];
  if (typeof timestamp !== "string" || typeof signature !== "string") return "headers";
  if (!/^\d{1,12}$/.test(timestamp)) return "timestamp";
  const ahead = Number(timestamp) - now / 1_000;
  if (ahead < -windowSeconds) return "stale";
  if (ahead > windowSeconds) return "future";
  return /^v0=[0-9a-f]{64}$/.test(signature) ? undefined : "signature_form";
}

/** Why a request to the events URL was refused; `signature` and `malformed` come from Bolt. */
type SlackRefusal = GuardRefusal | "not_ready" | "signature" | "malformed" | "unhandled";

const boltRefusals: ReadonlyMap<number, SlackRefusal> = new Map([
  [401, "signature"],
  [400, "malformed"],
  [404, "unhandled"],
]);

export const slackRefusals: readonly string[] = [...Object.keys(guardRefusals), "not_ready", ...boltRefusals.values()];

/**
 * Makes the route of the events URL: the guard, then Bolt. A refusal has no body, and closes the connection if the request's body is
 * unread.
 */
export function createSlackRoute(options: {
  /** Bolt's listener; undefined until Slack has identified this app. */
  readonly bolt: () => RequestListener | undefined;
  readonly limits: Limits;
  readonly now: () => number;
  readonly emit: Emit<VerificationEvent>;
}): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { bolt, limits, now, emit } = options;
  const arriving = new ByteBudget(arrivingBytes);
  return async (request, response) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(response);
    // Bolt writes the response headers itself.
    const standard = answerHeaders(response);
    for (let at = 0; at < standard.length; at += 2) response.setHeader(standard[at] ?? "", standard[at + 1] ?? "");
    const report = (reason: SlackRefusal, status: number): void =>
      emit("slack_request_refused", { reason, status, http_request_id: requestId });
    const refuse = (reason: SlackRefusal, status: number, headers: Record<string, string> = {}): void => {
      report(reason, status);
      // Unread bytes of this body would be parsed as the next request.
      response.writeHead(status, { ...headers, connection: "close" }).end();
    };
    const listener = bolt();
    if (listener === undefined) return refuse("not_ready", 503, { "retry-after": "5" });
    const held = arriving.open(senderOf(request).address);
    const verdict = await guardRequest(request, { limits, now: now(), held }).finally(held.close);
    if (verdict === "aborted") return;
    if (typeof verdict === "string") return refuse(verdict, guardRefusals[verdict], refusalHeaders[verdict]);
    response.once("finish", () => {
      const reason = boltRefusals.get(response.statusCode);
      if (reason !== undefined) report(reason, response.statusCode);
      emit("slack_request_answered", { duration_ms: performance.now() - startedAt });
    });
    // Bolt reads the body from here instead of the stream.
    listener(Object.assign(request, { rawBody: verdict, requestId }), response);
  };
}

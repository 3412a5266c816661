import type { IncomingMessage, RequestListener } from "node:http";
import { isDeeperThan } from "@crosszone/contracts/json";
import {
  answerHeaders,
  type Emit,
  type Exchange,
  type Refusal,
  refusalKinds,
  refusalsOf,
  surface,
} from "@crosszone/service-kit";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { Limits } from "../limits.ts";
import { mediaTypeOf } from "../slack/files/read-file.ts";
import { interactionJson, isCommandForm } from "../slack/interaction.ts";

const forged = { status: 401, advice: "sign the request as Slack does" };
const unreadable = { status: 400, advice: "send what Slack sends" };

/** Why a request is refused before Bolt. Slack sends an event again that is not answered by 200. */
const rows = {
  headers: forged,
  timestamp: forged,
  stale: forged,
  future: forged,
  signature_form: forged,
  no_object: unreadable,
  too_deep: unreadable,
  no_command: unreadable,
  busy: { status: 503, advice: "send it again" },
  not_ready: { status: 503, advice: "send it again: Slack has not identified this app yet" },
};

const refuse = refusalsOf(rows);

/** Events are JSON; slash commands and interactions are forms. */
const formType = "application/x-www-form-urlencoded";

/** Maximum deviation of a request's timestamp, seconds. https://docs.slack.dev/authentication/verifying-requests-from-slack */
const windowSeconds = 300;

/**
 * Returns what is wrong with a signed body; Bolt checks the signature, but accepts future timestamps, extra text after a signature, and bodies of
 * up to 4 MB.
 */
function bodyRefusal(request: IncomingMessage, body: Buffer, depth: number): Refusal | undefined {
  if (mediaTypeOf(request.headers["content-type"]) !== formType) return jsonRefusal(body, depth);
  const json = interactionJson(body);
  if (json === undefined && !isCommandForm(body)) return refuse("no_command");
  // Bolt recognizes the type only in this spelling.
  request.headers["content-type"] = formType;
  return json && jsonRefusal(json, depth);
}

/** Bolt reads members of any JSON value, and `null` would crash the process. */
function jsonRefusal(json: Buffer, depth: number): Refusal | undefined {
  if (!opensObject(json)) return refuse("no_object");
  // Each byte is a character: the structure of JSON is ASCII.
  return isDeeperThan(json.toString("latin1"), depth) ? refuse("too_deep") : undefined;
}

/** Returns true if the JSON starts with `{` after white space. https://www.rfc-editor.org/rfc/rfc8259#section-2 */
function opensObject(body: Buffer): boolean {
  return body[body.findIndex((byte) => ![0x20, 0x09, 0x0a, 0x0d].includes(byte))] === 0x7b;
}

/** Returns what is wrong with the headers of a signature; undefined if Bolt can check it. */
function headerRefusal({ headers }: IncomingMessage, now: number): keyof typeof rows | undefined {
  const timestamp = headers["x-slack-request-timestamp"];
  const signature = headers["x-slack-signature"];
  if (typeof timestamp !== "string" || typeof signature !== "string") return "headers";
  if (!/^\d{1,12}$/.test(timestamp)) return "timestamp";
  const ahead = Number(timestamp) - now / 1_000;
  if (ahead < -windowSeconds) return "stale";
  if (ahead > windowSeconds) return "future";
  return /^v0=[0-9a-f]{64}$/.test(signature) ? undefined : "signature_form";
}

/** Refusals that come from Bolt. */
const boltRefusals: ReadonlyMap<number, string> = new Map([
  [401, "signature"],
  [400, "malformed"],
  [404, "unhandled"],
]);

export const slackRefusals: readonly string[] = [
  ...Object.keys({ ...refusalKinds, ...rows }),
  ...boltRefusals.values(),
];

/** Makes the route of the events URL: what can be checked without secrets, then Bolt. A refusal has no body. */
export function createSlackRoute(options: {
  /** Bolt's listener; undefined until Slack has identified this app. */
  readonly bolt: () => RequestListener | undefined;
  readonly limits: Limits;
  readonly now: () => number;
  readonly emit: Emit<VerificationEvent>;
}) {
  const { bolt, limits, now, emit } = options;
  const report = (reason: string, status: number, { requestId }: Exchange): void =>
    emit("slack_request_refused", { reason, status, http_request_id: requestId });

  return surface<{ readonly listener: RequestListener; readonly body: Buffer; readonly startedAt: number }>({
    methods: ["POST"],
    auth: ({ request }) => {
      const [listener, startedAt] = [bolt(), performance.now()];
      if (listener === undefined) return refuse("not_ready", { retryAfterMs: 5_000 });
      const wrong = headerRefusal(request, now());
      return wrong === undefined
        ? { confirm: (body) => bodyRefusal(request, body, limits.MAX_DEPTH) ?? { who: { listener, body, startedAt } } }
        : refuse(wrong);
    },
    body: () => ({ maxBytes: limits.MAX_EVENT, types: ["application/json", formType] }),
    serve: (exchange, { who: { listener, body, startedAt } }) => {
      const { request, response, requestId } = exchange;
      // Bolt writes the response headers itself.
      const standard = answerHeaders(response);
      for (let at = 0; at < standard.length; at += 2) response.setHeader(standard[at] ?? "", standard[at + 1] ?? "");
      response.once("finish", () => {
        const reason = boltRefusals.get(response.statusCode);
        if (reason !== undefined) report(reason, response.statusCode, exchange);
        emit("slack_request_answered", { duration_ms: performance.now() - startedAt });
      });
      // Bolt reads the body from here instead of the stream.
      listener(Object.assign(request, { rawBody: body, requestId }), response);
    },
    refuse,
    write: () => undefined,
    onRefused: ({ kind, status, cause: failure }, exchange) => {
      if (kind === "internal") emit("http_failed", { failure, http_request_id: exchange.requestId });
      else report(kind, status, exchange);
    },
  });
}

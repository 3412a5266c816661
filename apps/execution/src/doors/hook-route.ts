import type { IncomingMessage, ServerResponse } from "node:http";
import { authorAct, createActLimit, type NewAuditEvent, type RecordAct } from "@crosszone/audit";
import {
  answer,
  answerJson,
  arrivingBytes,
  ByteBudget,
  correlationOfRequest,
  createTokenBuckets,
  type Emit,
  readBody,
  refusalHeaders,
  requestIdOf,
  senderOf,
} from "@crosszone/service-kit";
import { judgeWebhook, type WebhookRefusal } from "@crosszone/service-kit/webhooks";
import { outageOf } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { AcceptedDelivery, AcceptDelivery, RefusedDelivery } from "../fires/deliveries.ts";
import type { Hook } from "../fires/hook-settings.ts";
import type { Next } from "./serve-route.ts";

/** The answers that refuse a request, with what tells its sender how to fix it. */
const answers = {
  method_not_allowed: [405, "send the request by POST"],
  too_many: [429, "too many requests; wait a little"],
  content_encoding: [415, "send the body uncompressed"],
  content_type: [415, "send application/json in UTF-8, or application/x-www-form-urlencoded"],
  too_large: [413, "the body is larger than this hook accepts"],
  not_signed: [401, "the hook does not exist, or the signature or token is not valid"],
  body_invalid: [422, "the body can't be read"],
  schema_mismatch: [422, "the body does not match the hook's schema"],
  mapping_failed: [422, "an expression of the hook does not fit the request"],
  cap_used: [429, "the hook has used its cap of this UTC day"],
  busy: [503, "the zone checks or receives too much right now; send it again"],
  storage_unavailable: [503, "the delivery can't be stored right now; send it again"],
} as const satisfies Record<string, readonly [status: number, message: string]>;

interface Refused extends Omit<RefusedDelivery, "refused"> {
  readonly refused: keyof typeof answers;
  /** For the log: why the sender is not known. */
  readonly why?: WebhookRefusal | "unknown_hook" | "secret_unavailable";
  readonly cause?: unknown;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly correlationId: string;
}

interface HookRouteDeps {
  /** Returns the hooks in force. */
  readonly hooks: () => readonly Hook[];
  /** Returns the secrets of a hook that can be read. */
  readonly secretsOf: (hook: Hook) => Promise<readonly string[]>;
  readonly accept: AcceptDelivery;
  readonly record: RecordAct;
  readonly emit: Emit<ExecutionEvent>;
}

/** The longest body of a hook that does not say so, and its deliveries per minute: GitHub sends a hundred at once, and none again. */
const [usualBytes, usualPerMinute] = [1_000_000, 600];
/** Requests of one address per minute that prove nothing, whatever hook they name. */
const perAddress = 600;
const dayMs = 86_400_000;

const formType = /^application\/x-www-form-urlencoded *(;|$)/i;
const jsonType = /^(application|text)\/([a-z0-9.-]+\+)?json *(;|$)/i;

/** Whether a body may be read: JSON in UTF-8, which is also meant without a type, or a form. ASCII is UTF-8. */
function isReadable(type: string): boolean {
  const charsets = type.split(";").filter((parameter) => /^ *charset *=/i.test(parameter));
  const isUtf8 = charsets.every((one) => /^charset *= *"?(utf-?8|us-ascii)?"?$/i.test(one.trim()));
  return type === "" || formType.test(type) || (jsonType.test(type) && isUtf8);
}

/**
 * Creates the route of `POST /hooks/<name>`, for the path after `/hooks`. A stranger learns nothing of a hook: an unknown name and a wrong
 * signature get the same answer after the same work, and a hook's own limits apply once the sender has proved itself.
 */
export function createHookRoute(deps: HookRouteDeps) {
  const { hooks, secretsOf } = deps;
  const { accept, refuse } = createAnswers(deps);
  const addresses = createTokenBuckets({ perMinute: perAddress });
  const rates = new Map<number, ReturnType<typeof createTokenBuckets>>();
  const budget = new ByteBudget(arrivingBytes);

  async function read(request: IncomingMessage, response: ServerResponse): Promise<Buffer | Refused | undefined> {
    const { method, headers } = request;
    const { address } = senderOf(request);
    if (method !== "POST") return { refused: "method_not_allowed" };
    const waitMs = addresses.take(address);
    if (waitMs > 0) return { refused: "too_many", retryAfterMs: waitMs };
    const { "content-type": type = "", "content-encoding": coding = "" } = headers;
    if (!/^(identity)?$/i.test(coding.trim())) return { refused: "content_encoding" };
    if (!isReadable(type.trim())) return { refused: "content_type" };
    // The largest of all: with a limit for each name, the answer would tell which names exist.
    const mostBytes = Math.max(...hooks().map(({ settings }) => settings.max_bytes ?? usualBytes), 1);
    const held = budget.open(address);
    response.once("close", held.close);
    const body = await readBody(request, mostBytes, held);
    if (body === "no_room") return { refused: "busy", retryAfterMs: 1_000 };
    return body === "too_large" ? { refused: body } : body === "aborted" ? undefined : body;
  }

  async function receive(
    request: IncomingMessage,
    named: Hook | undefined,
    bytes: Buffer,
  ): Promise<AcceptedDelivery | Refused> {
    // A request to an unknown hook takes as long as one to the first.
    const hook = named ?? hooks()[0];
    if (hook === undefined) return { refused: "not_signed", why: "unknown_hook" };
    const { name, sign, max_bytes: mostBytes = usualBytes, per_minute: perMinute = usualPerMinute } = hook.settings;
    const headers = request.headersDistinct;
    const secrets = await secretsOf(hook);
    const judged = judgeWebhook(sign, secrets, { headers, body: bytes, now: Date.now() });
    if (named === undefined) return { refused: "not_signed", why: "unknown_hook" };
    if (secrets.length === 0) return { refused: "not_signed", why: "secret_unavailable" };
    if (judged.refusal !== undefined) return { refused: "not_signed", why: judged.refusal };
    addresses.giveBack(senderOf(request).address);
    if (bytes.length > mostBytes) return { refused: "too_large" };
    const rate = rates.getOrInsertComputed(perMinute, () => createTokenBuckets({ perMinute }));
    const waitMs = rate.take(name);
    if (waitMs > 0) return { refused: "too_many", retryAfterMs: waitMs };
    const isForm = formType.test(request.headers["content-type"] ?? "");
    return deps.accept(hook, { headers, bytes, isForm, signedId: judged.id });
  }

  return async (request: IncomingMessage, response: ServerResponse, next: Next): Promise<void> => {
    const [, name = ""] = /^\/([a-z0-9][a-z0-9._-]{0,63})(?:\?|$)/.exec(request.url ?? "") ?? [];
    const named = hooks().find(({ settings }) => settings.name === name);
    const hook = named === undefined ? "other" : name;
    const exchange = { request, response, correlationId: correlationOfRequest(request.headers, requestIdOf(response)) };
    try {
      const bytes = await read(request, response);
      if (bytes === undefined) return;
      const result = Buffer.isBuffer(bytes) ? await receive(request, named, bytes) : bytes;
      await ("refused" in result ? refuse(exchange, hook, result) : accept(exchange, hook, result));
    } catch (cause) {
      if (outageOf(cause) === undefined) return next(cause);
      await refuse(exchange, hook, { refused: "storage_unavailable", retryAfterMs: 5_000, cause });
    }
  };
}

export type HookRoute = ReturnType<typeof createHookRoute>;

/** Returns functions that answer. What is refused is in the audit log unless the same hook had too many in the last minute. */
function createAnswers({ record, emit }: HookRouteDeps) {
  const isWithin = createActLimit();

  /** `hook`: `other` for an unknown one. `because`: why it was refused. */
  async function audit({ request, correlationId }: Exchange, hook: string, details: NewAuditEvent["details"]) {
    const isRefused = details?.["because"] !== undefined;
    const author = { actor: isRefused ? "unknown" : `hook:${hook}`, correlationId, from: senderOf(request) };
    const act = authorAct(author, { action: "hook.deliver", target: { type: "hook", id: hook }, details });
    const outcome = isRefused ? "rejected" : "done";
    await record({ ...act, surface: "api", outcome }).catch((cause: unknown) => emit("http_failed", { cause }));
  }

  return {
    accept: async (exchange: Exchange, hook: string, { isNew, ...shown }: AcceptedDelivery): Promise<void> => {
      if ("challenge" in shown) {
        emit("hook_accepted", { hook, outcome: "ignored" });
        return answerJson(exchange.response, 200, JSON.stringify(shown));
      }
      if (isNew === true) await audit(exchange, hook, shown);
      emit("hook_accepted", { hook, outcome: "ignored" in shown ? "ignored" : isNew ? "new" : "known", ...shown });
      answerJson(exchange.response, 202, JSON.stringify(shown));
    },

    refuse: async (exchange: Exchange, hook: string, refusal: Refused): Promise<void> => {
      const { request, response, correlationId } = exchange;
      const { refused, why: because = refused, problems, cause } = refusal;
      const [status, message] = answers[refused];
      const retryAfterMs = refused === "cap_used" ? dayMs - (Date.now() % dayMs) : refusal.retryAfterMs;
      const headers = {
        ...refusalHeaders({ request, correlationId, retryAfterMs }),
        ...(status === 405 && { allow: "POST" }),
        ...(status === 401 && { "www-authenticate": "Signature" }),
      };
      const body = JSON.stringify({ error: { reason: refused, message, problems } });
      answer(response, status, { contentType: "application/json", body, headers: Object.entries(headers).flat() });
      emit("hook_refused", { hook, reason: because, correlation_id: correlationId, ...senderOf(request), cause });
      if (status !== 503 && isWithin(hook)) await audit(exchange, hook, { because });
    },
  };
}

import { createRecordRejected, authorAct, type RecordAct } from "@crosszone/audit";
import {
  answerJson,
  createTokenBuckets,
  type Emit,
  type Exchange,
  type Judged,
  type Refusal,
  refusalsOf,
  Refused,
  surface,
} from "@crosszone/service-kit";
import { judgeWebhook, type WebhookRefusal } from "@crosszone/service-kit/webhooks";
import { outageOf } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { AcceptDelivery, RefusedDelivery } from "../fires/deliveries.ts";
import type { Hook } from "../fires/hook-settings.ts";

/** What only hooks refuse, or in their own words. */
const refuse = refusalsOf({
  too_large: { status: 413, advice: "the body is larger than this hook accepts" },
  not_signed: { status: 401, advice: "the hook does not exist, or the signature or token is not valid" },
  body_invalid: { status: 422, advice: "the body can't be read" },
  schema_mismatch: { status: 422, advice: "the body does not match the hook's schema" },
  mapping_failed: { status: 422, advice: "an expression of the hook does not fit the request" },
  cap_used: { status: 429, advice: "the hook has used its cap of this UTC day" },
  busy: { status: 503, advice: "the zone checks or receives too much right now; send it again" },
  storage_unavailable: { status: 503, advice: "the delivery can't be stored right now; send it again" },
});

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

const formType = "application/x-www-form-urlencoded";
/** JSON is also meant without a type. */
const bodyTypes = ["application/json", "", "text/json", "+json", formType];

/** A delivery whose sender has proved itself. */
interface SignedDelivery {
  readonly hook: Hook;
  readonly bytes: Buffer;
  readonly signedId: string | undefined;
}

/**
 * Creates the route of `POST /hooks/<name>`, for the path after `/hooks`. A stranger learns nothing of a hook: an unknown name and a wrong
 * signature get the same answer after the same work, and a hook's own limits apply once the sender has proved itself. What is refused is in
 * the audit log unless the same hook had too many in the last minute; the answer does not wait for that.
 */
export function createHookRoute({ hooks, secretsOf, accept, record, emit }: HookRouteDeps) {
  const addresses = createTokenBuckets({ perMinute: perAddress });
  const rates = createTokenBuckets({ perMinute: usualPerMinute });
  const failed = (cause: unknown): void => emit("http_failed", { cause });
  const recordRejected = createRecordRejected(record, failed);

  const namedBy = ({ request }: Exchange): Hook | undefined => {
    const [, name] = /^\/([a-z0-9][a-z0-9._-]{0,63})(?:\?|$)/.exec(request.url ?? "") ?? [];
    return hooks().find(({ settings }) => settings.name === name);
  };
  const labelOf = (exchange: Exchange): string => namedBy(exchange)?.settings.name ?? "other";
  const targetOf = (hook: string) => ({ action: "hook.deliver", target: { type: "hook", id: hook } });

  async function judge(exchange: Exchange, bytes: Buffer): Promise<Judged<SignedDelivery>> {
    const unsigned = (reason: WebhookRefusal | "unknown_hook" | "secret_unavailable"): Refusal =>
      refuse("not_signed", { reason, headers: { "www-authenticate": "Signature" } });
    const named = namedBy(exchange);
    // A request to an unknown hook takes as long as one to the first.
    const hook = named ?? hooks()[0];
    if (hook === undefined) return unsigned("unknown_hook");
    const secrets = await secretsOf(hook);
    const signed = { headers: exchange.request.headersDistinct, body: bytes, now: Date.now() };
    const judged = judgeWebhook(hook.settings.sign, secrets, signed);
    if (named === undefined) return unsigned("unknown_hook");
    if (secrets.length === 0) return unsigned("secret_unavailable");
    if (judged.refusal !== undefined) return unsigned(judged.refusal);
    return { who: { hook, bytes, signedId: judged.id } };
  }

  async function serve(
    { request, response, correlationId, from }: Exchange,
    { hook, bytes, signedId }: SignedDelivery,
  ) {
    const { headersDistinct: headers } = request;
    const isForm = (headers["content-type"]?.[0] ?? "").toLowerCase().startsWith(formType);
    const result = await accept(hook, { headers, bytes, isForm, signedId });
    if ("refused" in result) throw new Refused(refusalOf(result));
    const { name } = hook.settings;
    const { isNew, ...shown } = result;
    if (!("challenge" in shown) && isNew === true) {
      const author = { actor: `hook:${name}`, correlationId, from };
      const act = authorAct(author, { ...targetOf(name), details: shown });
      await record({ ...act, surface: "api", outcome: "done" }).catch(failed);
    }
    const outcome = "challenge" in shown || "ignored" in shown ? "ignored" : isNew ? "new" : "known";
    emit("hook_accepted", { hook: name, outcome, ...("challenge" in shown ? {} : shown) });
    answerJson(response, "challenge" in shown ? 200 : 202, JSON.stringify(shown));
  }

  return surface<SignedDelivery>({
    methods: ["POST"],
    strangers: {
      take: ({ from }) => addresses.take(from.address),
      judged: ({ from }, isProven) => void (isProven && addresses.giveBack(from.address)),
    },
    auth: (exchange) => ({ confirm: (bytes) => judge(exchange, bytes) }),
    // The largest of all: with a limit for each name, the answer would tell which names exist.
    body: () => ({
      maxBytes: Math.max(...hooks().map(({ settings }) => settings.max_bytes ?? usualBytes), 1),
      types: bodyTypes,
    }),
    limit: ({ hook: { settings } }) => rates.take(settings.name, { perMinute: settings.per_minute ?? usualPerMinute }),
    may: ({ hook: { settings }, bytes }) =>
      bytes.length > (settings.max_bytes ?? usualBytes) ? refuse("too_large") : undefined,
    serve: (exchange, { who }) => serve(exchange, who),
    refusalOf: (cause) =>
      outageOf(cause) === undefined ? undefined : refuse("storage_unavailable", { retryAfterMs: 5_000, cause }),
    refuse,
    write: ({ kind: reason, message, problems }) => ({
      contentType: "application/json",
      body: JSON.stringify({ error: { reason, message, problems } }),
    }),
    onRefused: ({ kind, status, reason = kind, cause }, exchange) => {
      const { correlationId, from } = exchange;
      const hook = labelOf(exchange);
      emit("hook_refused", { hook, reason, correlation_id: correlationId, ...from, cause });
      if (kind === "internal") failed(cause);
      const author = { actor: "unknown", correlationId, from };
      const act = { ...targetOf(hook), details: { because: reason }, surface: "api" } as const;
      if (status < 500) void recordRejected(author, act, hook);
    },
  });
}

export type HookRoute = ReturnType<typeof createHookRoute>;

function refusalOf({ refused, problems, retryAfterMs }: RefusedDelivery): Refusal {
  const untilTomorrow = refused === "cap_used" ? dayMs - (Date.now() % dayMs) : retryAfterMs;
  return refuse(refused, { problems, retryAfterMs: untilTomorrow });
}

import type { Forgery } from "../protocol/faults.ts";
import type { EventEnvelope } from "./event-envelope.ts";
import { type SentRequest, signedHeaders } from "./signed-request.ts";

const SKEW_SECONDS = 600;
const TOO_LARGE = 5_000_000;

/** The parts of a forged request. */
export interface ForgedRequestParts {
  url: string;
  /** A valid event; each forgery spoils one aspect of it. */
  envelope: EventEnvelope;
  signingSecret: string;
  /** Unix seconds. */
  now: number;
}

/**
 * Returns a bad request that an app must refuse. All but `no_headers` and `wrong_secret` are signed with the real secret. `stale` and
 * `future` are ten minutes off, `suffix` has text after the valid signature, `v1` has another version before it, `too_large` has 5 MB, and
 * `wrong_app` is for another app.
 */
export function forgedRequest(kind: Forgery["kind"], parts: ForgedRequestParts): SentRequest {
  const { url, signingSecret, now } = parts;
  const envelope = spoiledEnvelope(kind, parts.envelope);
  const body = JSON.stringify(envelope);
  const skew = { stale: -SKEW_SECONDS, future: SKEW_SECONDS }[kind as string] ?? 0;
  const secret = kind === "wrong_secret" ? `${signingSecret}x` : signingSecret;
  const headers = signedHeaders(secret, now + skew, body);
  const signature = headers["x-slack-signature"] ?? "";
  if (kind === "suffix") headers["x-slack-signature"] = `${signature}=junk`;
  if (kind === "v1") headers["x-slack-signature"] = signature.replace(/^v0/, "v1");
  if (kind === "no_headers") {
    delete headers["x-slack-signature"];
    delete headers["x-slack-request-timestamp"];
  }
  return { url, headers, body };
}

function spoiledEnvelope(kind: Forgery["kind"], envelope: EventEnvelope): EventEnvelope {
  if (kind === "wrong_app") return { ...envelope, api_app_id: "A0SOMEOTHER" };
  if (kind === "too_large") return { ...envelope, event: { ...envelope.event, text: "x".repeat(TOO_LARGE) } };
  return envelope;
}

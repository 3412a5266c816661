import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { readBearer } from "@crosszone/service-kit";

/** Identifies the caller. Each kind of credentials has its own authenticator; the zone uses one. */
export interface Authenticator {
  /** How the agent card declares the credentials. Absent when none are required, or when A2A has no scheme for them. */
  readonly scheme?: "bearer" | "mtls";
  /** The `www-authenticate` header of a 401. https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1 */
  readonly challenge: string;
  /** Tells a caller without credentials what to send. */
  readonly hint: string;
  /**
   * Decides before the body is read. Returns a promise only when it has to wait for keys, which most requests don't.
   * Rejects when it can't decide, which is not the caller's fault.
   */
  authenticate(request: AuthRequest): Verdict | Promise<Verdict>;
}

/** The part of a request that authentication reads. For TLS, `socket` has the client certificate. */
export type AuthRequest = Pick<IncomingMessage, "method" | "url" | "headers" | "socket">;

export type Verdict = Accepted | Refused;

export interface Accepted {
  /** The caller's name in tasks, limits and logs. */
  readonly caller: string;
  /** Verifies the body. Until it agrees, the caller is unproven. */
  readonly confirm?: (body: Uint8Array) => Verdict;
}

export interface Refused {
  readonly refused: AuthRefusal;
}

/**
 * Why a request was refused, for the log and the metric. The caller learns only whether credentials are missing or
 * invalid.
 */
export const authRefusals = [
  "credentials_missing",
  "token_wrong",
  "token_malformed",
  "token_expired",
  "token_not_yet_valid",
  "token_wrong_audience",
  "token_wrong_issuer",
  "token_wrong_algorithm",
  "token_unknown_key",
  "signature_wrong",
  "timestamp_stale",
  "timestamp_in_future",
  "nonce_replayed",
  "certificate_untrusted",
  "certificate_expired",
  "caller_not_allowed",
] as const;

export type AuthRefusal = (typeof authRefusals)[number];

/** Returns a refusing verdict. */
export const refused = (reason: AuthRefusal): Refused => ({ refused: reason });

/**
 * Bearer tokens (RFC 6750) between the zones. Several can be valid at once, so that a token can be replaced without
 * downtime. A function `tokens` is called for each request, because tokens may come from a file. Without tokens every
 * request is refused. Comparison takes constant time; it reveals only a token's length, which is not secret.
 */
export function createBearerAuth(tokens: readonly string[] | (() => readonly string[]), caller: string): Authenticator {
  const accepted = { caller };
  const configured = typeof tokens === "function" ? tokens : () => tokens;
  return {
    scheme: "bearer",
    challenge: "Bearer",
    hint: "send the zone's token as Authorization: Bearer",
    authenticate: ({ headers }) => {
      const token = readBearer(headers.authorization);
      if (token === undefined) return refused("credentials_missing");
      const given = Buffer.from(token);
      let matches = false;
      // Compares every token, even after a match.
      for (const one of configured().map((text) => Buffer.from(text)))
        if (one.length === given.length && timingSafeEqual(one, given)) matches = true;
      return matches ? accepted : refused("token_wrong");
    },
  };
}

/**
 * Accepts every request as the platform's caller. Only for a host that authenticates all requests and doesn't pass on
 * the credentials; anywhere else it lets everyone in.
 */
export function createPlatformAuth(platform: string): Authenticator {
  const accepted = { caller: platform };
  return { challenge: "Bearer", hint: "no credentials are required", authenticate: () => accepted };
}

/**
 * Accepts every program as the caller `local`. The configuration allows this on loopback only. A web page could reach
 * loopback by DNS rebinding, so requests with an `origin`, which only browsers send, are refused.
 * https://fetch.spec.whatwg.org/#origin-header
 */
export function createOpenAuth(): Authenticator {
  const local = { caller: "local" };
  return {
    challenge: "Bearer",
    hint: "no credentials are required",
    authenticate: ({ headers }) => (headers.origin === undefined ? local : refused("caller_not_allowed")),
  };
}

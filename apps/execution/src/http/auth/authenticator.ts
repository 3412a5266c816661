import type { IncomingMessage } from "node:http";

/** Finds out who asks. Each kind of credentials has one; the zone uses one of them. */
export interface Authenticator {
  /** How the agent card declares the credentials; absent when none are asked for, and when A2A has no scheme for them. */
  readonly scheme?: "bearer" | "mtls";
  /** What a 401 says in `www-authenticate`. https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1 */
  readonly challenge: string;
  /** What a sender without credentials is told to do. */
  readonly hint: string;
  /**
   * Decides by what is known before the body is read. Gives a promise only where it has to wait, for keys: most requests need
   * none. Rejects when it cannot decide, which is not the sender's fault.
   */
  authenticate(request: AuthRequest): Verdict | Promise<Verdict>;
}

/** The part of a request that authentication sees. Of a TLS connection, `socket` has the client's certificate. */
export type AuthRequest = Pick<IncomingMessage, "method" | "url" | "headers" | "socket">;

export type Verdict = Accepted | Refused;

export interface Accepted {
  /** Who asks: tasks, limits and logs go by this name. */
  readonly caller: string;
  /** Until this has seen the body and agreed, the caller is only claimed. */
  readonly confirm?: (body: Uint8Array) => Verdict;
}

export interface Refused {
  readonly refused: AuthRefusal;
}

/**
 * Why a request is refused: for the log and the metric. The sender learns whether credentials are missing or invalid, and no more.
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

/** A verdict that refuses; made once for each reason, since most refused requests come in crowds. */
export function refused(reason: AuthRefusal): Refused {
  return refusals[reason];
}

const refusals = Object.fromEntries(authRefusals.map((reason) => [reason, { refused: reason }])) as Record<
  AuthRefusal,
  Refused
>;

import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
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
   * Rejects when it can't decide, which is not the caller's fault. For TLS, its `socket` has the client certificate.
   */
  authenticate(request: IncomingMessage): AuthVerdict | Promise<AuthVerdict>;
}

export type AuthVerdict = Accepted | Refused;

interface Accepted {
  /** The caller's name in tasks, limits and logs. */
  readonly caller: string;
  /** Verifies the body. Until it agrees, the caller is unproven. */
  readonly confirm?: (body: Uint8Array) => AuthVerdict;
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
  "certificate_not_yet_valid",
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

const untrusted: ReadonlyMap<string, AuthRefusal> = new Map([
  ["CERT_HAS_EXPIRED", "certificate_expired"],
  ["CERT_NOT_YET_VALID", "certificate_not_yet_valid"],
]);

/**
 * Authenticates client certificates. TLS verifies the authority's signature and the dates when a connection opens. This
 * checks the name once per connection, and the expiry date on each request, because a connection may outlive its
 * certificate. The caller is the allowed name, one of `clients`: see `certificateNames`. A certificate of the right
 * authority is not enough. `now` is in Unix milliseconds.
 */
export function createMtlsAuth(clients: readonly string[], now: () => number): Authenticator {
  const known = new WeakMap<Socket, { readonly verdict: AuthVerdict; readonly until: number }>();

  const check = (socket: Socket): { verdict: AuthVerdict; until: number } => {
    const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
    if (!(socket instanceof TLSSocket) || certificate === undefined)
      return { verdict: refused("credentials_missing"), until: Infinity };
    const until = certificate.validToDate.getTime();
    if (!socket.authorized) {
      const reason = untrusted.get(String(socket.authorizationError)) ?? "certificate_untrusted";
      return { verdict: refused(reason), until: Infinity };
    }
    const names = certificateNames(certificate);
    const caller = clients.find((client) => names.includes(client));
    return { verdict: caller === undefined ? refused("caller_not_allowed") : { caller }, until };
  };

  return {
    scheme: "mtls",
    challenge: "Mutual-TLS",
    hint: "connect with a client certificate of the zone's authority",
    authenticate: ({ socket }) => {
      let found = known.get(socket);
      if (found === undefined) {
        found = check(socket);
        known.set(socket, found);
      }
      return now() < found.until ? found.verdict : refused("certificate_expired");
    },
  };
}

/**
 * Returns the names in a certificate in the operator's notation: `CN=verification` of the subject, and `DNS:…`,
 * `URI:…`, `email:…` or `IP Address:…` of the subject's alternative names. Node quotes ambiguous names. Text that can't
 * be parsed completely yields no alternative names. https://nodejs.org/api/crypto.html#x509subjectaltname
 */
export function certificateNames({
  subject,
  subjectAltName,
}: {
  readonly subject: string | undefined;
  readonly subjectAltName: string | undefined;
}) {
  const common = (subject ?? "").split("\n").filter((line) => line.startsWith("CN="));
  return [...common, ...alternativeNames(subjectAltName ?? "")];
}

function alternativeNames(text: string): string[] {
  const names: string[] = [];
  const entry = /(?:^|, )([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^",]*)/gy;
  let end = 0;
  for (const [all, type = "", name = ""] of text.matchAll(entry)) {
    end += all.length;
    names.push(`${type}:${name.startsWith('"') ? (JSON.parse(name) as string) : name}`);
  }
  return end === text.length ? names : [];
}

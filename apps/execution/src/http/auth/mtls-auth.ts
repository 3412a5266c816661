import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { refused, type Authenticator, type Verdict } from "./authenticator.ts";
import { certificateNames } from "./certificate-names.ts";

export interface MtlsAuthOptions {
  /** Allowed certificate names: see `certificateNames`. A certificate of the right authority is not enough. */
  readonly clients: readonly string[];
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * Authenticates client certificates. TLS verifies the authority's signature and the dates when a connection opens. This
 * checks the name once per connection, and the expiry date on each request, because a connection may outlive its
 * certificate. The caller is the allowed name.
 */
export function createMtlsAuth({ clients, now }: MtlsAuthOptions): Authenticator {
  const known = new WeakMap<Socket, { readonly verdict: Verdict; readonly until: number }>();

  const check = (socket: Socket): { verdict: Verdict; until: number } => {
    const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
    if (!(socket instanceof TLSSocket) || certificate === undefined)
      return { verdict: refused("credentials_missing"), until: Infinity };
    const until = certificate.validToDate.getTime();
    if (!socket.authorized) {
      const expired = String(socket.authorizationError) === "CERT_HAS_EXPIRED";
      return { verdict: refused(expired ? "certificate_expired" : "certificate_untrusted"), until: Infinity };
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

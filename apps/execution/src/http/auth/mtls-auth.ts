import type { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { type Authenticator, refused, type Verdict } from "./authenticator.ts";

/**
 * Authenticates client certificates. TLS verifies the authority's signature and the dates when a connection opens. This
 * checks the name once per connection, and the expiry date on each request, because a connection may outlive its
 * certificate. The caller is the allowed name, one of `clients`: see `certificateNames`. A certificate of the right
 * authority is not enough. `now` is in Unix milliseconds.
 */
export function createMtlsAuth(clients: readonly string[], now: () => number): Authenticator {
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

/**
 * Returns the names in a certificate in the operator's notation: `CN=verification` of the subject, and `DNS:…`,
 * `URI:…`, `email:…` or `IP Address:…` of the subject's alternative names. Node quotes ambiguous names. Text that can't
 * be parsed completely yields no alternative names. https://nodejs.org/api/crypto.html#x509subjectaltname
 */
export function certificateNames({ subject, subjectAltName }: Pick<X509Certificate, "subject" | "subjectAltName">) {
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

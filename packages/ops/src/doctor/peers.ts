import { X509Certificate } from "node:crypto";
import { get as httpGet, type IncomingMessage } from "node:http";
import { get as httpsGet } from "node:https";
import { json } from "node:stream/consumers";
import { type SecureContextOptions, TLSSocket } from "node:tls";
import { failed, type Finding, passed, type DoctorRow, type RowHead, skipped, warned } from "./run-doctor.ts";

/** Returns the last day of a certificate, such as `2030-01-31`, the whole days until then, and whether to renew it now. */
function validity(end: Date): { readonly day: string; readonly days: number; readonly isSoon: boolean } {
  const days = Math.floor((end.getTime() - Date.now()) / 86_400_000);
  return { day: end.toISOString().slice(0, 10), days, isSoon: days < 21 };
}

/** Judges certificates in files, PEM by the variable that names the file. */
export function judgeCertificates(says: string, certificates: Readonly<Record<string, string | undefined>>): Finding {
  const ends = Object.entries(certificates).flatMap(([name, pem]) =>
    pem === undefined
      ? []
      : [{ name, begin: new X509Certificate(pem).validFromDate, ...validity(new X509Certificate(pem).validToDate) }],
  );
  const early = ends
    .filter(({ begin }) => begin.getTime() > Date.now())
    .map(({ name, begin }) => `${name} is valid from ${begin.toISOString()}. Check this machine's clock.`);
  if (early.length > 0) return failed("a certificate is not valid yet", ...early);
  const over = ends.filter(({ days }) => days < 0).map(({ name, day }) => `${name} expired on ${day}. Renew it.`);
  const soon = ends.filter(({ isSoon }) => isSoon).map(({ name, day }) => `${name} expires on ${day}. Renew it.`);
  if (over.length > 0) return failed("a certificate has expired", ...over);
  if (soon.length > 0) return warned(`${says}; a certificate expires soon`, ...soon);
  return passed([says, ...ends.map(({ name, day }) => `${name} is valid until ${day}`)].join("; "));
}

/** A server, and the variable that configures it. */
export interface Peer {
  readonly url: string;
  readonly variable: string;
  /** What to do when the connection is refused, e.g. `Start the collector`. */
  readonly whenDown: string;
  /** The variable that names the CA file for this server. Default: `NODE_EXTRA_CA_CERTS`. */
  readonly authorityVariable?: string;
  /** Custom certificates: `ca` to trust, `cert` and `key` to present. */
  readonly tls?: SecureContextOptions;
  readonly headers?: Readonly<Record<string, string>>;
  /** Judges the response; `body` is undefined if it is not JSON. Default: any response will do. */
  readonly judge?: (status: number, body: unknown) => Finding;
}

/**
 * Makes the row that reaches a peer: DNS, TCP, TLS, and the HTTP response to a GET without credentials. `peer` is called when the row runs.
 */
export function reachableRow(row: RowHead, peer: () => Peer | undefined) {
  /** When the peer was reached, and the time on its own clock; Unix milliseconds. */
  let reached: { readonly sentAt: number; readonly receivedAt: number; readonly peerAt: number } | undefined;
  const probe: DoctorRow["probe"] = async () => {
    const tried = peer();
    if (tried === undefined) return passed("uses no network");
    const sentAt = Date.now();
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const options = { agent: false as const, headers: { accept: "application/json", ...tried.headers }, ...tried.tls };
    const request = (tried.url.startsWith("https:") ? httpsGet : httpGet)(tried.url, options, resolve).once(
      "error",
      reject,
    );
    const timer = setTimeout(() => request.destroy(Object.assign(new Error(), { code: "TIMEOUT" })), 10_000);
    try {
      const response = await promise;
      // NaN without the header.
      reached = { sentAt, receivedAt: Date.now(), peerAt: Date.parse(response.headers.date ?? "") };
      const { judge } = tried;
      if (judge) return judge(response.statusCode ?? 0, await json(response).catch(() => undefined));
      return describeReached(response.socket, Date.now() - sentAt);
    } catch (error) {
      return describeUnreached((error as NodeJS.ErrnoException).code ?? "FAILED", tried);
    } finally {
      clearTimeout(timer);
      request.destroy();
    }
  };
  return {
    row: { ...row, probe },
    /** Undefined until the row has passed. */
    reached: () => reached,
  };
}

function describeReached(socket: IncomingMessage["socket"], ms: number): Finding {
  const address = `${socket.remoteAddress ?? "?"}:${socket.remotePort ?? "?"}`;
  if (!(socket instanceof TLSSocket)) return passed(`${address} answers over plain HTTP in ${ms} ms`);
  const { day, days, isSoon } = validity(new Date(socket.getPeerCertificate().valid_to));
  const says = `${address} answers over ${socket.getProtocol()} in ${ms} ms; its certificate is valid until ${day}`;
  return isSoon ? warned(`${says}, ${days} days from now`, "Renew the certificate.") : passed(says);
}

/** Describes why a server could not be reached, by the code of the system, of TLS or of Node's HTTP client. */
export function describeUnreached(
  code: string,
  { url, variable, whenDown, authorityVariable = "NODE_EXTRA_CA_CERTS" }: Peer,
): Finding {
  const { host, hostname } = new URL(url);
  const untrusted = `${host} has a certificate that is not trusted:`;
  const check = `Check ${variable}`;
  const authority = `Set ${authorityVariable} to the file of its certificate authority. Never turn verification off.`;
  const causes: [RegExp, says: string, todo: string][] = [
    [/^ECONNREFUSED$/, `the connection to ${host} was refused`, `${whenDown}, or correct ${variable}.`],
    [/^CERT_HAS_EXPIRED$/, `${untrusted} it has expired`, "Renew the certificate."],
    [/^CERT_NOT_YET_VALID$/, `${untrusted} it is not valid yet`, "Check this machine's clock, then the certificate."],
    [/ALTNAME_INVALID$/, `${untrusted} it is for another host name`, `Use the certificate's host name in ${variable}.`],
    [/CERT|ISSUER|SIGNATURE/, `${untrusted} its certificate authority is unknown here (${code})`, authority],
    [/^ENOTFOUND$|^EAI_/, `the name ${hostname} cannot be resolved (${code})`, `${check}, and this machine's DNS.`],
    [/^EPROTO$|SSL/, `the TLS handshake with ${host} failed (${code})`, `${check}: http:, or a client certificate?`],
    [/^ECONNRESET$|^HPE_/, `${host} accepts the connection but does not respond (${code})`, `${check}: the port.`],
    [/(?:)/, `no connection to ${host} (${code})`, `${check}, and firewalls, routes and proxies on the way.`],
  ];
  const [, says = "", todo = ""] = causes.find(([pattern]) => pattern.test(code)) ?? [];
  return failed(says, todo);
}

export interface ClockOptions {
  /** The server whose clock is compared with this machine's. */
  readonly peer: string;
  /** The effect of a wrong clock. */
  readonly consequence: string;
  /** From this difference on, requests fail; absent when nothing fails. */
  readonly limitSeconds?: number;
}

/** Makes the row that compares this machine's clock with the `Date` header of a peer. Accurate to about one second. */
export function clockRow(
  row: RowHead,
  reached: ReturnType<typeof reachableRow>["reached"],
  { peer, consequence, limitSeconds = Infinity }: ClockOptions,
): DoctorRow {
  const probe = (): Finding => {
    const { peerAt, sentAt, receivedAt } = reached() ?? { peerAt: Number.NaN, sentAt: 0, receivedAt: 0 };
    if (Number.isNaN(peerAt)) return skipped(`the response of ${peer} has no Date header`);
    const seconds = Math.round((peerAt + 500 - (sentAt + receivedAt) / 2) / 1_000);
    const distance = Math.abs(seconds);
    if (distance <= 1) return passed(`agrees with ${peer}`);
    const says = `this machine is ${distance} s ${seconds > 0 ? "behind" : "ahead of"} ${peer}`;
    if (distance >= limitSeconds) return failed(`${says}: ${consequence}`);
    const limit = limitSeconds === Infinity ? "" : `, from ${limitSeconds} s on`;
    return distance >= 30 ? warned(`${says}; ${consequence}${limit}`) : passed(says);
  };
  return { ...row, probe, advice: "Synchronize the clock of this machine by NTP, and the peer's too if it is yours." };
}

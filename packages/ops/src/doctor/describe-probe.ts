import { daysUntil, renewWithinDays } from "./configuration-checks.ts";
import { failed, passed, warned, type Finding } from "./checks.ts";
import type { ProbeResult, ProbeError, ProbeStep } from "./probe.ts";

/** A server's name for operators, and the variable that configures it. */
export interface Peer {
  readonly url: string;
  readonly variable: string;
  /** What to do when the connection is refused, e.g. `Start the collector`. */
  readonly whenDown: string;
  /** The variable that names the CA file for this server. Default: `NODE_EXTRA_CA_CERTS`. */
  readonly authorityVariable?: string;
}

/** Describes the response of a reached server. Other checks judge its status. */
export function describeProbe({ address, certificate, sentAt, receivedAt }: ProbeResult, peer: Peer): Finding {
  const ms = receivedAt - sentAt;
  if (certificate === undefined) return passed(`${address} answers over plain HTTP in ${ms} ms`);
  const { untrusted, validTo, protocol } = certificate;
  const day = Number.isNaN(validTo.getTime()) ? "an unknown date" : validTo.toISOString().slice(0, 10);
  if (untrusted !== undefined)
    return failed(
      `${address} has a certificate that is not trusted: ${wordsOf(untrusted, day)}`,
      cure(untrusted, peer),
    );
  const days = daysUntil(validTo, receivedAt);
  const says = `${address} answers over ${protocol} in ${ms} ms; its certificate is valid until ${day}`;
  return days < renewWithinDays ? warned(`${says}, ${days} days from now`, "Renew the certificate.") : passed(says);
}

/** Describes why a server could not be reached. */
export function describeProbeError(error: ProbeError, { url, variable, whenDown }: Peer): Finding {
  const { host, hostname } = new URL(url);
  const failures = {
    dns: () =>
      failed(
        `the name ${hostname} cannot be resolved (${error.code})`,
        `Check ${variable}, and the DNS of this machine.`,
      ),
    tcp: () =>
      error.code === "ECONNREFUSED"
        ? failed(`the connection to ${host} was refused`, `${whenDown}, or correct ${variable}.`)
        : failed(`no connection to ${host} (${error.code})`, "Check firewalls, routes and proxies on the way."),
    tls: () =>
      failed(
        `the TLS handshake with ${host} failed (${error.code})`,
        `Check whether ${variable} should begin with http:, and whether the server requires a client certificate.`,
      ),
    http: () =>
      failed(`${host} accepts the connection but does not respond (${error.code})`, `Check the port in ${variable}.`),
  } satisfies Record<ProbeStep, () => Finding>;
  return failures[error.step]();
}

const words = new Map([
  ["CERT_HAS_EXPIRED", (day: string) => `it expired on ${day}`],
  ["CERT_NOT_YET_VALID", () => "it is not valid yet"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", () => "it is self-signed"],
  ["SELF_SIGNED_CERT_IN_CHAIN", () => "its certificate authority is unknown here"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", () => "its certificate authority is unknown here"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", () => "its certificate authority is unknown here"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", () => "it is for another host name"],
]);

function wordsOf(code: string, day: string): string {
  return words.get(code)?.(day) ?? code;
}

function cure(code: string, { variable, authorityVariable = "NODE_EXTRA_CA_CERTS" }: Peer): string {
  if (code === "CERT_HAS_EXPIRED") return "Renew the certificate.";
  if (code === "CERT_NOT_YET_VALID") return "Check the clock of this machine, then the certificate.";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return `Use the certificate's host name in ${variable}.`;
  return `Set ${authorityVariable} to the file of its certificate authority. Never turn verification off.`;
}

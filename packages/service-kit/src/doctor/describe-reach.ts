import { daysUntil, renewWithinDays } from "./certificate-end.ts";
import { failed, passed, warned, type Finding } from "./check.ts";
import type { Reached, ReachError, ReachStep } from "./reach.ts";

/** What an operator calls a server, and the variable that names it. */
export interface Peer {
  readonly url: string;
  readonly variable: string;
  /** What to do when nobody listens, e.g. `Start the collector`. */
  readonly whenDown: string;
  /** The variable that names the file of the authority to trust for this server; Node's own, `NODE_EXTRA_CA_CERTS`, when absent. */
  readonly authorityVariable?: string;
}

/** Tells in words what reaching a server came to. Which status it answered with is another check's matter. */
export function describeReached({ address, certificate, sentAt, receivedAt }: Reached, peer: Peer): Finding {
  const ms = receivedAt - sentAt;
  if (certificate === undefined) return passed(`${address} answers over plain HTTP in ${ms} ms`);
  const { untrusted, validTo, protocol } = certificate;
  const day = Number.isNaN(validTo.getTime()) ? "an unknown day" : validTo.toISOString().slice(0, 10);
  if (untrusted !== undefined)
    return failed(
      `${address} has a certificate that is not trusted: ${wordsOf(untrusted, day)}`,
      cure(untrusted, peer),
    );
  const days = daysUntil(validTo, receivedAt);
  const says = `${address} answers over ${protocol} in ${ms} ms; its certificate is valid until ${day}`;
  return days < renewWithinDays ? warned(`${says}, ${days} days from now`, "Renew the certificate.") : passed(says);
}

/** Tells in words why a server could not be reached. */
export function describeReachError(error: ReachError, { url, variable, whenDown }: Peer): Finding {
  const { host, hostname } = new URL(url);
  const failures = {
    dns: () =>
      failed(
        `the name ${hostname} cannot be resolved (${error.code})`,
        `Look at ${variable}, and at the DNS of this machine.`,
      ),
    tcp: () =>
      error.code === "ECONNREFUSED"
        ? failed(`nobody listens at ${host}`, `${whenDown}, or correct ${variable}.`)
        : failed(`no connection to ${host} (${error.code})`, "Look at firewalls, routes and proxies on the way."),
    tls: () =>
      failed(
        `${host} does not speak TLS as it should (${error.code})`,
        `Look whether ${variable} should begin with http:, and whether the server asks for a certificate of yours.`,
      ),
    http: () =>
      failed(
        `${host} takes the connection and gives no answer (${error.code})`,
        `Look whether ${variable} names the right port.`,
      ),
  } satisfies Record<ReachStep, () => Finding>;
  return failures[error.step]();
}

const words = new Map([
  ["CERT_HAS_EXPIRED", (day: string) => `it ended on ${day}`],
  ["CERT_NOT_YET_VALID", () => "it is not valid yet"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", () => "it is signed by itself"],
  ["SELF_SIGNED_CERT_IN_CHAIN", () => "its authority is not known here"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", () => "its authority is not known here"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", () => "its authority is not known here"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", () => "it is for another name"],
]);

function wordsOf(code: string, day: string): string {
  return words.get(code)?.(day) ?? code;
}

function cure(code: string, { variable, authorityVariable = "NODE_EXTRA_CA_CERTS" }: Peer): string {
  if (code === "CERT_HAS_EXPIRED") return "Renew the certificate.";
  if (code === "CERT_NOT_YET_VALID") return "Look at the clock of this machine, then at the certificate.";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return `Put the name that the certificate has into ${variable}.`;
  return `Name the file of its authority in ${authorityVariable}. Never turn verification off.`;
}

import { ZoneError, type ErrorKind } from "@crosszone/contracts";
import { LinkError, type LinkErrorKind } from "@crosszone/jsonrpc";
import { failed, type Finding } from "@crosszone/service-kit/doctor";
import type { ZoneCheck } from "./zone-check.ts";

const tryLater = "Try again; if it stays so, look at the log of the execution zone.";

/** What to look at when the place is wrong, and when nothing comes back. */
const advice = {
  https: {
    place: "Look at EXECUTION_URL: its path is /rpc, unless a proxy puts it elsewhere.",
    nothing: "Look whether the execution zone runs, and at the proxies on the way.",
  },
  agentcore: {
    place: "Look at AGENTCORE_RUNTIME_ARN, and at what the runtime's image is.",
    nothing: "Look at AGENTCORE_RUNTIME_ARN, and at the AWS credentials of this process and what they may do.",
  },
} satisfies Record<ZoneCheck["transport"], { place: string; nothing: string }>;

const audience = "Look at CALLER_JWT_ISSUER, CALLER_JWT_AUDIENCE and CALLER_JWT_ALLOWED of execution.";

const proofCures: Record<ZoneCheck["proof"], string> = {
  none: "Set EXECUTION_CREDENTIALS here to match CALLER_AUTH of execution.",
  bearer: "Put the same EXECUTION_TOKEN into both zones; while one is replaced, execution takes several.",
  google: audience,
  entra: audience,
  hmac: "Put the same EXECUTION_HMAC_SECRET into both zones, and look at their clocks.",
  mtls: "Look at CALLER_TLS_CA_FILE and CALLER_TLS_ALLOWED of execution, and at EXECUTION_CLIENT_CERT_FILE here.",
};

const saidCures: Partial<Record<ErrorKind, string>> = {
  parse_error: "Something on the way changes the body: look at the proxies.",
  method_not_found: "The execution zone is too old: put the same release into both zones.",
  invalid_params: "The execution zone is another release: put the same one into both zones.",
};

/** Tells in words why the execution zone gave no list of agents. What is wrong with credentials needs no more words of the peer. */
export function describeZoneFailure(
  error: unknown,
  { transport, proof }: Pick<ZoneCheck, "transport" | "proof">,
): Finding {
  const { place, nothing } = advice[transport];
  if (error instanceof ZoneError) {
    const told = error.kind === "unauthorized" ? [] : (error.data.problems ?? []);
    const problems = told.map(({ pointer, message }) => `${pointer} ${message}`.trim().slice(0, 200));
    const says = [`the execution zone answers ${error.kind}`, ...problems].join(": ");
    return failed(says, cureOf(error.kind, { place, proof }));
  }
  if (!(error instanceof LinkError)) throw error;
  const cures: Record<LinkErrorKind, string> = {
    unreachable: nothing,
    timeout: "Look at the load of the execution zone, and at proxies that hold answers back.",
    aborted: tryLater,
    invalid_response: `What answers is not the execution zone of this release. ${place}`,
    server_error: `What answers is not the execution zone, or it failed. ${place}`,
  };
  return failed(linkText(error), cures[error.kind]);
}

function cureOf(kind: ErrorKind, { place, proof }: { place: string; proof: ZoneCheck["proof"] }): string {
  if (kind === "unauthorized") return `${proofCures[proof]} The log of execution has the reason in http_refused.`;
  return kind === "invalid_request" ? place : (saidCures[kind] ?? tryLater);
}

/** Of a cause only the name is told: the text of AWS's own errors may hold what was signed. */
function linkText({ kind, message, code, cause }: LinkError): string {
  if (kind === "server_error" && code !== undefined) return `an error of an unknown kind (code ${code})`;
  const because = cause instanceof Error && cause.name !== "Error" ? ` (${cause.name})` : "";
  return `${kind}: ${message}${because}`;
}

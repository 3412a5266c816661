import { ZoneError, type ErrorKind } from "@crosszone/contracts";
import { LinkError, type LinkErrorKind } from "@crosszone/jsonrpc";
import { failed, type Finding } from "@crosszone/service-kit/doctor";
import type { ZoneCheck } from "./zone-check.ts";

const tryLater = "Try again. If the problem persists, check the log of execution.";

/** Advice for a wrong address, and for a missing response. */
const advice = {
  https: {
    place: "Check EXECUTION_URL: its path is /rpc, unless a proxy changes it.",
    nothing: "Check that execution is running, and check the proxies in between.",
  },
  agentcore: {
    place: "Check AGENTCORE_RUNTIME_ARN, and the image of the runtime.",
    nothing: "Check AGENTCORE_RUNTIME_ARN, and the AWS credentials and permissions of this process.",
  },
} satisfies Record<ZoneCheck["transport"], { place: string; nothing: string }>;

const audience = "Check CALLER_JWT_ISSUER, CALLER_JWT_AUDIENCE and CALLER_JWT_ALLOWED of execution.";

const proofCures: Record<ZoneCheck["proof"], string> = {
  none: "Set EXECUTION_CREDENTIALS here to match CALLER_AUTH of execution.",
  bearer: "Set the same EXECUTION_TOKEN in both zones. During a rotation, execution accepts several.",
  google: audience,
  entra: audience,
  hmac: "Set the same EXECUTION_HMAC_SECRET in both zones, and check their clocks.",
  mtls: "Check CALLER_TLS_CA_FILE and CALLER_TLS_ALLOWED of execution, and EXECUTION_CLIENT_CERT_FILE of this zone.",
};

const saidCures: Partial<Record<ErrorKind, string>> = {
  parse_error: "Something in between changes the body: check the proxies.",
  method_not_found: "Execution is too old: deploy the same release of both zones.",
  invalid_params: "Execution is a different release: deploy the same release of both zones.",
};

/** Returns why execution did not list its agents, and what to do. Credential errors include no text from the peer. */
export function describeZoneFailure(
  error: unknown,
  { transport, proof }: Pick<ZoneCheck, "transport" | "proof">,
): Finding {
  const { place, nothing } = advice[transport];
  if (error instanceof ZoneError) {
    const told = error.kind === "unauthorized" ? [] : (error.data.problems ?? []);
    const problems = told.map(({ pointer, message }) => `${pointer} ${message}`.trim().slice(0, 200));
    const says = [`execution responds with ${error.kind}`, ...problems].join(": ");
    return failed(says, cureOf(error.kind, { place, proof }));
  }
  if (!(error instanceof LinkError)) throw error;
  const cures: Record<LinkErrorKind, string> = {
    unreachable: nothing,
    timeout: "Check the load of execution, and proxies that buffer responses.",
    aborted: tryLater,
    invalid_response: `The server is not execution of this release. ${place}`,
    server_error: `The server is not execution, or it failed. ${place}`,
  };
  return failed(linkText(error), cures[error.kind]);
}

function cureOf(kind: ErrorKind, { place, proof }: { place: string; proof: ZoneCheck["proof"] }): string {
  if (kind === "unauthorized") return `${proofCures[proof]} For the reason, see http_refused in the log of execution.`;
  return kind === "invalid_request" ? place : (saidCures[kind] ?? tryLater);
}

/** Only the cause's name is shown: the text of AWS errors may contain what was signed. */
function linkText({ kind, message, code, cause }: LinkError): string {
  if (kind === "server_error" && code !== undefined) return `an error of an unknown kind (code ${code})`;
  const because = cause instanceof Error && cause.name !== "Error" ? ` (${cause.name})` : "";
  return `${kind}: ${message}${because}`;
}

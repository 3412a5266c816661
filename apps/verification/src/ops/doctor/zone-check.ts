import { ZoneError, type ErrorKind, type ListAgentsResult } from "@crosszone/contracts";
import { LinkError, type LinkErrorKind } from "@crosszone/jsonrpc";
import { failed, type Finding } from "@crosszone/ops/doctor";
import type { AuthKind } from "../../zone-link/auth-variables.ts";

/** A connection to execution, over the configured transport. */
export interface ZoneConnection {
  /** Rejects with a `ZoneError` or a `LinkError`. */
  readonly listAgents: () => Promise<ListAgentsResult>;
  readonly close: () => Promise<void>;
}

/** Opens a new connection for a check, which closes it. */
export type ConnectZone = () => Promise<ZoneConnection>;

/** What to do when calls over a transport fail. */
export interface TransportAdvice {
  /** For a wrong address. */
  readonly place: string;
  /** For a missing response. */
  readonly nothing: string;
}

/** What a check of execution needs. */
export interface ZoneCheck {
  readonly connect: ConnectZone;
  /** The advice of the configured transport. */
  readonly advice: TransportAdvice;
  /** How this zone authenticates. */
  readonly proof: AuthKind;
}

const tryLater = "Try again. If the problem persists, check the log of execution.";

const audience = "Check CALLER_JWT_ISSUER, CALLER_JWT_AUDIENCE and CALLER_JWT_ALLOWED of execution.";

const proofCures: Record<ZoneCheck["proof"], string> = {
  none: "Set EXECUTION_CREDENTIALS here to match CALLER_AUTH of execution.",
  bearer: "Set the same EXECUTION_TOKEN in both zones. During a rotation, execution accepts several.",
  google: audience,
  entra: audience,
  hmac: "Set the same EXECUTION_TOKEN in both zones, and check their clocks.",
  mtls: "Check CALLER_TLS_CA_FILE and CALLER_TLS_ALLOWED of execution, and EXECUTION_CLIENT_CERT_FILE of this zone.",
};

const saidCures: Partial<Record<ErrorKind, string>> = {
  parse_error: "Something in between changes the body: check the proxies.",
  method_not_found: "Execution is too old: deploy the same release of both zones.",
  invalid_params: "Execution is a different release: deploy the same release of both zones.",
};

/** Returns why execution did not list its agents, and what to do. Credential errors include no text from the peer. */
export function describeZoneFailure(error: unknown, { advice, proof }: Pick<ZoneCheck, "advice" | "proof">): Finding {
  const { place, nothing } = advice;
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

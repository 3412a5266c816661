import { type ErrorKind, ZoneError, zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createClient, LinkError, type LinkErrorKind } from "@crosszone/jsonrpc";
import {
  type ClockOptions,
  clockRow,
  failed,
  failedBy,
  type Finding,
  judgeCertificates,
  passed,
  type Peer,
  reachableRow,
  type DoctorRow,
  skipped,
  warned,
} from "@crosszone/ops/doctor";
import { isLoopback } from "@crosszone/service-kit";
import type { ClientTls } from "../link/credentials.ts";
import {
  type LinkAuthKind,
  linkAuthOf,
  authVariables,
  linkVariables,
  readRuntimeArn,
  type TransportName,
  transportTo,
} from "../link/link-variables.ts";
import { createCredentials, createZoneTransport, type TransportTools } from "../link/transports.ts";
import type { VerificationConfig } from "./config.ts";

/** How the rows of a transport differ from those of the others. */
interface TransportTraits {
  /** The server to probe over the network; absent if the transport uses none. */
  readonly peer?: (config: VerificationConfig) => Peer;
  /** How calls are authenticated; absent if EXECUTION_CREDENTIALS says it. Then a request without credentials is tried. */
  readonly proof?: string;
  readonly clock: ClockOptions;
  /** What to do about a wrong address, and about a missing response. */
  readonly place: string;
  readonly nothing: string;
}

const transports = {
  https: {
    peer: ({ EXECUTION_URL: url }) => ({
      url,
      variable: "EXECUTION_URL",
      whenDown: "Start execution",
      authorityVariable: "EXECUTION_CA_FILE",
    }),
    clock: { peer: "the execution zone", consequence: "the times in the two logs do not match" },
    place: "Check EXECUTION_URL: its path is /rpc, unless a proxy changes it.",
    nothing: "Check that execution is running, and check the proxies in between.",
  },
  agentcore: {
    peer: ({ EXECUTION_URL: arn, AWS_ENDPOINT_URL_BEDROCK_AGENTCORE: endpoint }) => ({
      url: endpoint ?? `https://bedrock-agentcore.${readRuntimeArn(arn).region}.amazonaws.com/`,
      variable: endpoint === undefined ? "EXECUTION_URL" : "AWS_ENDPOINT_URL_BEDROCK_AGENTCORE",
      whenDown: "Check that AgentCore is available in this region",
    }),
    proof: "AWS credentials from the SDK's default chain",
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-troubleshooting.html
    clock: { peer: "AWS", consequence: "AWS refuses every signature", limitSeconds: 300 },
    place: "Check the ARN in EXECUTION_URL, and the image of the runtime.",
    nothing: "Check the ARN in EXECUTION_URL, and the AWS credentials and permissions of this process.",
  },
} satisfies Record<TransportName, TransportTraits>;

/** The clock window of `CALLER_AUTH=hmac`. */
const signedClock = { consequence: "execution refuses every signature", limitSeconds: 300 };

/** Returns the rows of execution: its connection, authentication and contract. */
export function linkRows(config: VerificationConfig, files: TransportTools["files"]): DoctorRow[] {
  const traits: TransportTraits = transports[transportTo(config.EXECUTION_URL)];
  const { peer, proof, clock } = traits;
  const variables = Object.keys({ ...linkVariables, ...authVariables });
  const auth = linkAuthOf(config);
  const isSigned = proof === undefined && auth === "hmac";
  let tls: ClientTls | undefined;
  const reachable = { name: "execution reachable", needs: ["execution proof"], variables };
  const { row, reached } = reachableRow(reachable, () => peer && { ...peer(config), tls });
  const needs = ["execution reachable"];
  return [
    {
      name: "execution proof",
      variables,
      probe: () => {
        if (proof !== undefined) return passed(proof);
        tls = createCredentials({ values: config, files, onFileFailure: () => undefined }).tls?.current();
        return judgeCertificates(`EXECUTION_CREDENTIALS is ${auth}`, { EXECUTION_CLIENT_CERT_FILE: tls?.cert });
      },
    },
    row,
    {
      name: "execution locked",
      needs,
      probe: () => (proof === undefined ? tryUnlocked(config) : skipped(`calls need ${proof}`)),
      advice: "Set EXECUTION_TOKEN in both zones, or CALLER_AUTH in execution and EXECUTION_CREDENTIALS here.",
    },
    {
      name: "execution answers",
      needs,
      variables,
      probe: () => listAgents(config, files),
      advice: adviceOf(traits, auth),
    },
    clockRow({ name: "execution clock", needs }, reached, isSigned ? { ...clock, ...signedClock } : clock),
  ];
}

const audience = "Check CALLER_JWT_ISSUER, CALLER_JWT_AUDIENCE and CALLER_ALLOWED of execution.";

const proofs: Record<LinkAuthKind, string> = {
  none: "Set EXECUTION_CREDENTIALS here to match CALLER_AUTH of execution.",
  bearer: "Set the same EXECUTION_TOKEN in both zones. During a rotation, execution accepts several.",
  google: audience,
  entra: audience,
  hmac: "Set the same EXECUTION_TOKEN in both zones, and check their clocks.",
  mtls: "Check CALLER_TLS_CA_FILE and CALLER_ALLOWED of execution, and EXECUTION_CLIENT_CERT_FILE of this zone.",
};

/** What to do when execution did not list its agents, by the kind of the error. */
const adviceOf = (
  { place, nothing }: TransportTraits,
  auth: LinkAuthKind,
): Partial<Record<ErrorKind | LinkErrorKind | "other", string>> => ({
  unreachable: nothing,
  timeout: "Check the load of execution, and proxies that buffer responses.",
  invalid_response: `The server is not execution of this release. ${place}`,
  server_error: `The server is not execution, or it failed. ${place}`,
  unauthorized: `${proofs[auth]} For the reason, see http_refused in the log of execution.`,
  invalid_request: place,
  parse_error: "Something in between changes the body: check the proxies.",
  method_not_found: "Execution is too old: deploy the same release of both zones.",
  invalid_params: "Execution is a different release: deploy the same release of both zones.",
  other: "Try again. If the problem persists, check the log of execution.",
});

/** Makes a call without credentials, which execution must reject. */
async function tryUnlocked(config: VerificationConfig): Promise<Finding> {
  const none = { EXECUTION_CREDENTIALS: "none", EXECUTION_CLIENT_CERT_FILE: undefined } as const;
  const found = await listAgents({ ...config, ...none, EXECUTION_CLIENT_KEY_FILE: undefined }, {});
  if (found.code === "unauthorized" || /HTTP 40[13]/.test(found.says))
    return passed("it rejects a request without credentials");
  if (found.status === "failed") return skipped(`inconclusive: without credentials, ${found.says}`);
  return isLoopback(new URL(config.EXECUTION_URL).hostname)
    ? warned("it accepts requests without credentials: every process of this machine can run tasks")
    : failed("it accepts requests without credentials from any host");
}

/** A slower round trip is noticeable: a question makes at least two calls. Milliseconds. */
const slowMs = 500;

/** Makes real calls, to check that execution accepts this zone and that its response matches the contract. */
async function listAgents(config: VerificationConfig, files: TransportTools["files"]): Promise<Finding> {
  const transport = await createZoneTransport(config, { emit: () => undefined, files });
  const timeoutMs = Math.min(config.EXECUTION_TIMEOUT_MS, 10_000);
  const client = createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs });
  try {
    const { agents } = await client.call("list_agents", {});
    const startedAt = performance.now();
    await client.call("list_agents", {});
    const ms = Math.round(performance.now() - startedAt);
    if (agents.length === 0) return warned("it accepts this zone, but has no agents", "Add an agent to execution.");
    const names = agents.map(({ name }) => name);
    const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
    const says = `it accepts this zone, and answers in ${ms} ms; agents: ${names.slice(0, 5).join(", ")}${more}`;
    if (ms < slowMs) return passed(says);
    return warned(says, "Check the network between the zones, and the load of execution.");
  } catch (error) {
    return describeFailure(error);
  } finally {
    await transport.close();
  }
}

/** Credential errors include no text from the peer. Of a cause only the name is shown: the text of AWS errors may contain what was signed. */
function describeFailure(error: unknown): Finding {
  if (error instanceof ZoneError) {
    const { kind, data } = error;
    const told = kind === "unauthorized" ? [] : (data.problems ?? []);
    const problems = told.map(({ pointer, message }) => `${pointer} ${message}`.trim().slice(0, 200));
    return failedBy(kind, [`execution responds with ${kind}`, ...problems].join(": "));
  }
  if (!(error instanceof LinkError)) throw error;
  const { kind, message, code, cause } = error;
  const because = cause instanceof Error && cause.name !== "Error" ? ` (${cause.name})` : "";
  const isStrange = kind === "server_error" && code !== undefined;
  return failedBy(kind, isStrange ? `an error of an unknown kind (code ${code})` : `${kind}: ${message}${because}`);
}

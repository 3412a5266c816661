import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createClient } from "@crosszone/jsonrpc";
import {
  type Check,
  checkClock,
  checkOpens,
  checkReachable,
  type ClockCheck,
  type Peer,
  passed,
  probe,
  type ReachableCheck,
  skipped,
} from "@crosszone/ops/doctor";
import type { VerificationConfig } from "../../config/config.ts";
import { authVariables } from "../../zone-link/auth-variables.ts";
import { authKindOf } from "../../zone-link/check-auth.ts";
import type { ClientTls } from "../../zone-link/credentials/client-certificate.ts";
import { createCredentials } from "../../zone-link/credentials/create-credentials.ts";
import { linkVariables } from "../../zone-link/link-variables.ts";
import { regionOf } from "../../zone-link/runtime-arn.ts";
import { createZoneTransport, type TransportTools } from "../../zone-link/transports.ts";
import { checkExecutionAnswers, checkExecutionLocked, checkRoundTrip, createHttpProbe } from "./execution-checks.ts";
import type { ConnectZone, TransportAdvice, ZoneCheck } from "./zone-check.ts";

/** How the checks of a transport differ from those of the others. */
interface TransportChecks {
  /** The server to probe over the network; absent if the transport uses none. */
  readonly peer?: (config: VerificationConfig) => Peer;
  readonly locked: (config: VerificationConfig, tls: () => ClientTls | undefined) => Pick<Check, "run">;
  readonly clock: Pick<ClockCheck, "peer" | "consequence" | "limitSeconds">;
  readonly advice: TransportAdvice;
  /** How calls are authenticated; absent if EXECUTION_CREDENTIALS says it. */
  readonly proof?: string;
}

/** The checks of each transport. */
const transports = {
  https: {
    peer: ({ EXECUTION_URL: url }) => ({
      url,
      variable: "EXECUTION_URL",
      whenDown: "Start execution",
      authorityVariable: "EXECUTION_CA_FILE",
    }),
    locked: ({ EXECUTION_URL: url }, tls) => checkExecutionLocked({ url, probe: createHttpProbe(tls) }),
    clock: { peer: "the execution zone", consequence: "the times in the two logs do not match" },
    advice: {
      place: "Check EXECUTION_URL: its path is /rpc, unless a proxy changes it.",
      nothing: "Check that execution is running, and check the proxies in between.",
    },
  },
  agentcore: {
    peer: ({ AGENTCORE_ENDPOINT: endpoint, AGENTCORE_RUNTIME_ARN: arn = "" }) => ({
      url: endpoint ?? `https://bedrock-agentcore.${regionOf(arn)}.amazonaws.com/`,
      variable: endpoint === undefined ? "AGENTCORE_RUNTIME_ARN" : "AGENTCORE_ENDPOINT",
      whenDown: "Check that AgentCore is available in this region",
    }),
    locked: () => ({ run: () => skipped("AWS rejects unsigned requests") }),
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-troubleshooting.html
    clock: { peer: "AWS", consequence: "AWS refuses every signature", limitSeconds: 300 },
    advice: {
      place: "Check AGENTCORE_RUNTIME_ARN, and the image of the runtime.",
      nothing: "Check AGENTCORE_RUNTIME_ARN, and the AWS credentials and permissions of this process.",
    },
    proof: "AWS credentials from the SDK's default chain",
  },
} satisfies Record<VerificationConfig["EXECUTION_TRANSPORT"], TransportChecks>;

/** The clock window of `CALLER_AUTH=hmac`. */
const signedClock = { consequence: "execution refuses every signature", limitSeconds: 300 };

/** Returns the checks of execution: its connection, authentication and contract. */
export function linkChecks(config: VerificationConfig, files: TransportTools["files"]): Check[] {
  const reads = Object.keys({ ...linkVariables, ...authVariables });
  const proof = authKindOf(config);
  const checks: TransportChecks = transports[config.EXECUTION_TRANSPORT ?? "https"];
  const { peer, locked, clock, advice } = checks;
  let tls: ClientTls | undefined;
  const opens = checkOpens({ name: "execution proof", reads }, () => {
    if (checks.proof !== undefined) return { says: checks.proof };
    tls = createCredentials({ values: config, files, onFileFailure: () => undefined }).tls?.current();
    return { says: `EXECUTION_CREDENTIALS is ${proof}`, certificates: { EXECUTION_CLIENT_CERT_FILE: tls?.cert } };
  });
  const reachable = reachableCheck(reads, { peer: peer && (() => peer(config)), tls: () => tls });
  const needs = ["execution reachable"];
  const zone: ZoneCheck = { connect: connectZone(config, files), advice, proof };
  return [
    opens,
    reachable.check,
    { name: "execution locked", needs, ...locked(config, () => tls) },
    checkExecutionAnswers({ needs, reads }, zone),
    checkRoundTrip(zone),
    checkClock(
      { name: "execution clock", needs },
      { ...clock, ...(checks.proof === undefined && proof === "hmac" && signedClock), result: reachable.result },
    ),
  ];
}

function reachableCheck(
  reads: readonly string[],
  { peer, tls }: { readonly peer: (() => Peer) | undefined; readonly tls: () => ClientTls | undefined },
): ReachableCheck {
  const check = { name: "execution reachable", needs: ["execution proof"], reads };
  if (peer !== undefined) return checkReachable(check, { peer, probe, tls });
  return { check: { ...check, run: () => passed("the transport uses no network") }, result: () => undefined };
}

function connectZone(config: VerificationConfig, files: TransportTools["files"]): ConnectZone {
  return async () => {
    const observer = { callRetried: () => undefined, fileNotUsable: () => undefined };
    const transport = await createZoneTransport(config, { observer, files });
    const timeoutMs = Math.min(config.EXECUTION_TIMEOUT_MS, 10_000);
    const client = createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs });
    return { listAgents: () => client.call("list_agents", {}), close: () => transport.close() };
  };
}

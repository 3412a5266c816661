import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createClient } from "@crosszone/jsonrpc";
import { createLogger } from "@crosszone/service-kit";
import {
  checkClock,
  checkOpens,
  checkReachable,
  reach,
  skipped,
  type Check,
  type ClockCheck,
  type Peer,
} from "@crosszone/service-kit/doctor";
import type { VerificationConfig } from "../../config/config.ts";
import { agentcoreVariables } from "../../zone-link/agentcore-variables.ts";
import { authKindOf } from "../../zone-link/check-execution-auth.ts";
import { executionAuthVariables } from "../../zone-link/execution-auth-variables.ts";
import { executionLinkVariables } from "../../zone-link/execution-link-variables.ts";
import { verificationEvents } from "../observers/log-events.ts";
import { regionOf } from "../../zone-link/transports/agentcore/runtime-arn.ts";
import { createZoneTransport, type TransportTools } from "../../zone-link/create-zone-transport.ts";
import type { ClientTls } from "../../zone-link/credentials/client-certificate.ts";
import { createCredentials } from "../../zone-link/credentials/create-credentials.ts";
import { checkExecutionAnswers } from "./check-execution-answers.ts";
import { checkExecutionLocked } from "./check-execution-locked.ts";
import { checkRoundTrip } from "./check-round-trip.ts";
import { createKnock } from "./knock.ts";
import type { ConnectZone, ZoneCheck } from "./zone-check.ts";

/** How the checks of the transports differ. */
interface Way {
  readonly peer: (config: VerificationConfig) => Peer;
  readonly locked: (config: VerificationConfig, tls: () => ClientTls | undefined) => Pick<Check, "run">;
  readonly clock: Pick<ClockCheck, "peer" | "consequence" | "limitSeconds">;
}

const ways = {
  https: {
    peer: ({ EXECUTION_URL: url }) => ({
      url,
      variable: "EXECUTION_URL",
      whenDown: "Start execution",
      authorityVariable: "EXECUTION_CA_FILE",
    }),
    locked: ({ EXECUTION_URL: url }, tls) => checkExecutionLocked({ url, knock: createKnock(tls) }),
    clock: { peer: "the execution zone", consequence: "the times in the two logs do not match" },
  },
  agentcore: {
    peer: ({ AGENTCORE_ENDPOINT: endpoint, AGENTCORE_RUNTIME_ARN: arn = "", AGENTCORE_REGION: region }) => ({
      url: endpoint ?? `https://bedrock-agentcore.${region ?? regionOf(arn)}.amazonaws.com/`,
      variable: endpoint === undefined ? "AGENTCORE_REGION" : "AGENTCORE_ENDPOINT",
      whenDown: "Check that AgentCore is available in this region",
    }),
    locked: () => ({ run: () => skipped("AWS rejects unsigned requests") }),
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-troubleshooting.html
    clock: { peer: "AWS", consequence: "AWS refuses every signature", limitSeconds: 300 },
  },
} satisfies Record<ZoneCheck["transport"], Way>;

/** The clock window of `CALLER_AUTH=hmac`. */
const signedClock = { consequence: "execution refuses every signature", limitSeconds: 300 };

/** Returns the checks of execution: its connection, authentication and contract. */
export function linkChecks(config: VerificationConfig, files: TransportTools["files"]): Check[] {
  const reads = [executionLinkVariables, executionAuthVariables, agentcoreVariables].flatMap((group) =>
    Object.keys(group),
  );
  const transport = config.EXECUTION_TRANSPORT ?? "https";
  const proof = authKindOf(config);
  const { peer, locked, clock }: Way = ways[transport];
  let tls: ClientTls | undefined;
  const opens = checkOpens({ name: "execution proof", reads }, () => {
    if (transport === "agentcore") return { says: "AWS credentials from the SDK's default chain" };
    tls = createCredentials({ values: config, files, onFileFailure: () => undefined }).tls?.current();
    return { says: `EXECUTION_CREDENTIALS is ${proof}`, certificates: { EXECUTION_CLIENT_CERT_FILE: tls?.cert } };
  });
  const reachable = checkReachable(
    { name: "execution reachable", needs: ["execution proof"], reads },
    { peer: () => peer(config), reach, tls: () => tls },
  );
  const needs = ["execution reachable"];
  const zone: ZoneCheck = { connect: connectZone(config, files), transport, proof };
  return [
    opens,
    reachable.check,
    { name: "execution locked", needs, ...locked(config, () => tls) },
    checkExecutionAnswers({ needs, reads }, zone),
    checkRoundTrip(zone),
    checkClock(
      { name: "execution clock", needs },
      { ...clock, ...(transport === "https" && proof === "hmac" && signedClock), seen: reachable.seen },
    ),
  ];
}

function connectZone(config: VerificationConfig, files: TransportTools["files"]): ConnectZone {
  return async () => {
    const logger = createLogger({ zone: "verification", level: "silent", events: verificationEvents });
    const transport = await createZoneTransport(config, { logger, files });
    const timeoutMs = Math.min(config.EXECUTION_TIMEOUT, 10_000);
    const client = createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs });
    return { listAgents: () => client.call("list_agents", {}), close: () => transport.close() };
  };
}

import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createClient } from "@crosszone/jsonrpc";
import { createLogger } from "@crosszone/service-kit";
import {
  checkClock,
  checkReachable,
  reach,
  skipped,
  type Check,
  type ClockCheck,
  type Peer,
} from "@crosszone/service-kit/doctor";
import type { VerificationConfig } from "../config.ts";
import { agentcoreVariables } from "../config/agentcore-variables.ts";
import { executionLinkVariables } from "../config/execution-link-variables.ts";
import { verificationEvents } from "../log-events.ts";
import { regionOf } from "../transport/agentcore/runtime-arn.ts";
import { createZoneTransport } from "../transport/create-zone-transport.ts";
import { checkExecutionAnswers } from "./check-execution-answers.ts";
import { checkExecutionLocked } from "./check-execution-locked.ts";
import { checkRoundTrip } from "./check-round-trip.ts";
import { knock } from "./knock.ts";
import type { ConnectZone } from "./zone-check.ts";

type TransportName = VerificationConfig["EXECUTION_TRANSPORT"];

/** What differs from one way to the execution zone to the next. */
interface Way {
  readonly peer: (config: VerificationConfig) => Peer;
  readonly locked: (config: VerificationConfig) => Check;
  readonly clock: Pick<ClockCheck, "peer" | "consequence" | "limitSeconds">;
}

const lockedName = "execution locked";

const ways = {
  https: {
    peer: ({ EXECUTION_URL: url }) => ({ url, variable: "EXECUTION_URL", whenDown: "Start the execution zone" }),
    locked: ({ EXECUTION_URL: url }) => checkExecutionLocked(lockedName, { url, knock }),
    clock: { peer: "the execution zone", consequence: "the times in the two logs do not fit" },
  },
  agentcore: {
    peer: ({ AGENTCORE_ENDPOINT: endpoint, AGENTCORE_RUNTIME_ARN: arn = "", AGENTCORE_REGION: region }) => ({
      url: endpoint ?? `https://bedrock-agentcore.${region ?? regionOf(arn)}.amazonaws.com/`,
      variable: endpoint === undefined ? "AGENTCORE_REGION" : "AGENTCORE_ENDPOINT",
      whenDown: "Look whether AgentCore is offered in this region",
    }),
    locked: () => ({ name: lockedName, run: () => skipped("AWS lets nobody in without a signature") }),
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-troubleshooting.html
    clock: { peer: "AWS", consequence: "AWS refuses every signature", limitSeconds: 300 },
  },
} satisfies Record<TransportName, Way>;

/** Whether the execution zone is there, lets in this zone and nobody else, and keeps the contract. */
export function linkChecks(config: VerificationConfig): Check[] {
  const reads = [...Object.keys(executionLinkVariables), ...Object.keys(agentcoreVariables)];
  const transport = config.EXECUTION_TRANSPORT ?? "https";
  const { peer, locked, clock }: Way = ways[transport];
  const reachable = checkReachable({ name: "execution reachable", reads }, { peer: () => peer(config), reach });
  const connect = connectZone(config);
  return [
    reachable.check,
    { needs: ["execution reachable"], ...locked(config) },
    checkExecutionAnswers({ needs: ["execution reachable"], reads }, { connect, transport }),
    checkRoundTrip({ connect, transport }),
    checkClock({ name: "execution clock", needs: ["execution reachable"] }, { ...clock, seen: reachable.seen }),
  ];
}

function connectZone(config: VerificationConfig): ConnectZone {
  return async () => {
    const logger = createLogger({ zone: "verification", level: "silent", events: verificationEvents });
    const transport = await createZoneTransport(config, logger);
    const timeoutMs = Math.min(config.EXECUTION_TIMEOUT_MS, 10_000);
    const client = createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs });
    return { listAgents: () => client.call("list_agents", {}), close: () => transport.close() };
  };
}

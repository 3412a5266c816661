import {
  createAdapters,
  createAddressRules,
  createAgentCaller,
  createAgentClient,
  createAgentRegistry,
  createAgentSlots,
  createBridge,
  createCircuitBreakers,
  createSecretRules,
  createSecretSource,
  observeBridge,
} from "@crosszone/agent-bridge";
import type { AgentRecord } from "@crosszone/contracts";
import { agentCallKind, type CallEnds, type CallIntake } from "@crosszone/jobs";
import { openGateway, type GatewayRoles } from "@crosszone/kafka-gateway/kafka";
import { createLogger, createMetrics, createRecordCodec } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import type { OpenedZone } from "./open-zone.ts";

export interface BridgePlan extends OpenedZone {
  readonly agents: readonly AgentRecord[];
  readonly origin: string;
  /** How many tasks of all agents run at once. */
  readonly concurrency: number;
  /** Receives the ends of calls. With Kafka, they are published instead. */
  readonly ends: CallEnds;
  /** Receives the results of steps from Kafka. */
  readonly onRunResult?: GatewayRoles["onRunResult"];
}

export interface ZoneBridge {
  /** Accepts agent calls. */
  readonly intake: CallIntake;
  readonly start: () => Promise<void>;
}

/** Creates the bridge as the zone does: with its log, metrics, address rules, circuits, slots and gateway. */
export async function createZoneBridge(plan: BridgePlan): Promise<ZoneBridge> {
  const { database, store, lease, join, kafka, agents, origin, concurrency, ends, onRunResult } = plan;
  const adapters = createAdapters();
  const known = new Set(agents.map((agent) => agent.name));
  const observer = observeBridge({
    logger: createLogger({ zone: "execution", level: "info", events: executionEvents }),
    registry: createMetrics().registry,
    protocols: adapters.supported,
    isAgent: (agent) => known.has(agent),
  });
  const client = createAgentClient({
    rules: createAddressRules({ origins: [origin] }),
    secrets: createSecretSource({ environment: {} }),
    secretRules: createSecretRules({ bindings: [] }),
  });
  const gatewayObserver = { storeFailed: (_: string, cause: unknown) => console.error(cause) };
  const gateway =
    kafka &&
    (await openGateway({
      ...kafka,
      database,
      store,
      lease,
      codec: createRecordCodec(undefined),
      observer: gatewayObserver,
    }));
  const bridge = createBridge({
    jobs: store,
    lease,
    registry: createAgentRegistry({ store: { all: async () => agents } }),
    caller: createAgentCaller({ adapters, client, breakers: createCircuitBreakers(), observer }),
    slots: createAgentSlots({ most: concurrency }),
    observer,
    limits: { retentionMs: 86_400_000, mostAttempts: 3 },
    ends:
      gateway === undefined
        ? ends
        : { end: ({ headers }, { ending, result }) => gateway.publishResult(ending, result, headers) },
  });
  join(agentCallKind, bridge.wake);
  if (gateway !== undefined) join("publish", gateway.wake);
  return {
    intake: gateway?.intake ?? bridge.intake,
    start: async () => {
      bridge.start();
      const { intake, drop } = bridge;
      await gateway?.start({ bridge: { intake, drop, deadlineMs: 3_600_000, observer }, onRunResult });
    },
  };
}

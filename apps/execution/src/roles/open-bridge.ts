import {
  createAgentCaller,
  AgentSlots,
  createBridge,
  CircuitBreakers,
  showExchanges,
  type AgentBridge,
  type BridgeEmit,
} from "@crosszone/agent-bridge";
import type { CallEnds } from "@crosszone/agent-calls";
import type { Emit, Metrics, Vault } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { CallPreviews } from "../agents/calls/call-previews.ts";
import type { ExecutionConfig } from "../config/config.ts";
import type { ZoneJobs } from "../database/open-execution-database.ts";
import { measureBridge } from "../observers/gauges.ts";
import type { OpenAgents } from "./open-agent-registry.ts";

export interface BridgeOptions {
  readonly config: ExecutionConfig;
  readonly jobs: ZoneJobs;
  readonly vault: Vault | undefined;
  readonly metrics: Metrics;
  readonly emit: Emit<ExecutionEvent>;
  readonly agents: OpenAgents;
  readonly previews: CallPreviews;
  readonly ends: CallEnds;
}

/** The bridge of this process, and what reports its events. */
export interface OpenBridge {
  readonly bridge: AgentBridge;
  readonly emit: BridgeEmit;
}

/** Opens the role `bridge`, which calls agents. */
export function openBridge(options: BridgeOptions): OpenBridge {
  const { config, jobs, vault, metrics, agents, previews, ends } = options;
  const { registry, client, adapters, isKnown } = agents;
  const { AGENT_EXCHANGES_URL: exchangesUrl } = config;
  const show = exchangesUrl === undefined ? undefined : showExchanges(postTo(exchangesUrl));
  const emit: BridgeEmit = (event, ...fields) => {
    options.emit(event, ...fields);
    show?.(event, ...fields);
  };
  const breakers = new CircuitBreakers({
    onChange: ({ agent: agent_name, from, to }) => emit("agent_circuit_changed", { agent_name, from, to }),
  });
  const slots = new AgentSlots(config.MAX_RUNNING_TASKS);
  const caller = createAgentCaller({ adapters, client, breakers, emit });
  const limits = { retentionMs: config.AGENT_CALL_RETENTION_MS, mostAttempts: config.AGENT_CALL_ATTEMPTS };
  const bridge = createBridge({
    jobs,
    registry,
    caller,
    slots,
    emit,
    limits,
    ends,
    vault,
    onArtifacts: previews.show,
    onProgress: previews.showProgress,
  });
  measureBridge(metrics, {
    calls: bridge.readings,
    circuits: () => breakers.readings(),
    slots: () => slots.readings(),
    isKnown,
  });
  return { bridge, emit };
}

/**
 * Returns a function that posts values as JSON, one at a time. Values that can't be posted are dropped: they are only
 * for display.
 */
function postTo(url: string): (shown: unknown) => void {
  let last = Promise.resolve();
  return (shown) => {
    const body = JSON.stringify(shown);
    const post = (): Promise<unknown> =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        signal: AbortSignal.timeout(2_000),
      });
    last = last.then(post).then(
      () => undefined,
      () => undefined,
    );
  };
}

import {
  createAgentCaller,
  createAgentSlots,
  createBridge,
  CircuitBreakers,
  measureCalls,
  showExchanges,
  type AgentBridge,
  type BridgeEmit,
} from "@crosszone/agent-bridge";
import { agentCallKind, type CallEnds } from "@crosszone/jobs";
import type { CallPreviews } from "../agents/calls/call-previews.ts";
import { measureBridge } from "../observers/observe-bridge.ts";
import type { OpenAgents } from "./open-agent-registry.ts";
import type { ZoneBasis } from "./zone-basis.ts";

/** The bridge of this process, and what reports its events. */
export interface OpenBridge {
  readonly bridge: AgentBridge;
  readonly emit: BridgeEmit;
}

/** Opens the role `bridge`, which calls agents. */
export function openBridge(
  { config, jobs, vault, metrics, emit: report }: ZoneBasis,
  { registry, client, adapters, isKnown, previews }: OpenAgents & { readonly previews: CallPreviews },
  ends: CallEnds,
): OpenBridge {
  const labels = { protocols: adapters.supported, isAgent: isKnown };
  const counted = measureCalls(report, { registry: metrics.registry, ...labels });
  const { AGENT_EXCHANGES_URL: exchangesUrl } = config;
  const show = exchangesUrl === undefined ? undefined : showExchanges(postTo(exchangesUrl));
  const emit: BridgeEmit = (event, fields) => {
    counted(event, fields);
    show?.(event, fields);
  };
  const breakers = new CircuitBreakers({
    onChange: ({ agent: agent_name, from, to }) => emit("agent_circuit_changed", { agent_name, from, to }),
  });
  const slots = createAgentSlots({ most: config.MAX_RUNNING_TASKS });
  const caller = createAgentCaller({ adapters, client, breakers, emit });
  const limits = { retentionMs: config.AGENT_CALL_RETENTION_MS, mostAttempts: config.AGENT_CALL_ATTEMPTS };
  const { show: onArtifacts, showProgress: onProgress } = previews;
  const bridge = createBridge({
    jobs: jobs.store,
    lease: jobs.lease,
    registry,
    caller,
    slots,
    emit,
    limits,
    ends,
    vault,
    onArtifacts,
    onProgress,
  });
  jobs.join({ kind: agentCallKind, wake: bridge.wake, lose: bridge.lose, onEnded: bridge.drop });
  measureBridge(metrics, { bridge, breakers, slots, isKnown });
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

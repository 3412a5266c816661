import {
  createAgentCaller,
  createAgentSlots,
  createBridge,
  createCircuitBreakers,
  observeBridge,
  observeExchanges,
  combineObservers,
  type AgentBridge,
  type BridgeObserver,
} from "@crosszone/agent-bridge";
import { agentCallKind, type CallEnds } from "@crosszone/jobs";
import type { CallPreviews } from "../agents/calls/call-previews.ts";
import { measureBridge } from "../observers/observe-bridge.ts";
import type { OpenAgents } from "./open-agent-registry.ts";
import type { ZoneBasis } from "./zone-basis.ts";

/** The bridge of this process, and what observes it. */
export interface OpenBridge {
  readonly bridge: AgentBridge;
  readonly observer: BridgeObserver;
}

/** Opens the role `bridge`, which calls agents. */
export function openBridge(
  { config, jobs, vault, logger, metrics }: ZoneBasis,
  { registry, client, adapters, isKnown, previews }: OpenAgents & { readonly previews: CallPreviews },
  ends: CallEnds,
): OpenBridge {
  const labels = { protocols: adapters.supported, isAgent: isKnown };
  const logged = observeBridge({ logger, registry: metrics.registry, ...labels });
  const { AGENT_EXCHANGES_URL: exchangesUrl } = config;
  const observer =
    exchangesUrl === undefined ? logged : combineObservers(logged, observeExchanges(postTo(exchangesUrl)));
  const breakers = createCircuitBreakers({ onChange: observer.circuitChanged });
  const slots = createAgentSlots({ most: config.MAX_RUNNING_TASKS });
  const caller = createAgentCaller({ adapters, client, breakers, observer });
  const limits = { retentionMs: config.AGENT_CALL_RETENTION_MS, mostAttempts: config.AGENT_CALL_ATTEMPTS };
  const { show: onArtifacts, showProgress: onProgress } = previews;
  const bridge = createBridge({
    jobs: jobs.store,
    lease: jobs.lease,
    registry,
    caller,
    slots,
    observer,
    limits,
    ends,
    vault,
    onArtifacts,
    onProgress,
  });
  jobs.join({ kind: agentCallKind, wake: bridge.wake, lose: bridge.lose, onEnded: bridge.drop });
  measureBridge(metrics, { bridge, breakers, slots, isKnown });
  return { bridge, observer };
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

import {
  createAgentCaller,
  createAgentSlots,
  createBridge,
  createCircuitBreakers,
  observeBridge,
  observeExchanges,
  tellBoth,
  type AgentBridge,
} from "@crosszone/agent-bridge";
import type { MessageBus } from "@crosszone/bus";
import type { CallPreviews } from "../agents/bridged/call-previews.ts";
import { busGroups } from "../bus-groups.ts";
import { showBridge } from "../show-bridge.ts";
import type { OpenAgents } from "./open-agents.ts";
import type { ZoneBasis } from "./zone-basis.ts";

/** Opens the role `bridge`, which calls agents for the tasks on the bus. */
export function openBridge(
  { config, database, vault, logger, metrics }: ZoneBasis,
  bus: MessageBus,
  { registry, store, client, adapters, isKnown, previews }: OpenAgents & { readonly previews: CallPreviews },
): AgentBridge {
  const labels = { protocols: adapters.supported, channels: Object.keys(busGroups), isAgent: isKnown };
  const told = observeBridge({ logger, registry: metrics.registry, ...labels });
  const { AGENT_EXCHANGES_URL: exchangesUrl } = config;
  const observer = exchangesUrl === undefined ? told : tellBoth(told, observeExchanges(postTo(exchangesUrl)));
  const breakers = createCircuitBreakers({ onChange: observer.circuitChanged });
  const slots = createAgentSlots({ most: config.MAX_AGENT_CALLS });
  const caller = createAgentCaller({ adapters, client, breakers, observer });
  const limits = {
    leaseMs: config.TASK_LEASE_MS,
    retentionMs: config.AGENT_CALL_RETENTION_MS,
    deadlineMs: config.TASK_DEADLINE,
    mostAttempts: config.AGENT_CALL_ATTEMPTS,
  };
  const { show: onArtifacts } = previews;
  const canaries = { store, invalidate: registry.invalidate };
  const bridge = createBridge({
    bus,
    database,
    registry,
    caller,
    slots,
    observer,
    limits,
    vault,
    onArtifacts,
    canaries,
  });
  showBridge(metrics, { bridge, breakers, slots, isKnown });
  return bridge;
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

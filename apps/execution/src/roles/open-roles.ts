import type { Purge } from "@crosszone/service-kit";
import type { RequestHandler } from "express";
import type { RegisteredAgents } from "../agents/agent-directory.ts";
import { openAgents } from "./open-agents.ts";
import { openBridge } from "./open-bridge.ts";
import { openBus } from "./open-bus.ts";
import { openExchange } from "./open-exchange.ts";
import { openRegistryApi } from "./open-registry-api.ts";
import type { ZoneBasis } from "./zone-basis.ts";

/** What this process does with the bus, by its roles. */
export interface OpenRoles {
  /** The agents of the registry, for who runs tasks. */
  readonly registered: RegisteredAgents | undefined;
  /** The API of the registry; not on a host where every session is a machine of its own. */
  readonly api: RequestHandler | undefined;
  readonly purges: readonly Purge[];
  readonly start: () => Promise<void>;
  /** Takes no more calls, lets those that run end for so long, and hands the others back. */
  readonly stopBridge: (graceMs: number) => Promise<void>;
  /** After the tasks and the bridge: ends what is said and heard over the bus. */
  readonly close: () => Promise<void>;
}

/** Opens the bus and the registry, and puts the roles of EXECUTION_ROLES together. `environment` has the secrets of agents. */
export async function openRoles(
  basis: ZoneBasis,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<OpenRoles> {
  const { EXECUTION_ROLES: roles, HOST_PROFILE: profile } = basis.config;
  const agents = await openAgents(basis, environment);
  const bus = await openBus(basis);
  const exchanged = roles.includes("rpc") ? openExchange(basis, bus, agents) : undefined;
  const bridge = roles.includes("bridge") ? openBridge(basis, bus, agents) : undefined;
  return {
    registered: exchanged?.agents,
    api: profile === "agentcore" ? undefined : openRegistryApi(basis, agents),
    purges: [exchanged?.purge, bridge?.purge].filter((purge) => purge !== undefined),
    start: async () => {
      await Promise.all([exchanged?.exchange.start(), bridge?.start()]);
    },
    stopBridge: async (graceMs) => bridge?.stop(graceMs),
    close: async () => {
      await exchanged?.exchange.stop(1_000);
      await bus.close();
      await agents.client.close();
    },
  };
}

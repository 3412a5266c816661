import type { AgentRecord } from "@crosszone/contracts";
import { AgentFailure } from "../protocol/agent-failure.ts";
import { createA2A10Adapter, createJsonRpcAdapter } from "./a2a-adapter.ts";
import type { CreateAdapter, ProtocolAdapter } from "../protocol/protocol-adapter.ts";
import { createSimpleA2AAdapter } from "./simple-a2a-adapter.ts";

/** The supported agent protocols. */
export interface Adapters {
  /** Names of protocols, in alphabetical order. */
  readonly supported: readonly string[];
  /**
   * Returns the adapter of an agent. Throws an `AgentFailure` `protocol_unsupported` that names the supported protocols
   * or what is wrong with the `protocol_config`. Registration and calls use the same check.
   */
  readonly adapterOf: (agent: Pick<AgentRecord, "protocol" | "protocol_config">) => ProtocolAdapter;
}

/** The built-in protocols, by name. `auto` follows the agent's card (`discovery/`); without a card it is A2A 0.3. */
export const builtinAdapters: Readonly<Record<string, CreateAdapter>> = {
  auto: createJsonRpcAdapter,
  "a2a-1.0": (config) => createA2A10Adapter(config),
  "jsonrpc-2.0": createJsonRpcAdapter,
  "simple-a2a": createSimpleA2AAdapter,
};

/**
 * Creates the set of adapters from a record by protocol name: `createAdapters({ ...builtinAdapters, mine: createMine
 * })` adds one.
 */
export function createAdapters(byProtocol: Readonly<Record<string, CreateAdapter>> = builtinAdapters): Adapters {
  const supported = Object.keys(byProtocol).toSorted();
  return {
    supported,
    adapterOf: ({ protocol, protocol_config }) => {
      const create = Object.hasOwn(byProtocol, protocol) ? byProtocol[protocol] : undefined;
      if (create !== undefined) return create(protocol_config);
      const known = supported.join(", ");
      throw new AgentFailure(
        "protocol_unsupported",
        `Unsupported protocol: ${protocol}. Supported protocols: ${known}.`,
      );
    },
  };
}

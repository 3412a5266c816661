import { fingerprintOf } from "../mcp/fingerprint.ts";
import type { McpDefinition, McpPins, McpToolState } from "../mcp/mcp-server.ts";

/** Pins in memory, which behave like those in the zone's database. */
export function memoryPins(): McpPins & { readonly approve: (server: string) => void } {
  const pinned = new Map<string, Map<string, string>>();
  const seen = new Map<string, Map<string, string>>();
  const printsOf = (listed: readonly McpDefinition[]) => new Map(listed.map((one) => [one.name, fingerprintOf(one)]));
  return {
    approve: (server) => void pinned.set(server, seen.get(server) ?? new Map()),
    observe: async (server, listed) => {
      seen.set(server, printsOf(listed));
      const pins = pinned.get(server) ?? printsOf(listed);
      pinned.set(server, pins);
      const stateOf = ({ name }: McpDefinition): McpToolState => (pins.has(name) ? "changed" : "new");
      return new Map(
        listed.map((one) => [one.name, pins.get(one.name) === fingerprintOf(one) ? "pinned" : stateOf(one)]),
      );
    },
  };
}

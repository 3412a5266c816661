import { isDeepStrictEqual } from "node:util";
import type { AgentCanary, AgentRecord } from "@crosszone/contracts";

/** How an agent is called: a migration, a rollback and a canary change it. */
export type AgentWay = Pick<AgentRecord, "protocol" | "protocol_config" | "url">;

export const wayOf = ({ protocol, protocol_config, url }: AgentWay): AgentWay => ({ protocol, protocol_config, url });

/** Returns how the tasks of an agent's canary are sent; undefined without a canary. The configuration belongs to one protocol. */
export function canaryWay(agent: AgentWay & { readonly canary?: AgentCanary }): AgentWay | undefined {
  const { canary, protocol, protocol_config, url } = agent;
  if (canary === undefined) return undefined;
  const other = canary.protocol ?? protocol;
  return { protocol: other, protocol_config: other === protocol ? protocol_config : {}, url: canary.url ?? url };
}

export function isSameWay(one: AgentWay | undefined, other: AgentWay | undefined): boolean {
  return isDeepStrictEqual(one && wayOf(one), other && wayOf(other));
}

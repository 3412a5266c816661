import type { AgentRecord, AgentSettings } from "@crosszone/contracts";

/** What an agent is given where its settings say nothing. */
export const agentDefaults: Readonly<Omit<Required<AgentSettings>, "name" | "url">> = {
  description: "",
  protocol: "auto",
  protocol_config: {},
  auth: { type: "none" },
  timeout_ms: 30_000,
  max_concurrency: 10,
  retry: { max_retries: 3, base_ms: 500, max_ms: 30_000 },
  breaker: { failures: 5, open_ms: 30_000 },
  enabled: true,
};

/** Settings with nothing left out: what of a record an admin may change. */
export type FullSettings = Required<AgentSettings>;

export function fillSettings(settings: AgentSettings): FullSettings {
  return { ...agentDefaults, ...settings };
}

/** The part of a record that is settings, in the order of the schema. */
export function settingsOf(record: AgentRecord): FullSettings {
  const { name, url, description, protocol, protocol_config, auth } = record;
  const { timeout_ms, max_concurrency, retry, breaker, enabled } = record;
  return {
    name,
    url,
    description,
    protocol,
    protocol_config,
    auth,
    timeout_ms,
    max_concurrency,
    retry,
    breaker,
    enabled,
  };
}

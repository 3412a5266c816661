import type { AgentRecord, AgentSettings } from "@crosszone/contracts";
import { isObject } from "../adapters/own-member.ts";

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
  side_effects: false,
};

/** Settings with nothing left out: what of a record an admin may change. */
export type FullSettings = Required<AgentSettings>;

export function fillSettings(settings: AgentSettings): FullSettings {
  return { ...agentDefaults, ...settings };
}

/**
 * Settings as an admin wrote them, with the defaults of what `retry` and `breaker` leave out. What has another shape is returned as it is, for
 * validation to refuse.
 */
export function completeParts(written: unknown): unknown {
  if (!isObject(written)) return written;
  const parts = (["retry", "breaker"] as const).flatMap((name) => {
    const part = written[name];
    return isObject(part) ? [[name, { ...agentDefaults[name], ...part }] as const] : [];
  });
  return { ...written, ...Object.fromEntries(parts) };
}

/** The part of a record that is settings, in the order of the schema. */
export function settingsOf(record: AgentRecord): FullSettings {
  const { name, url, description, protocol, protocol_config, auth } = record;
  const { timeout_ms, max_concurrency, retry, breaker, enabled, side_effects = false } = record;
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
    side_effects,
  };
}

import type { AgentRecord, AgentSettings } from "@crosszone/contracts";
import { isObject } from "../adapters/own-member.ts";

/** Defaults of an agent's settings. */
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

/** Complete settings: the part of a record that an admin can change. */
export type FullSettings = Required<AgentSettings>;

export function fillSettings(settings: AgentSettings): FullSettings {
  return { ...agentDefaults, ...settings };
}

/** Fills in the defaults of `retry` and `breaker`. Other values are returned unchanged, for validation to reject. */
export function completeParts(written: unknown): unknown {
  if (!isObject(written)) return written;
  const parts = (["retry", "breaker"] as const).flatMap((name) => {
    const part = written[name];
    return isObject(part) ? [[name, { ...agentDefaults[name], ...part }] as const] : [];
  });
  return { ...written, ...Object.fromEntries(parts) };
}

/** Returns the settings in a record, in the order of the schema. */
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

import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { AgentRecord, AgentSettings } from "@crosszone/contracts";
import { isObject } from "@crosszone/service-kit/json";

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
  send_thread: false,
};

/** Complete settings: the part of a record that an admin can change. */
export type FullSettings = Required<AgentSettings>;

/** `protocol` is the one of an agent that names none. */
export function fillSettings(settings: AgentSettings, protocol: string = agentDefaults.protocol): FullSettings {
  return { ...agentDefaults, protocol, ...settings };
}

/** Fills in the defaults of `retry` and `breaker`. Other values are returned unchanged, for validation to reject. */
export function completeParts(written: unknown): unknown {
  if (!isObject(written)) return written;
  const { retry, breaker } = agentDefaults;
  const parts = Object.entries({ retry, breaker }).flatMap(([name, defaults]) => {
    const part = written[name];
    return isObject(part) ? [[name, { ...defaults, ...part }] as const] : [];
  });
  return { ...written, ...Object.fromEntries(parts) };
}

/** The names of the settings, in the order of the schema. */
export const settingNames: readonly string[] = ["name", "url", ...Object.keys(agentDefaults)];

/** Returns the settings in a record, in that order. */
export function settingsOf(record: AgentRecord): FullSettings {
  const all: Readonly<Record<string, unknown>> = { ...agentDefaults, ...record };
  return Object.fromEntries(settingNames.map((name) => [name, all[name]])) as unknown as FullSettings;
}

/** Returns the record of an agent that nobody has stored yet. */
export function newRecord(settings: FullSettings): AgentRecord {
  const now = new Date().toISOString();
  return { ...settings, id: randomUUID(), source: "api", revision: 1, created_at: now, updated_at: now };
}

/** How an agent is called: a migration and a rollback change it. */
export type AgentWay = Pick<AgentRecord, "protocol" | "protocol_config" | "url">;

export const wayOf = ({ protocol, protocol_config, url }: AgentWay): AgentWay => ({ protocol, protocol_config, url });

export const isSameWay = (one: AgentWay, other: AgentWay): boolean => isDeepStrictEqual(wayOf(one), wayOf(other));

import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { AgentProtocolConfig, AgentRecord, AgentSettings, ParamProblem } from "@crosszone/contracts";
import { hideSecrets } from "@crosszone/service-kit";
import { AgentFailure } from "../protocol/protocol-adapter.ts";

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

/** The names of the settings, in the order of the schema. */
const settingNames: readonly string[] = ["name", "url", ...Object.keys(agentDefaults)];

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

/**
 * Checks of an agent, besides its schema, before it is stored. Each throws an `AgentFailure` whose message says what to
 * do.
 */
export interface AgentChecks {
  /** Checks that an adapter supports the protocol and accepts its configuration. */
  readonly protocol: (agent: { readonly protocol: string; readonly protocol_config: AgentProtocolConfig }) => unknown;
  /** Checks that the address may be called. */
  readonly url: (url: string) => unknown;
  /** Checks whether the agent's secrets can be sent to it. */
  readonly secrets: (agent: FullSettings & { readonly source: AgentRecord["source"] }) => unknown;
}

/** Headers that the connection, body or call sets itself. A key in one of them would break the request. */
const ownHeaders: ReadonlySet<string> = new Set(
  `accept accept-encoding connection content-encoding content-length content-type expect host idempotency-key keep-alive
  te trailer traceparent transfer-encoding upgrade x-correlation-id x-crosszone-hops`.split(/\s+/),
);

/** Checks settings that fit their schema. Returns the problems that a schema cannot express, each at a JSON pointer. */
export async function settingsProblems(
  settings: FullSettings,
  source: AgentRecord["source"],
  checks: AgentChecks,
): Promise<ParamProblem[]> {
  const { name, url, auth } = settings;
  const found = [...textProblems(settings)];
  // URL resolution removes these two. https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4
  if (name === "." || name === "..") found.push({ pointer: "/name", message: "can't be part of a URL" });
  found.push(...(await failureAt("/protocol", () => checks.protocol(settings))));
  found.push(...(await failureAt("/url", () => checks.url(url))));
  if (auth.type === "api_key" && ownHeaders.has(auth.header.toLowerCase()))
    found.push({ pointer: "/auth/header", message: "is a header that every request uses for something else" });
  if (auth.type === "oauth2_client_credentials")
    found.push(...(await failureAt("/auth/token_url", () => checks.url(auth.token_url))));
  found.push(...(await failureAt("/auth", () => checks.secrets({ ...settings, source }))));
  return found;
}

function* textProblems({ name, url, description }: FullSettings): Generator<ParamProblem> {
  for (const [member, text] of Object.entries({ name, url, description })) {
    const pointer = `/${member}`;
    if (text.includes("\0") || !text.isWellFormed())
      yield { pointer, message: "must not contain U+0000 or half a surrogate pair, which a database can't store" };
    else if (hideSecrets(text) !== text)
      yield { pointer, message: "looks as if it contains a secret: name the place of the secret in auth instead" };
  }
}

async function failureAt(pointer: string, check: () => unknown): Promise<ParamProblem[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof AgentFailure) return [{ pointer, message: error.message }];
    throw error;
  }
}

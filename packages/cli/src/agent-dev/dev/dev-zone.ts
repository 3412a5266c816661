import type { AgentsApi } from "../../api/agents-api.ts";
import { type ApiClient, createApiClient } from "../../api/api-client.ts";
import { RefusedError, UnreachableError } from "../../api/failures.ts";
import { zoneAddress } from "../../program/session.ts";
import { UsageError } from "../../program/errors.ts";
import type { Session } from "../../program/session.ts";
import { answersOk, type LocalOptions, startLocal } from "./local-crosszone.ts";

/** The zone that the agent is registered at. */
export interface DevZone {
  readonly agents: ApiClient["agents"];
  /** Undefined when no local Slack runs. */
  readonly slackUrl?: string;
  /** Ends the processes of this run. */
  readonly stop: () => Promise<void>;
}

export interface FindZoneOptions extends LocalOptions {
  readonly write: (line: string) => void;
}

/**
 * Returns the zone that the environment names, as other commands find it, or starts a local Crosszone. Throws a `UsageError` when a zone
 * runs but its token is missing, a `RefusedError` when it does not accept the token, an `Error` when none can be started.
 */
export async function findZone(session: Session, { write, ...options }: FindZoneOptions): Promise<DevZone> {
  const { env } = session;
  if (env["CROSSZONE_TOKEN"]) {
    const { agents } = session.api();
    const running = await agents.list({ limit: 1, offset: 0 }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof UnreachableError) return false;
        throw error;
      },
    );
    const slackUrl = `http://127.0.0.1:${env["DEV_SLACK_PORT"] || 3_100}`;
    const hasSlack = running && (await answersOk(`${slackUrl}/control/workspace`));
    if (running) return { agents, ...(hasSlack && { slackUrl }), stop: () => Promise.resolve() };
  } else if (await answersOk(`${env["CROSSZONE_URL"] || "http://127.0.0.1:4000"}/readyz`))
    throw new UsageError(
      "A Crosszone is running, but CROSSZONE_TOKEN is not set. Set it to one of its tokens, or use --no-slack.",
    );
  write("Starting a local Crosszone…");
  const local = await startLocal(session, options);
  const address = zoneAddress({ CROSSZONE_URL: local.url, CROSSZONE_TOKEN: local.token });
  return { agents: createApiClient(address).agents, slackUrl: local.slackUrl, stop: local.stop };
}

/** Marks agents that this command registered, so that one left behind by a crash is replaced and no other. */
const mark = "(crosszone agent dev)";

interface DevAgent {
  readonly name: string;
  readonly url: string;
  readonly description: string;
  readonly protocol?: string;
}

/**
 * Registers an agent under development: no retries, and failures don't open its circuit. Replaces a registration that this command left
 * behind; rejects with a `RefusedError` when an agent of the same name exists. Returns a function that removes it.
 */
export async function register(
  agents: AgentsApi,
  { description, protocol, ...agent }: DevAgent,
): Promise<() => Promise<void>> {
  const { name } = agent;
  const settings = {
    ...agent,
    description: `${description.slice(0, 200)} ${mark}`.trim(),
    protocol,
    retry: { max_retries: 0, base_ms: 100, max_ms: 100 },
    breaker: { failures: 1_000, open_ms: 100 },
  };
  const remove = async (): Promise<void> => agents.remove(name);
  try {
    await agents.add(settings);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const known = await agents.get(name).catch(() => undefined);
    if (known?.description.endsWith(mark) !== true) throw error;
    await remove();
    await agents.add(settings);
  }
  return remove;
}

/** `Word counter` as `word-counter`; the fallback for a name without letters and digits. */
export function agentName(cardName: string | undefined, fallback: string): string {
  const slug = (cardName ?? "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
  return slug === "" ? fallback : slug.slice(0, 100);
}

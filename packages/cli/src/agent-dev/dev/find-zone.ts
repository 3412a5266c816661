import { createApiClient, type ApiClient } from "../../api/api-client.ts";
import { UnreachableError } from "../../api/api-failure.ts";
import { zoneAddress } from "../../api/zone-address.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import type { Session } from "../../session.ts";
import { answersOk, startLocal, type LocalOptions } from "./local-crosszone.ts";

/** The zone that the agent is registered at. */
export interface DevZone {
  readonly agents: ApiClient["agents"];
  /** Undefined when no local Slack runs. */
  readonly slackUrl?: string;
  /** Ends what was started for this run. */
  readonly stop: () => Promise<void>;
}

export interface FindZoneOptions extends LocalOptions {
  readonly tell: (line: string) => void;
}

/**
 * Returns the zone that the environment names, as other commands find it, or starts a local Crosszone. Throws a `UsageError` when a zone
 * runs but its token is missing, a `RefusedError` when it does not accept the token, an `Error` when none can be started.
 */
export async function findZone(session: Session, { tell, ...options }: FindZoneOptions): Promise<DevZone> {
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
      "A Crosszone is running, but CROSSZONE_TOKEN is not set. Set it to one of its AGENT_ADMIN_TOKENS, or use --no-slack.",
    );
  tell("Starting a local Crosszone…");
  const local = await startLocal(session, options);
  const address = zoneAddress({ CROSSZONE_URL: local.url, CROSSZONE_TOKEN: local.token });
  return { agents: createApiClient(address).agents, slackUrl: local.slackUrl, stop: local.stop };
}

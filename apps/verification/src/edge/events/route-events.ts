import { createStoreRetry } from "../../inbox/store-retry.ts";
import { installationIdOf, type InstallationStore } from "../../workspaces/installations/installation-store.ts";
import type { IsForApp, Workspaces } from "../../workspaces/workspaces.ts";
import type { EventIntake, IntakeResult } from "./event-intake.ts";
import { readTokensRevoked, type SlackEnvelope, workspaceOf } from "./slack-event.ts";

export interface EventRouterOptions {
  readonly workspaces: Pick<Workspaces, "find">;
  readonly isForApp: IsForApp;
  readonly intake: EventIntake;
  /** Absent with a single workspace, whose installation this zone does not store. */
  readonly installations?: Pick<InstallationStore, "remove">;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Called with the id of an installation that has ended. */
  readonly onRemoved: (id: string) => void;
}

/** Slack waits three seconds. An event that could not be stored is refused before that, so that Slack sends it again. */
const storeBudgetMs = 2_000;

/**
 * Routes each event to its workspace, and removes installations that have ended. An event for a workspace without an installation is
 * ignored. All database calls for one event take at most two seconds.
 */
export function createEventRouter({
  workspaces,
  isForApp,
  intake,
  installations,
  now,
  onRemoved,
}: EventRouterOptions): (envelope: SlackEnvelope, traceparent?: string) => Promise<IntakeResult> {
  return async (envelope, traceparent) => {
    const retryStore = createStoreRetry(storeBudgetMs);
    const workspace = workspaceOf(envelope);
    if (!(await isForApp({ workspace, api_app_id: envelope.api_app_id }, retryStore))) return { verdict: "wrong_app" };
    if (installations !== undefined && endsInstallation(envelope)) {
      const id = installationIdOf(workspace);
      const moment = momentOf(envelope);
      if (id !== undefined && (await retryStore(() => installations.remove(id, moment)))) onRemoved(id);
      return { verdict: "installation_ended" };
    }
    const context = await retryStore(() => workspaces.find(workspace));
    return context === undefined
      ? { verdict: "not_installed" }
      : intake(context, envelope, { retryStore, traceparent });
  };

  /** Returns the end of the event's second, in Unix milliseconds. A later installation survives a delayed event. */
  function momentOf({ event_time }: SlackEnvelope): number {
    return event_time === undefined ? now() : event_time * 1_000 + 999;
  }
}

/** Returns true if the app was removed or its bot's token revoked: it has one bot in a workspace. Tokens of people don't count. */
function endsInstallation({ event }: SlackEnvelope): boolean {
  return event.type === "app_uninstalled" || (event.type === "tokens_revoked" && readTokensRevoked(event).length > 0);
}

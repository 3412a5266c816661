import { createInsistence } from "../inbox/insistence.ts";
import { installationIdOf } from "../installations/installation-id.ts";
import type { InstallationStore } from "../installations/installation-store.ts";
import { workspaceOf } from "../slack/envelope-teams.ts";
import type { IntakeResult } from "../slack/event-intake.ts";
import { readTokensRevoked, type SlackEnvelope } from "../slack/slack-event.ts";
import type { Desks } from "./desks.ts";
import type { IsForApp } from "./is-for-app.ts";

export interface SortEventsOptions {
  readonly desks: Pick<Desks, "of">;
  readonly isForApp: IsForApp;
  /** Absent where the app has one workspace, whose installation is nothing that this zone keeps. */
  readonly installations?: Pick<InstallationStore, "remove">;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Told of an installation that has ended, by its id. */
  readonly onRemoved: (id: string) => void;
}

/** Slack waits three seconds; what could not be stored by then comes again, and must be refused before. */
const storeBudgetMs = 2_000;

/**
 * Hands each event to the desk of the workspace that it is for; the end of an installation is seen to here. An event for a workspace
 * that has not installed the app is for nobody. All that the database is asked for one event takes two seconds at most.
 */
export function sortEvents({
  desks,
  isForApp,
  installations,
  now,
  onRemoved,
}: SortEventsOptions): (envelope: SlackEnvelope, traceparent?: string) => Promise<IntakeResult> {
  return async (envelope, traceparent) => {
    const insist = createInsistence(storeBudgetMs);
    const workspace = workspaceOf(envelope);
    if (!(await isForApp({ workspace, api_app_id: envelope.api_app_id }, insist))) return { verdict: "wrong_app" };
    if (installations !== undefined && endsInstallation(envelope)) {
      const id = installationIdOf(workspace);
      const moment = momentOf(envelope);
      if (id !== undefined && (await insist(() => installations.remove(id, moment)))) onRemoved(id);
      return { verdict: "installation_ended" };
    }
    const desk = await insist(() => desks.of(workspace));
    return desk === undefined ? { verdict: "not_installed" } : desk.takeIn(envelope, insist, traceparent);
  };

  /** The end of the second in which it happened: what was installed later than that stays, however late the event is. */
  function momentOf({ event_time }: SlackEnvelope): number {
    return event_time === undefined ? now() : event_time * 1_000 + 999;
  }
}

/** Whether the app was removed, or its bot's token revoked: it has one bot in a workspace. Tokens of people are none of ours. */
function endsInstallation({ event }: SlackEnvelope): boolean {
  return event.type === "app_uninstalled" || (event.type === "tokens_revoked" && readTokensRevoked(event).length > 0);
}

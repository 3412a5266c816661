import type { Installation as SlackInstallation } from "@slack/oauth";
import type { Grant, Installation } from "../../workspaces/installations/installation-store.ts";
import { tokenTimes } from "../../workspaces/installations/installation-token.ts";

/** The place of an installation, and the person who installed the app. */
export interface Installer {
  readonly id: string;
  readonly enterprise_id?: string;
  readonly installed_by: string;
}

export function readInstaller({ team, enterprise, isEnterpriseInstall, user }: SlackInstallation): Installer {
  const id = isEnterpriseInstall === true ? enterprise?.id : team?.id;
  if (id === undefined) throw new Error("Slack returned no workspace");
  return { id, installed_by: user.id, enterprise_id: enterprise?.id };
}

/**
 * Reads the installation and the bot's grant from Slack's response. No token of a person is requested. Throws if there is no workspace or
 * bot.
 */
export function readInstallation(
  given: SlackInstallation,
  { install, now }: { readonly install: string; readonly now: number },
): { readonly installation: Installation; readonly grant: Grant } {
  const { bot } = given;
  if (bot === undefined) throw new Error("Slack returned no bot");
  const { token, refreshToken, expiresAt, userId, id, scopes } = bot;
  return {
    installation: {
      ...readInstaller(given),
      install,
      bot_user_id: userId,
      bot_id: id,
      scopes,
      installed_at: now,
    },
    grant: {
      token,
      refresh_token: refreshToken,
      ...(expiresAt === undefined ? {} : tokenTimes(now, expiresAt * 1_000 - now)),
    },
  };
}

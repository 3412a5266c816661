import type { SlackLink } from "../deps.ts";
import type { WorkspaceId } from "../slack/slack-api.ts";
import { installationIdOf } from "./installations/installation-id.ts";
import type { Installation, InstallationStore } from "./installations/installation-store.ts";
import type { Desk, MakeDesk } from "./workspace-context.ts";
import type { Desks } from "./workspaces.ts";

export interface InstalledDesksOptions {
  readonly installations: Pick<InstallationStore, "find">;
  /** Returns an observed connection. */
  readonly linkOf: (installation: Installation) => SlackLink;
  readonly make: MakeDesk;
}

interface SetUp {
  /** The id of the installation that the desk belongs to. */
  readonly install: string;
  readonly desk: Desk;
}

/**
 * Makes the desks of workspaces that have installed the app, each on first use. Each lookup checks in the store that the installation is
 * unchanged, because another process may have seen it removed or replaced.
 */
export function createInstalledDesks({ installations, linkOf, make }: InstalledDesksOptions): Desks {
  const desks = new Map<string, SetUp>();

  async function of(workspace: WorkspaceId): Promise<Desk | undefined> {
    const { team_id, org_id } = workspace;
    const id = installationIdOf(workspace);
    const installation = id === undefined ? undefined : await installations.find(id);
    const key = `${org_id ?? ""} ${team_id}`;
    const before = desks.get(key);
    if (installation === undefined) {
      desks.delete(key);
      return undefined;
    }
    if (before?.install === installation.install) return before.desk;
    const { bot_user_id, bot_id, enterprise_id } = installation;
    const identity = { team_id, bot_user_id, bot_id, ...(enterprise_id !== undefined && { enterprise_id }) };
    const desk = make(linkOf(installation), identity);
    desks.set(key, { install: installation.install, desk });
    return desk;
  }

  return { open: async () => undefined, of, linkOf: of };
}

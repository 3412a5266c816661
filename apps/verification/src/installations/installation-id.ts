import type { WorkspaceId } from "../slack/slack-api.ts";

const form = /^[TE][A-Z0-9]{1,40}$/;

/** What an installation is kept under: the workspace, or the organisation that installed the app as a whole. Nothing for what is no id. */
export function installationIdOf({ team_id, org_id }: WorkspaceId): string | undefined {
  const id = org_id ?? team_id;
  return form.test(id) && form.test(team_id) ? id : undefined;
}

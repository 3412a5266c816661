import type { WorkspaceId } from "../../slack/slack-api.ts";

const form = /^[TE][A-Z0-9]{1,40}$/;

/**
 * Returns the id of an installation: that of the workspace, or of the organisation that installed the app as a whole. Undefined if the ids
 * are invalid.
 */
export function installationIdOf({ team_id, org_id }: WorkspaceId): string | undefined {
  const id = org_id ?? team_id;
  return form.test(id) && form.test(team_id) ? id : undefined;
}

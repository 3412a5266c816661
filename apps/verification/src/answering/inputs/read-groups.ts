import type { SlackApi } from "../../slack/slack-api.ts";

interface GroupReading {
  readonly slack: Pick<SlackApi, "groupMembers">;
  readonly team_id: string;
  readonly onFailure: (error: unknown) => void;
}

/** Reads the members of user groups now, by group. Never rejects: a group that Slack does not return is absent. */
export async function readGroups(
  groups: readonly string[],
  { slack, team_id, onFailure }: GroupReading,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const members = new Map<string, ReadonlySet<string>>();
  const read = async (group: string): Promise<void> =>
    void members.set(group, new Set(await slack.groupMembers(group, team_id)));
  await Promise.all(groups.map((group) => read(group).catch(onFailure)));
  return members;
}

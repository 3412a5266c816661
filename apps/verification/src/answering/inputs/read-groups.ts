import type { InputRequest, InputVoter } from "@crosszone/contracts";
import type { SlackApi } from "../../slack/slack-api.ts";
import { namedDeciders } from "./people-text.ts";

/** The members of a request's user groups, by group. A group that could not be read is absent. */
export type GroupMembers = ReadonlyMap<string, ReadonlySet<string>>;

interface GroupReading {
  readonly slack: Pick<SlackApi, "groupMembers">;
  readonly team_id: string;
  readonly onFailure: (error: unknown) => void;
}

/** Reads the members of user groups now. Never rejects: what Slack does not return has no members. */
export async function readGroups(
  groups: readonly string[],
  { slack, team_id, onFailure }: GroupReading,
): Promise<GroupMembers> {
  const read = await Promise.all(
    groups.map(async (group) => {
      try {
        return [[group, new Set(await slack.groupMembers(group, team_id))] as const];
      } catch (error) {
        onFailure(error);
        return [];
      }
    }),
  );
  return new Map(read.flat());
}

/** A person who answers or has answered. */
type Voter = Pick<InputVoter, "user_id" | "team_id">;

/** Returns true if it depends on groups who of these people can decide. */
export function needsGroups(request: InputRequest, voters: readonly Voter[]): boolean {
  const named = new Set(namedDeciders(request));
  return request.decide.groups.length > 0 && voters.some(({ user_id }) => !named.has(user_id));
}

/** Returns a person with the groups that they are in. */
export function voterIn(members: GroupMembers, { user_id, team_id }: Voter): InputVoter {
  const groups = [...members].flatMap(([group, people]) => (people.has(user_id) ? [group] : []));
  return { user_id, team_id, groups };
}

import type { GetUsageParams, GetUsageResult } from "@crosszone/contracts";
import { assistantName } from "../agents/assistant/assistant-agent.ts";
import { teamKey } from "../tasks/team-key.ts";
import type { UsageReader } from "./sql-usage-reader.ts";
import { noCalls, usageSum } from "./usage-sums.ts";

/**
 * Returns a requester's usage for `get_usage`. The caller vouches for the requester's identity, as it does for tasks.
 */
export function createUsageOf({ ofPerson }: Pick<UsageReader, "ofPerson">) {
  return ({ user_id: person, team_id, channel }: GetUsageParams): Promise<GetUsageResult> => {
    const team = team_id === undefined ? undefined : teamKey(team_id);
    return ofPerson({ person, team, channel, agent: assistantName });
  };
}

/** The answer when no model is connected. */
export const nothingUsed = async (): Promise<GetUsageResult> => ({
  day: usageSum(noCalls),
  month: usageSum(noCalls),
  budgets: [],
});

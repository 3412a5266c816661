import { followUpsKey } from "@crosszone/agent-bridge";
import { ownList, ownMember } from "@crosszone/service-kit/json";

/** The most follow-ups of an answer, and their length in characters (`task-succeeded.schema.json`). */
const mostFollowUps = 4;
const longestFollowUp = 75;

/** Returns the follow-ups in an output of the bridge; undefined without any. Longer ones and those beyond the fourth are left out. */
export function followUpsOf(output: unknown): string[] | undefined {
  const holders = [...ownList(output, "artifacts"), ownMember(output, "message"), output];
  const given = holders.flatMap((holder) => ownList(ownMember(holder, "metadata"), followUpsKey));
  const texts = given.flatMap((text) =>
    typeof text === "string" ? text.replace(/\s+/g, " ").trim().toWellFormed() : [],
  );
  const fitting = [...new Set(texts)].filter((text) => text !== "" && text.length <= longestFollowUp);
  return fitting.length > 0 ? fitting.slice(0, mostFollowUps) : undefined;
}

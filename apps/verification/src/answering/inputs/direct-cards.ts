import type { ShownCard } from "../../inbox/records.ts";
import { timeText } from "./people-text.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { isRefusedForGood } from "../posting/send-once.ts";
import type { Answering } from "../questions/attempt.ts";
import { inputCard } from "./input-card.ts";
import type { InputLook } from "./input-flow.ts";
import { namedDeciders } from "./people-text.ts";
import { readGroups } from "./read-groups.ts";

/** People who are asked directly about one request; any others still decide on the run page. */
const mostPeople = 50;

/**
 * Asks the people who can decide a private request, each in a direct message, except those who were asked before. Resolves with the messages. A
 * person whom Slack does not let the app write to is left out. If Slack's response is lost, a person can get a second message.
 */
export async function askDirectly(
  answering: Answering,
  { request, leased, leave }: InputLook,
  asked: ReadonlySet<string> = new Set(),
): Promise<readonly ShownCard[]> {
  if (request.visibility !== "private" || request.state !== "open") return [];
  const { slack } = answering.workspace;
  const { team_id, request_id, correlation_id } = leased.record;
  const report = (failure: unknown): void =>
    answering.emit("input_not_shown", { correlation_id, input_id: request.request_id, operation: "conversations.open", failure });
  const members = await readGroups(request.decide.groups, { slack, team_id, onFailure: report });
  const people = new Set([...namedDeciders(request), ...[...members.values()].flatMap((group) => [...group])]);
  const cards: ShownCard[] = [];
  for (const user_id of [...people].filter((user) => !asked.has(user)).slice(0, mostPeople)) {
    leave.throwIfAborted();
    try {
      const channel = await slack.openDirect(user_id);
      const mark = { request_id, correlation_id, state: "done" as const };
      cards.push({ channel, user_id, ...(await slack.post({ channel }, { ...inputCard(request), mark })) });
    } catch (error) {
      if (!(error instanceof SlackCallError)) throw error;
      // After a rate limit the whole record waits, unless somebody was asked, who would be asked twice.
      if (!isRefusedForGood(error) && cards.length === 0) throw error;
      report(error);
    }
  }
  return cards;
}

/** Reminds the people who were asked directly. */
export async function directReminder({ workspace }: Answering, { request, leased }: InputLook): Promise<void> {
  const { request_id, correlation_id, progress = leased.progress } = { ...leased.record, progress: leased.progress };
  const mark = { request_id, correlation_id, state: "done" as const };
  const text = `This still needs your decision, until ${timeText(request.expires_at)}.`;
  for (const { channel, ts, user_id } of progress.shown?.cards ?? [])
    if (user_id !== undefined)
      await workspace.slack.post({ channel, thread_ts: ts }, { text, mark }).catch((error: unknown) => {
        if (!(error instanceof SlackCallError)) throw error;
      });
}

import type { Message } from "../protocol/workspace.ts";
import { SLACKBOT, splitCommand } from "../commands/command-texts.ts";
import { answerPart } from "../page/text/answer-part.ts";

/** The state of an answer. */
export type AnswerState = "waiting" | "done" | "failed";

/** Returns the app's messages that answer a question: later ones in its thread, or ephemeral ones to the requester. */
export function answersTo(question: Message, messages: Iterable<Message>): Message[] {
  const root = question.thread_ts ?? question.ts;
  return [...messages]
    .filter(
      ({ channel, ts, thread_ts, bot_id, ephemeral_for }) =>
        channel === question.channel &&
        bot_id !== undefined &&
        Number(ts) > Number(question.ts) &&
        (thread_ts === root || ephemeral_for === question.user) &&
        (ephemeral_for === undefined || ephemeral_for === question.user),
    )
    .toSorted((a, b) => Number(a.ts) - Number(b.ts));
}

/**
 * Returns the state of the messages from `answersTo`. An answer is complete when all its parts exist, none of its messages is a
 * placeholder, and the last one is not a stream that expired or continues in another message. Files alone are no answer: the app attaches
 * them before its text. The app refuses with an ephemeral message, so that counts as a failure. Commands are answered with ephemeral messages too; for them only an error from Slack is a failure.
 */
export function answerState(question: Message, answers: readonly Message[]): AnswerState {
  if (splitCommand(question.text) !== undefined) {
    if (answers.length === 0) return "waiting";
    return answers.some(({ user }) => user === SLACKBOT.user) ? "failed" : "done";
  }
  if (answers.some((message) => message.ephemeral_for !== undefined)) return "failed";
  const said = answers.filter(({ text, files }) => text !== "" || files === undefined);
  const parts = said.map(answerPart);
  if (parts.length === 0 || parts.some(({ state }) => state === "working")) return "waiting";
  const isWhole = [...Map.groupBy(parts, ({ task }) => task).values()].every(
    (ofTask) => new Set(ofTask.map(({ part }) => part)).size >= Math.max(...ofTask.map((one) => one.parts)),
  );
  const { stream } = said.at(-1) ?? {};
  if (!isWhole || stream?.continues || stream?.state === "expired") return "waiting";
  return parts.some(({ state }) => state === "failed") ? "failed" : "done";
}

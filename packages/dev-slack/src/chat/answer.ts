import { SLACKBOT, splitCommand } from "../commands/command-texts.ts";
import type { Message } from "../control/protocol.ts";
import { answerPart } from "../page/text/answer-part.ts";

/** Where the answer to a question stands. */
export type AnswerState = "waiting" | "done" | "failed";

/** The app's messages to a question: later than it, in its thread, or for the eyes of who asked only. */
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
 * Judges the messages that `answersTo` found. An answer is complete when none of its messages is a placeholder and all
 * its parts are there, and the last of them is no stream that expired or goes on in another message. A message that only the asker sees is how the app refuses, so it counts as a failure; a command is answered so,
 * unless it is Slack that says why it went wrong.
 */
export function answerState(question: Message, answers: readonly Message[]): AnswerState {
  if (splitCommand(question.text) !== undefined) {
    if (answers.length === 0) return "waiting";
    return answers.some(({ user }) => user === SLACKBOT.user) ? "failed" : "done";
  }
  if (answers.some((message) => message.ephemeral_for !== undefined)) return "failed";
  const parts = answers.map(answerPart);
  if (parts.length === 0 || parts.some(({ state }) => state === "working")) return "waiting";
  const isWhole = [...Map.groupBy(parts, ({ task }) => task).values()].every(
    (ofTask) => new Set(ofTask.map(({ part }) => part)).size >= Math.max(...ofTask.map((one) => one.parts)),
  );
  const { stream } = answers.at(-1) ?? {};
  if (!isWhole || stream?.continues || stream?.state === "expired") return "waiting";
  return parts.some(({ state }) => state === "failed") ? "failed" : "done";
}

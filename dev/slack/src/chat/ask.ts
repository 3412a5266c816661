import { setTimeout as sleep } from "node:timers/promises";
import type { ControlEvent, PostMessage } from "../protocol/control-api.ts";
import type { Message } from "../protocol/workspace.ts";
import type { ControlClient } from "./control-client.ts";
import { SLACKBOT, splitCommand } from "../commands/command-texts.ts";
import { answerPart } from "../page/text/task-card.ts";

/** The result of a question. */
export interface Outcome {
  state: Exclude<AnswerState, "waiting"> | "timed_out";
  question: Message;
  /** The app's messages in their final version, oldest first. */
  answers: Message[];
}

export interface AskOptions {
  /** Undefined to wait as long as it takes. */
  timeoutMs: number | undefined;
  /** Called with the question as soon as the local Slack has accepted it. */
  posted(question: Message): void;
  /** Called with each new or changed message of its answer, and at the end with the input requests that it waits for. */
  show(message: Message): void;
}

const retryMs = 500;
const retries = 20;

/**
 * Posts a question and follows its thread until the answer is complete. The stream opens before the question is posted, so no message is
 * missed; after an interruption, the stream is reopened and the thread is read again. Rejects if the local Slack is unreachable or refuses
 * the question.
 */
export async function ask(client: ControlClient, post: PostMessage, options: AskOptions): Promise<Outcome> {
  const closing = new AbortController();
  const { timeoutMs } = options;
  const deadline = timeoutMs === undefined ? closing.signal : AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([deadline, closing.signal]);
  const messages = new Map<string, Message>();
  try {
    let events = await client.events(signal);
    const isCommand = splitCommand(post.text) !== undefined;
    const question = isCommand ? (await client.runCommand(post)).message : await client.post(post);
    const answers = (): Message[] => answersTo(question, messages.values());
    const take = (event: ControlEvent): AnswerState => {
      if (event.type === "message_deleted") messages.delete(event.ts);
      if (event.type !== "message" && event.type !== "message_changed") return answerState(question, answers());
      messages.set(event.message.ts, event.message);
      const isInput = answerPart(event.message).isInput;
      if (!isInput && answersTo(question, [event.message]).length > 0) options.show(event.message);
      return answerState(question, answers());
    };

    options.posted(question);
    let state = await takeAll(events, take);
    while (state === "waiting" && !deadline.aborted) {
      events = await reopen(client, signal);
      messages.clear();
      const read = await client.messages(question.channel, question.thread_ts ?? question.ts);
      for (const message of read) state = take({ type: "message_changed", message });
      if (state === "waiting") state = await takeAll(events, take);
    }
    for (const message of answers()) if (answerPart(message).isInput) options.show(message);
    return { state: state === "waiting" ? "timed_out" : state, question, answers: answers() };
  } finally {
    closing.abort();
  }
}

/** Processes events until the answer is complete, or the stream ends or breaks. */
async function takeAll(
  events: AsyncIterable<ControlEvent>,
  take: (event: ControlEvent) => AnswerState,
): Promise<AnswerState> {
  try {
    for await (const event of events) {
      const state = take(event);
      if (state !== "waiting") return state;
    }
  } catch {
    return "waiting";
  }
  return "waiting";
}

/** Reopens the stream. Rejects if the local Slack stays unreachable; resolves with an ended stream at the deadline. */
async function reopen(client: ControlClient, signal: AbortSignal): Promise<AsyncIterable<ControlEvent>> {
  for (let attempt = 1; ; attempt += 1) {
    await sleep(retryMs);
    try {
      return await client.events(signal);
    } catch (error) {
      if (attempt >= retries || signal.aborted) throw error;
    }
  }
}

/** The state of an answer. */
type AnswerState = "waiting" | "done" | "failed";

/** Returns the app's messages that answer a question: later ones in its thread, or ephemeral ones to the requester. */
function answersTo(question: Message, messages: Iterable<Message>): Message[] {
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
 * placeholder, and the last one is not a stream that expired or continues in another message. Files alone are no answer. Those that its
 * mark announces follow its text, or the app says which don't. An answer that waits for people is complete when their input requests are there. The app refuses with an ephemeral message, so
 * that counts as a failure. Commands are answered with ephemeral messages too; for them only an error from Slack is a failure.
 */
function answerState(question: Message, answers: readonly Message[]): AnswerState {
  if (splitCommand(question.text) !== undefined) {
    if (answers.length === 0) return "waiting";
    return answers.some(({ user }) => user === SLACKBOT.user) ? "failed" : "done";
  }
  if (answers.some((message) => message.ephemeral_for !== undefined)) return "failed";
  const { inputs = [], said = [] } = Object.groupBy(
    answers.filter(({ text, files }) => text !== "" || files === undefined),
    (message) => (answerPart(message).isInput ? "inputs" : "said"),
  );
  const parts = said.map(answerPart);
  if (parts.length === 0 || parts.some(({ state }) => state === "working")) return "waiting";
  const isWhole = [...Map.groupBy(parts, ({ task }) => task).values()].every(
    (ofTask) => new Set(ofTask.map(({ part }) => part)).size >= Math.max(...ofTask.map((one) => one.parts)),
  );
  const { stream } = said.at(-1) ?? {};
  const attached = answers.flatMap(({ files = [] }) => files).length;
  const isTold = parts.some(({ task }) => task.endsWith(":files"));
  if (!isTold && attached < Math.max(...parts.map((one) => one.files))) return "waiting";
  if (inputs.length < Math.max(...parts.map((one) => one.inputs))) return "waiting";
  if (!isWhole || stream?.continues || stream?.state === "expired") return "waiting";
  return parts.some(({ state }) => state === "failed" || state === "stopped") ? "failed" : "done";
}

import { waitText } from "../answering/markdown/wait-text.ts";
import type { Denial, DenyReason } from "./denial.ts";

type Sentence = (denial: Denial) => string;

const theyRunIt = "the people who run this service";

/** These authors get no reply: they are strangers, bots, or unable to read it. */
const silence = undefined;

const sentences = {
  foreign_team: silence,
  foreign_author: silence,
  unknown_team: silence,
  unknown_user: silence,
  unknown_channel: silence,
  stranger: silence,
  // A bot could reply to the reply.
  bot: silence,
  deactivated: silence,
  // Slack accepts no messages there.
  archived: silence,
  guest: () =>
    `I do not answer guests of this workspace. Please ask a full member, or ask ${theyRunIt} to allow guests.`,
  shared_channel: () =>
    `I do not answer in channels that are shared with another organisation. Please ask me in a channel of your own workspace, or directly.`,
  user_not_listed: () => `You are not on the list of people I can answer. Please ask ${theyRunIt} to add you.`,
  channel_not_listed: () =>
    `I can't answer in this conversation. Please ask me in another channel, or ask ${theyRunIt} to add this one.`,
  thread_rate: ({ retryAfterMs }) =>
    `This thread has sent me many messages in a short time. Please ask again in ${waitText(retryAfterMs)}, or in a new thread.`,
  user_rate: ({ retryAfterMs }) =>
    `You have asked a lot in a short time. Please ask again in ${waitText(retryAfterMs)}.`,
  channel_rate: ({ retryAfterMs }) =>
    `This channel has asked me a lot in a short time. Please ask again in ${waitText(retryAfterMs)}.`,
  team_rate: ({ retryAfterMs }) =>
    `Your organisation has asked me a lot in a short time. Please ask again in ${waitText(retryAfterMs)}.`,
  thread_busy: ({ limit }) =>
    `In this thread, ${counted(limit, "message already waits", "messages already wait")} for an answer, so I did not accept this one. Please ask again later, or in a new thread.`,
  text_too_long: ({ limit }) =>
    `This is too long for me: I accept up to ${number(limit)} characters. Please send less, or attach the text as a file.`,
  too_many_files: ({ limit }) =>
    `These are too many files for me: I accept up to ${number(limit)} in one message. Please send fewer at a time.`,
  file_too_large: ({ limit }) =>
    `One of these files is too large for me: I accept up to ${sizeText(limit)} each. Please send a smaller one.`,
  check_failed: () =>
    `I could not check whether I may answer this, so I did not. Please ask again in a minute. If it happens again, tell ${theyRunIt}.`,
} satisfies Record<DenyReason, Sentence | undefined>;

/**
 * Returns the message for a denied requester: why there is no answer, what to do or how long to wait, and the reference to find in the
 * logs. Undefined for silent denials.
 */
export function denialSentence(denial: Denial, reference: string): string | undefined {
  const sentence: Sentence | undefined = sentences[denial.reason];
  return sentence && `${sentence(denial)}\n_Reference: ${reference}_`;
}

function number(value = 0): string {
  return value.toLocaleString("en");
}

function counted(value = 0, one: string, many: string): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

function sizeText(bytes = 0): string {
  return bytes < 1024 ** 2 ? `${number(Math.floor(bytes / 1024))} KB` : `${number(Math.floor(bytes / 1024 ** 2))} MB`;
}

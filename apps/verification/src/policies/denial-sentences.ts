import { waitText } from "../answers/wait-text.ts";
import type { Denial, DenyReason } from "./denial.ts";

type Sentence = (denial: Denial) => string;

const theyRunIt = "the people who run this service";

/** To these nothing is said: they are nobody's colleagues, nobody at all, or not able to read it. */
const silence = undefined;

const sentences = {
  foreign_team: silence,
  foreign_author: silence,
  unknown_team: silence,
  unknown_user: silence,
  unknown_channel: silence,
  stranger: silence,
  // A bot that is answered may answer back.
  bot: silence,
  deactivated: silence,
  // Slack takes no message there.
  archived: silence,
  guest: () =>
    `I do not answer guests of this workspace. Please ask a full member, or ask ${theyRunIt} to let guests in.`,
  shared_channel: () =>
    `I do not answer in channels that are shared with another organisation. Please ask me in a channel of your own workspace, or directly.`,
  user_not_listed: () => `You are not on the list of people whom I may answer. Please ask ${theyRunIt} to add you.`,
  channel_not_listed: () =>
    `I may not answer in this conversation. Please ask me in another channel, or ask ${theyRunIt} to add this one.`,
  thread_rate: ({ retryAfterMs }) =>
    `There were very many messages to me in this thread. Please ask again in ${waitText(retryAfterMs)}, or in a new thread.`,
  user_rate: ({ retryAfterMs }) =>
    `You have asked a lot in a short time. Please ask again in ${waitText(retryAfterMs)}.`,
  channel_rate: ({ retryAfterMs }) =>
    `I was asked a lot in this channel just now. Please ask again in ${waitText(retryAfterMs)}.`,
  team_rate: ({ retryAfterMs }) =>
    `I was asked a lot by your organisation just now. Please ask again in ${waitText(retryAfterMs)}.`,
  thread_busy: ({ limit }) =>
    `In this thread ${counted(limit, "message waits", "messages wait")} for an answer already, so I did not take this one. Please ask again when they are answered, or in a new thread.`,
  text_too_long: ({ limit }) =>
    `This is too long for me: I take at most ${number(limit)} characters. Please send less, or attach the text as a file.`,
  too_many_files: ({ limit }) =>
    `These are too many files for me: I take at most ${number(limit)} with one message. Please send fewer at a time.`,
  file_too_large: ({ limit }) =>
    `One of these files is too large for me: I take at most ${sizeText(limit)} each. Please send a smaller one.`,
  check_failed: () =>
    `I could not check whether I may answer this, so I did not. Please ask again in a minute; if it happens again, tell ${theyRunIt}.`,
} satisfies Record<DenyReason, Sentence | undefined>;

/**
 * Says to the person who asked why there is no answer, what to do or how long to wait, and the reference under which the logs have it.
 * Nothing for those who are met with silence.
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

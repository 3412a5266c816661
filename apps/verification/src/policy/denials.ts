/** Why a message is denied, and the sentence for its author. */
interface Reason {
  /**
   * The sentence for the author. Authors without one get no reply: they are strangers, bots, or unable to read it.
   */
  readonly sentence?: (denial: DenialData) => string;
  /** Why an author reads the sentence, and what an operator does about it: a row of the troubleshooting page. */
  readonly symptom?: readonly [cause: string, remedy: string];
  /** True if the reason lies in this message, and its author can ask in general. Only then does the app follow the thread. */
  readonly authorMayAsk?: true;
}

/** The data for a denial's sentence. Each member can be missing. `generate-page-parts.ts` has an example of each. */
interface DenialData {
  /** How long to wait before asking again, milliseconds. */
  readonly retryAfterMs?: number;
  /** The exceeded limit: characters, files, bytes or waiting questions. */
  readonly limit?: number;
}

const operators = "the people who run this service";
const silent: Reason = {};

/** Every reason for a denial. The reasons appear in logs and metrics. */
const reasons = {
  foreign_team: silent,
  foreign_author: silent,
  unknown_team: silent,
  unknown_user: silent,
  unknown_channel: silent,
  deactivated: silent,
  // A bot could reply to the reply.
  bot: silent,
  stranger: silent,
  guest: {
    sentence: () =>
      `I do not answer guests of this workspace. Please ask a full member, or ask ${operators} to allow guests.`,
    symptom: ["The requester is a guest.", "Set `allow_guests` in the policy to allow guests."],
  },
  // Slack accepts no messages there.
  archived: silent,
  shared_channel: {
    sentence: () =>
      "I do not answer in channels that are shared with another organization. Please ask me in a channel of your own workspace, or directly.",
    symptom: [
      "The channel is shared through Slack Connect.",
      "Set `allow_shared_channels` in the policy to allow such channels.",
    ],
  },
  user_not_listed: {
    sentence: () => `You are not on the list of people I can answer. Please ask ${operators} to add you.`,
    symptom: ["`allowed_users` doesn't list the requester.", "Add the Slack user id in the policy."],
  },
  channel_not_listed: {
    sentence: () =>
      `I can't answer in this conversation. Please ask me in another channel, or ask ${operators} to add this one.`,
    symptom: [
      "`allowed_channels` doesn't list the channel.",
      "Add the channel id in the policy, or `dm` for direct messages.",
    ],
  },
  thread_rate: onlyThisMessage(
    ({ retryAfterMs }) =>
      `This thread has sent me many messages in a short time. Please ask again in ${waitText(retryAfterMs)}, or in a new thread.`,
    ["The thread exceeded its rate limit.", "Ask in a new thread. The limit stops two bots that answer each other."],
  ),
  user_rate: onlyThisMessage(
    ({ retryAfterMs }) => `You have asked a lot in a short time. Please ask again in ${waitText(retryAfterMs)}.`,
    ["The person exceeded the rate limit.", "Raise `MESSAGES_PER_MINUTE`."],
  ),
  channel_rate: onlyThisMessage(
    ({ retryAfterMs }) =>
      `This channel has asked me a lot in a short time. Please ask again in ${waitText(retryAfterMs)}.`,
    ["The channel exceeded its rate limit.", "Raise `MESSAGES_PER_MINUTE`."],
  ),
  team_rate: onlyThisMessage(
    ({ retryAfterMs }) =>
      `Your organization has asked me a lot in a short time. Please ask again in ${waitText(retryAfterMs)}.`,
    ["The workspace exceeded its rate limit.", "Raise `MESSAGES_PER_MINUTE`."],
  ),
  thread_busy: onlyThisMessage(
    ({ limit }) =>
      `In this thread, ${counted(limit, "message already waits", "messages already wait")} for an answer, so I did not accept this one. Please ask again later, or in a new thread.`,
    ["Too many questions of this thread are waiting.", "Wait. Questions of one thread are answered in order."],
  ),
  one_word: onlyThisMessage(
    () =>
      "A question is still open in this thread, so I did not accept a message of one word. Write `stop` to stop it. Please write more than one word to ask something else.",
    ["The message is one word, and a question of its thread is open.", "Write `stop`, or more than one word."],
  ),
  text_too_long: onlyThisMessage(
    ({ limit }) =>
      `This is too long for me: I accept up to ${number(limit)} characters. Please send less, or attach the text as a file.`,
    ["The message exceeds `MAX_QUESTION_CHARACTERS`.", "Attach the text as a file."],
  ),
  too_many_files: onlyThisMessage(
    ({ limit }) =>
      `These are too many files for me: I accept up to ${number(limit)} in one message. Please send fewer at a time.`,
    ["The message has more files than `MAX_FILES`.", "Send fewer files."],
  ),
  file_too_large: onlyThisMessage(
    ({ limit }) =>
      `One of these files is too large for me: I accept up to ${sizeText(limit)} each. Please send a smaller one.`,
    ["A file exceeds `MAX_FILE`.", "Send a smaller file, or raise the limit in both zones."],
  ),
  check_failed: {
    sentence: () =>
      `I could not check whether I may answer this, so I did not. Please ask again in a minute. If it happens again, tell ${operators}.`,
    symptom: [
      "Slack didn't respond when the policy looked up the person or channel.",
      "Check that verification reaches Slack: run the doctor.",
    ],
  },
} satisfies Record<string, Reason>;

export type DenyReason = keyof typeof reasons;

export const denyReasons: readonly DenyReason[] = Object.keys(reasons) as DenyReason[];

/** A denial, with the data for its sentence. */
export interface Denial extends DenialData {
  readonly reason: DenyReason;
}

/** Ends the work on a question with a denial, after more is known than its event contained. */
export class DeniedError extends Error {
  override readonly name = "DeniedError";
  readonly denial: Denial;

  constructor(denial: Denial) {
    super(`denied: ${denial.reason}`);
    this.denial = denial;
  }
}

/** Returns true if a judgment shows that its author can ask in general. */
export function authorMayAsk(denial: Denial | undefined): boolean {
  return denial === undefined || reasonOf(denial).authorMayAsk === true;
}

/**
 * Returns the message for a denied requester: why there is no answer, what to do or how long to wait, and the reference to find in the
 * logs. Undefined for silent denials.
 */
export function denialSentence(denial: Denial, reference: string): string | undefined {
  const { sentence } = reasonOf(denial);
  return sentence && `${sentence(denial)}\n_Reference: ${reference}_`;
}

/** Returns the cause and the remedy of a denial for operators; undefined for silent denials. */
export function denialSymptom(reason: DenyReason): readonly [cause: string, remedy: string] | undefined {
  return reasonOf({ reason }).symptom;
}

/** Returns a wait of `ms` milliseconds in words, rounded up; one minute when `ms` is undefined. */
export function waitText(ms: number | undefined): string {
  if (ms === undefined) return "a minute";
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 90) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

function reasonOf({ reason }: Denial): Reason {
  return reasons[reason];
}

function onlyThisMessage(sentence: Required<Reason>["sentence"], symptom: Required<Reason>["symptom"]): Reason {
  return { sentence, symptom, authorMayAsk: true };
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

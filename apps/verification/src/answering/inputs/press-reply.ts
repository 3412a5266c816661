import { type AnswerInputResult, type InputOutcome, type InputRequest, ZoneError } from "@crosszone/contracts";
import type { InputPress, PressRecord } from "../../inbox/records.ts";
import { errorSentence } from "../sentences/error-sentences.ts";
import { oneLine } from "../markdown/neutralise.ts";
import { approvalsMissing, decidersText, mention, timeText } from "./people-text.ts";
import { endingText, outcomeText } from "./receipt.ts";
import type { PressReply } from "../presses/pressers.ts";

/** What the reply depends on besides the outcome. */
interface Pressed extends Pick<InputPress, "answer">, Pick<PressRecord, "user_id"> {
  /** True if Slack did not return the members of a group, which then has none. */
  readonly isGroupUnread: boolean;
}

const effective: ReadonlySet<InputOutcome> = new Set(["decided", "counted", "already_voted"]);

const done = { approve: "Approved.", deny: "Denied.", answer: "Your answer was sent." } as const;

const sentences: Readonly<Record<InputOutcome, (request: InputRequest, pressed: Pressed) => string>> = {
  decided: (_request, { answer }) => done[answer.verdict],
  counted: (request) => {
    const missing = approvalsMissing(request);
    return `Your vote counts. ${missing} more ${missing === 1 ? "approval is" : "approvals are"} needed.`;
  },
  already_decided: (request) => `This was decided before: ${outcomeText(request)}.`,
  already_voted: () => "You have answered before, and that counts.",
  not_eligible: (request, { isGroupUnread }) =>
    isGroupUnread
      ? "I could not read who is in the user group that decides this. Please try again in a minute."
      : `This is not yours to decide. Ask ${decidersText(request).replaceAll(/<!subteam\^(\w+)>/g, "the user group $1")}.`,
  expired: ({ expires_at }) => `This expired, ${timeText(expires_at)}, before your answer. Nothing was done.`,
  withdrawn: ({ closed_because }) =>
    `This was withdrawn${closed_because === undefined ? "" : ` (${oneLine(closed_because, 255)})`}. There is nothing to decide any more.`,
  changed: () => "What this asks for is not what you saw. Look at the message again before you decide.",
};

/** Returns what a person reads about their answer. */
export function pressReply({ outcome, input_request }: AnswerInputResult, pressed: Pressed): PressReply {
  const isSelf = outcome === "already_decided" && input_request.votes.at(-1)?.user_id === pressed.user_id;
  const text = isSelf ? `${endingText(input_request)} already, by you.` : sentences[outcome](input_request, pressed);
  return { text, isRejected: !effective.has(outcome) };
}

/** Returns what a person reads whose answer could not be judged. */
export function failedReply(error: unknown, { correlation_id, user_id }: PressRecord): PressReply {
  const problems = error instanceof ZoneError && error.kind === "invalid_params" ? error.data.problems : undefined;
  if (problems === undefined) return { text: errorSentence(error, correlation_id), isRejected: true };
  const [first] = problems;
  const why = first === undefined ? "" : ` It ${oneLine(first.message, 150)}.`;
  return { text: `${mention(user_id)}, this answer does not fit what is asked.${why}`, isRejected: true, problems };
}

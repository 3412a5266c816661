import type { AskedInput, MessageLife, MessageRecord, ModelCall, TaskRecord } from "@crosszone/contracts";
import { shortId, visibleLine } from "@crosszone/service-kit/text";
import { callsText, countText, dollarText, type NameOf, personText, type ShownState } from "../words.ts";

type Standing = readonly [words: string, look: ShownState];

/** The label of each state of a task, and the state whose look it has: of one that no message asked, and in a message's story. */
export const taskLooks: Readonly<Record<TaskRecord["state"], Standing>> = {
  submitted: ["Not started", "pending"],
  working: ["In work", "running"],
  input_required: ["Waiting", "waiting"],
  success: ["Answered", "succeeded"],
  error: ["Failed", "failed"],
  canceled: ["Stopped", "canceled"],
  timed_out: ["Timed out", "timed_out"],
};

/** As `taskLooks`, for messages. They are the states of the filter, in its order. */
export const messageLooks: Readonly<Record<NonNullable<MessageLife["standing"]>, Standing>> = {
  failed: ["Failed", "failed"],
  waiting: ["Waiting", "waiting"],
  open: ["In work", "running"],
  answered: ["Answered", "succeeded"],
  stopped: ["Stopped", "canceled"],
  denied: ["Denied", "failed"],
  rejected: ["Rejected", "failed"],
  parked: ["Parked", "failed"],
  given_up: ["Given up", "failed"],
  withdrawn: ["Withdrawn", "canceled"],
  discarded: ["Discarded", "canceled"],
  missed: ["Missed", "failed"],
  no_question: ["No question", "skipped"],
};

const neverAsked: ReadonlySet<MessageLife["standing"]> = new Set(["denied", "missed", "no_question", "rejected"]);

/** What a message asked, as far as it is stored and the user may read it; otherwise who was asked. Tasks are deleted before messages. */
export function messageTitle(
  { reference, standing }: Pick<MessageLife, "reference" | "standing">,
  task: TaskRecord | undefined,
): string {
  if (task !== undefined) return visibleLine(task.title ?? `Asked ${task.agent}`);
  return neverAsked.has(standing) ? "No agent was asked" : `Message ${shortId(reference)}`;
}

/** Returns why a message has no answer; undefined for one that has, or can still get one. */
export const whyUnanswered = ({ reason, rule }: MessageRecord, task: TaskRecord | undefined): string | undefined =>
  rule === undefined ? (reason ?? task?.error?.message) : `Rule ${rule}${reason === undefined ? "" : `: ${reason}`}`;

/** Returns who can decide what people were asked. */
export function waitsFor({ decide: { groups, people, requester } }: AskedInput, names: NameOf): string {
  const who = [...people, ...groups].map((id) => personText(id, names));
  return [...who, ...(requester ? ["the requester"] : [])].join(", ");
}

/** Returns how many model calls there were, their tokens and their cost. */
export function amountOfCalls(calls: readonly ModelCall[]): string {
  const sum = (of: (call: ModelCall) => number): number => calls.reduce((total, call) => total + of(call), 0);
  const cost = calls.every((call) => call.cost === null) ? "no price" : dollarText(sum((call) => call.cost ?? 0));
  const tokens = `${countText(sum((call) => call.input_tokens))} tokens in, ${countText(sum((call) => call.output_tokens))} out`;
  return `${callsText(calls.length)} · ${tokens} · ${cost}`;
}

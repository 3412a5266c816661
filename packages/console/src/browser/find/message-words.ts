import type { AskedInput, MessageRecord, MessageState, ModelCall, TaskRecord, TaskState } from "@crosszone/contracts";
import { callsText, countText, dollarText, type NameOf, personText, type ShownState } from "../words.ts";

type Standing = readonly [words: string, look: ShownState];

/** The label of each state of a task, and the state whose look it has. */
export const taskLooks: Readonly<Record<TaskState, Standing>> = {
  submitted: ["Not started", "pending"],
  working: ["In work", "running"],
  input_required: ["Waiting", "waiting"],
  success: ["Answered", "succeeded"],
  error: ["Failed", "failed"],
  canceled: ["Stopped", "canceled"],
  timed_out: ["Timed out", "timed_out"],
};

/** As `taskLooks`, for messages. */
export const messageLooks: Readonly<Record<MessageState, Standing>> = {
  open: ["In work", "running"],
  answered: ["Answered", "succeeded"],
  denied: ["Denied", "failed"],
  rejected: ["Rejected", "failed"],
  parked: ["Parked", "failed"],
  given_up: ["Given up", "failed"],
  withdrawn: ["Withdrawn", "canceled"],
  discarded: ["Discarded", "canceled"],
  missed: ["Missed", "failed"],
};

/** Where a message stands. An answer can be an error, and an open message can wait for people: then its task says so. */
export function messageStanding({ state }: Pick<MessageRecord, "state">, task: TaskRecord | undefined): Standing {
  const isByTask = task !== undefined && (state === "answered" || (state === "open" && task.ended_at === undefined));
  return isByTask ? taskLooks[task.state] : messageLooks[state];
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

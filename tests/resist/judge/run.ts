import type { InputRequest } from "@crosszone/contracts";
import type { Control, DevSlack } from "@crosszone/dev-slack";
import { type Click, judgeAsks, type Typed } from "./asks.ts";
import { type Answer, changeComplaintsOf, type Judged, textOf } from "./messages.ts";
import { type AgentRequests, requestComplaintsOf, type StoreFigures } from "./stores.ts";

interface RunEvidence {
  readonly slack: Pick<DevSlack, "workspace"> & { readonly control: Pick<Control, "messages"> };
  /** Number of planned messages. */
  readonly planned: number;
  readonly judged: readonly Judged[];
  /** The messages whose verdict is wrong. Default: all that were not answered exactly once. */
  readonly wrong?: readonly Judged[];
  readonly stores: StoreFigures;
  readonly agents: AgentRequests;
  /** The presses of buttons, what was typed below cards, and all input requests of execution. */
  readonly clicks: readonly Click[];
  readonly typed: readonly Typed[];
  readonly requests: readonly InputRequest[];
  /** See `changeComplaintsOf`. */
  readonly seenAt: (ts: string) => number | undefined;
  readonly editedAt: (ts: string) => number | undefined;
  readonly underWayMs: number;
}

/** Judges a run: returns which promises it broke, and how the requests to people ended. No complaint if it passed. */
export function judgeRun({ planned, judged, stores, seenAt, underWayMs, ...evidence }: RunEvidence) {
  const { slack, agents, wrong = notAnswered(judged) } = evidence;
  const asks = judgeAsks({ ...evidence, judged });
  const complaints = [
    ...wrong.map(complaintOf),
    // A reply waits until the event of its parent is accepted.
    ...(planned > judged.length ? [`${planned - judged.length} messages were never written`] : []),
    ...stores.problems,
    ...requestComplaintsOf(agents, judged),
    ...asks.complaints,
    ...changeComplaintsOf(slack, judged, { seenAt, underWayMs }),
  ];
  return { complaints, ends: asks.ends };
}

/** Returns the messages that were not answered exactly once. */
export const notAnswered = (judged: readonly Judged[]): Judged[] =>
  judged.filter(({ verdict }) => verdict !== "answered");

/** Says what is wrong with a message. */
const complaintOf = ({ verdict, planned, message, answers }: Judged): string =>
  `message ${planned.number} (${message.ts}) is ${verdict}, ${planned.kind}: ${answers.map(inShort).join(", ")}`;

/** Returns the state of each message of an answer, and the beginning of its text. */
const inShort = (answer: Answer): string =>
  `${answer.messages.map(({ metadata }) => metadata?.event_payload["state"]).join(" ")} “${textOf(answer).slice(0, 80)}”`;

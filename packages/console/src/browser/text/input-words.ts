import type { InputRequest, InputState, InputVote } from "@crosszone/contracts";
import { showUnseen } from "@crosszone/service-kit/text";
import type { ShownState } from "./step-words.ts";

/** The label of each state, and the state of a step whose look it has. */
export const inputStates: Readonly<Record<InputState, readonly [words: string, look: ShownState]>> = {
  open: ["Waits for people", "running"],
  approved: ["Approved", "succeeded"],
  used: ["Approved, has run", "succeeded"],
  answered: ["Answered", "succeeded"],
  denied: ["Denied", "failed"],
  expired: ["Expired", "timed_out"],
  void: ["Approved, not run in time", "timed_out"],
  withdrawn: ["Withdrawn", "canceled"],
};

/** Returns who can decide an input request, and how many votes it needs. */
export function decidersText({ decide, escalate = [], kind, requester, reminders }: InputRequest): string {
  const later = reminders === undefined ? " after a reminder" : "";
  const who = [
    ...decide.people,
    ...decide.groups.map((group) => `members of ${group}`),
    ...(decide.requester ? [`the requester${requester === undefined ? "" : ` ${requester}`}`] : []),
    ...escalate.map((person) => person + later),
  ];
  const votes = kind === "approve" && decide.approve > 1 ? ` (${String(decide.approve)} approvals needed)` : "";
  return who.join(", ") + votes;
}

export const fullTime = (at: string): string => new Date(at).toLocaleString();

const verdicts = { approve: "approved", deny: "denied", answer: "answered" } as const;
const surfaces = { slack: "in Slack", api: "through the API", a2a: "over A2A", mcp: "over MCP" } as const;

export const voteText = ({ verdict, via, at, reason }: InputVote): string =>
  `${verdicts[verdict]} ${surfaces[via]} on ${fullTime(at)}${reason === undefined ? "" : `: ${showUnseen(reason)}`}`;

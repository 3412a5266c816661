import type { InputRequest, InputState, InputVote } from "@crosszone/contracts";
import { literalText, oneLine } from "../markdown/neutralise.ts";
import { mention, timeText } from "./people-text.ts";

/** Returns true if nothing about the request can change any more. */
export function isClosed({ state, run_id, execute_until }: InputRequest, now: number): boolean {
  if (state === "open") return false;
  // A workflow run continues when its request is approved.
  if (run_id !== undefined) return true;
  // What else is approved is used, or void, until then, and then some time for the news to arrive.
  return state !== "approved" || execute_until === undefined || Date.parse(execute_until) + 60_000 <= now;
}

const endings: Readonly<Record<InputState, string>> = {
  open: "Open",
  approved: "Approved",
  denied: "Denied",
  answered: "Answered",
  expired: "Expired",
  withdrawn: "Withdrawn",
  used: "Approved, and done",
  void: "Approved, but not done in time",
};

const surfaces: Readonly<Record<InputVote["via"], string>> = {
  slack: "in Slack",
  api: "through the API",
  a2a: "over A2A",
  mcp: "over MCP",
};
const verdicts: Readonly<Record<InputVote["verdict"], string>> = {
  approve: "approved",
  deny: "denied",
  answer: "answered",
};

/** Returns how a request ended, in a few words without Slack's notation. */
export const endingText = ({ state }: Pick<InputRequest, "state">): string => endings[state];

/** Returns how the request ended and who decided, as one line of mrkdwn. */
export function outcomeText(request: InputRequest): string {
  const { state, votes, decided_at, closed_because } = request;
  const decider = ["expired", "withdrawn"].includes(state) ? undefined : votes.at(-1)?.user_id;
  const at = decided_at === undefined ? "" : `, ${timeText(decided_at)}`;
  const why = closed_because === undefined ? "" : ` (${literalText(oneLine(closed_because, 255))})`;
  return `${endings[state]}${decider === undefined ? "" : ` by ${mention(decider)}`}${at}${why}`;
}

/** Returns the lines of the votes, as mrkdwn: who, what, through what, when and why. */
export function voteLines({ votes, decision_event: id }: InputRequest): readonly string[] {
  const lines = votes.map(({ user_id, verdict, via, at, reason, counts = true }) => {
    const does = counts ? "" : ", which did not count";
    const why = `${does}${reason === undefined ? "" : `: “${literalText(oneLine(reason, 300))}”`}`;
    return `${mention(user_id)} ${verdicts[verdict]} ${surfaces[via]}, ${timeText(at)}${why}`;
  });
  return id === undefined ? lines : [...lines, `Receipt ${id}`];
}

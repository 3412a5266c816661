import type { InputRequest, InputState, InputVote } from "@crosszone/contracts";
import { literalText, oneLine } from "../markdown/neutralise.ts";
import { mention, surfaceText, timeText } from "./people-text.ts";

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

const verdicts: Readonly<Record<InputVote["verdict"], string>> = {
  approve: "approved",
  deny: "denied",
  answer: "answered",
};

/** Returns how a request ended, in a few words without Slack's notation. */
export const endingText = ({ state }: Pick<InputRequest, "state">): string => endings[state];

/** Returns the vote that decided a request; undefined if none has. */
const decisiveVote = ({ state, votes }: InputRequest): InputVote | undefined =>
  ["open", "expired", "withdrawn"].includes(state) ? undefined : votes.findLast(({ counts }) => counts !== false);

/** Returns how the request ended, who decided, when and why, as one line of mrkdwn. */
export function outcomeText(request: InputRequest): string {
  const { state, decided_at, closed_because } = request;
  const vote = decisiveVote(request);
  const by = vote === undefined ? "" : ` by ${mention(vote.user_id)}${surfaceText(vote.via)}`;
  const at = decided_at ?? vote?.at;
  const why = closed_because === undefined ? "" : ` (${literalText(oneLine(closed_because, 255))})`;
  return `${endings[state]}${by}${at === undefined ? "" : `, ${timeText(at)}`}${why}${reasonText(vote)}`;
}

const reasonText = (vote: InputVote | undefined): string =>
  vote?.reason === undefined ? "" : `: “${literalText(oneLine(vote.reason, 300))}”`;

/** Returns the lines of the votes that `outcomeText` does not tell, as mrkdwn: who, what, through what, when and why; and the receipt's id. */
export function voteLines(request: InputRequest): readonly string[] {
  const { votes, decision_event: id } = request;
  const told = decisiveVote(request);
  const lines = votes
    .filter((vote) => vote !== told)
    .map((vote) => {
      const { user_id, verdict, via, at, counts = true } = vote;
      const does = counts ? "" : ", which did not count";
      return `${mention(user_id)} ${verdicts[verdict]}${surfaceText(via)}, ${timeText(at)}${does}${reasonText(vote)}`;
    });
  return id === undefined ? lines : [...lines, `Receipt ${id}`];
}

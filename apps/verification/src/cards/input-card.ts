import type { InputAction, InputRequest, InputState, InputVote } from "@crosszone/contracts";
import { shortId } from "@crosszone/service-kit/text";
import type { ActionsBlockElement, Button, ContextBlock, KnownBlock } from "@slack/web-api";
import { composeAnswer } from "../showing/markdown/compose-answer.ts";
import { channelMention, literalText, mention, oneLine, plain } from "../showing/markdown/neutralise.ts";
import { type Names, timeMrkdwn } from "../slack/notation.ts";
import { argumentPieces, asksConsent, literalBlock, longestLabel } from "./input-modals.ts";
import { button, handleText, type PressVerb } from "./presses.ts";

/** Where a message about a request is. */
export interface CardSetting {
  /** True below the question itself. */
  readonly inThread: boolean;
  /** URL of the question's thread. */
  readonly link?: string | undefined;
  /** Names of people who are not to be notified. */
  readonly names?: Names;
}

/** Returns the Slack user that a rule names, alone or with a workspace: `T…/U…`. */
export const userOfName = (name: string): string => name.replace(/^[TE][A-Z0-9]+\//, "");

/**
 * Returns the people who can decide now, by name: those who were asked later only once they were. `team`: without those who are named as users
 * of another workspace.
 */
export function namedDeciders(request: InputRequest, team?: string): readonly string[] {
  const { decide, requester, escalate = [], reminders = 0 } = request;
  const self = decide.requester && requester !== undefined ? [requester] : [];
  const all = [...decide.people, ...self, ...(reminders > 0 ? escalate : [])];
  const here = all.filter((name) => team === undefined || userOfName(name) === name || name.startsWith(`${team}/`));
  return [...new Set(here.map(userOfName))];
}

const surfaces: Readonly<Record<string, string>> = {
  api: " through the API",
  console: " in the console",
  a2a: " over A2A",
  mcp: " over MCP",
  link: " with the token of the zone link",
  slack: "",
};

/** Returns through what something was done elsewhere than in Slack, for the end of a sentence. */
const surfaceText = (surface: string): string => surfaces[surface] ?? ` over ${literalText(surface)}`;

const authors: Readonly<Record<string, string>> = {
  person: "console user",
  subject: "program",
  bootstrap: "admin token",
};

/** Returns who wrote something, an actor as in the audit log, as mrkdwn: `token ci`. */
export function authorText(actor: string): string {
  const [kind = "", ...name] = actor.split(":");
  return literalText(oneLine([authors[kind] ?? kind, name.join(":")].join(" ").trim(), 255));
}

/** Returns the requester and the place of the question, as mrkdwn. In its thread, a person whose name is known gets no notification. */
function askedByText(
  { requester, origin, channel, run_id, agent }: InputRequest,
  { inThread, link, names }: CardSetting,
): string {
  if (origin !== undefined) {
    const name = requester?.replace(/^(token|subject):/, "");
    const who = name === undefined ? "a program" : `${origin === "api" ? "token" : "program"} ${literalText(name)}`;
    const of = run_id === undefined ? "" : ` · workflow ${literalText(agent)}, run ${literalText(shortId(run_id))}`;
    return `${who},${surfaceText(origin)}${of}`;
  }
  const name = requester === undefined ? agent : inThread && names?.get(requester);
  const who = name ? literalText(name) : mention(requester ?? agent);
  if (inThread || channel === undefined) return who;
  const where = channel.startsWith("D") ? "a direct message" : channelMention(channel);
  return `${who} in ${where}${link === undefined ? "" : ` · <${link}|open thread>`}`;
}

/** Returns what a request needs of people, such as `an answer`. */
export const neededBy = ({ kind }: InputRequest): string => (kind === "approve" ? "a decision" : "an answer");

/** Returns who can decide, as mrkdwn that mentions them. */
export function decidersMrkdwn(request: InputRequest): string {
  const groups = request.decide.groups.filter((id) => /^S[A-Z0-9]+$/.test(id)).map((id) => `<!subteam^${id}>`);
  return [...namedDeciders(request).map(mention), ...groups].join(" or ");
}

/** Returns people by name, as mrkdwn without mentions. */
export const peopleNamed = (ids: readonly string[], names: Names, last = ", "): string =>
  ids.map((id) => literalText(names.get(id) ?? id)).join(last);

/** Returns who can decide and was not found unreachable, by name, because a mention in the thread would notify them twice. */
export function decidersNamed(request: InputRequest, names: Names, unreachable: ReadonlySet<string> = new Set()) {
  const people = namedDeciders(request).filter((id) => !unreachable.has(id));
  const groups = request.decide.groups.map((id) => `members of the user group ${literalText(id)}`);
  return [peopleNamed(people, names, " or "), ...groups].filter((one) => one !== "").join(" or ");
}

/** Returns true if those who can decide are asked in direct messages: the request is private, or only the requester reads its thread. */
export function isAskedDirectly(request: InputRequest, channel: string): boolean {
  const { visibility, decide, requester, origin } = request;
  if (visibility === "private" || origin !== undefined) return true;
  const others = [...decide.groups, ...namedDeciders(request).filter((id) => id !== requester)];
  return channel.startsWith("D") && others.length > 0;
}

/** Returns what the author of a word or two reads about a request that the thread waits for, mrkdwn. */
export function decisionHint(
  request: InputRequest,
  { channel, user_id, names }: { readonly channel: string; readonly user_id: string; readonly names: Names },
): string {
  if (request.state !== "open") return `${outcomeText(request)}.`;
  const isOwn = namedDeciders(request).every((id) => id === user_id) && request.decide.groups.length === 0;
  const does = request.kind === "approve" ? "decide" : "answer";
  const who = isOwn ? `You ${does}` : `${decidersNamed(request, names)} ${does}s`;
  return `${who}, ${isAskedDirectly(request, channel) ? "in a direct message with me" : "with the buttons above"}.`;
}

/** Returns what an open request waits for, as mrkdwn: those who can decide, as given, and until when. */
function waitingText({ expires_at }: InputRequest, deciders: string): string {
  return `⏳ Waiting for ${deciders}, until ${timeMrkdwn(expires_at)}`;
}

/** Returns the number of approvals that are missing, at least 1. */
export function approvalsMissing({ decide, votes }: InputRequest): number {
  const approved = new Set(votes.filter(({ verdict }) => verdict === "approve").map(({ user_id }) => user_id));
  return Math.max(1, decide.approve - approved.size);
}

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
  used: "Approved",
  void: "Approved, but not done in time",
};

const verdicts: Readonly<Record<InputVote["verdict"], string>> = {
  approve: "approved",
  deny: "denied",
  answer: "answered",
};

const consentEndings: Partial<typeof endings> = { approved: "Allowed", denied: "Declined" };

/** Returns how a request ended, in a few words without Slack's notation. */
export const endingText = ({ state, origin }: InputRequest): string =>
  (asksConsent({ origin }) ? consentEndings[state] : undefined) ?? endings[state];

/** Returns the vote that decided a request; undefined if none has. */
const decisiveVote = ({ state, votes }: InputRequest): InputVote | undefined =>
  ["open", "expired", "withdrawn"].includes(state) ? undefined : votes.findLast(({ counts }) => counts !== false);

/** Returns how the request ended, who decided, when and why, as one line of mrkdwn. */
export function outcomeText(request: InputRequest): string {
  const { decided_at, closed_because, withdraw_reason } = request;
  const vote = decisiveVote(request);
  const by = vote === undefined ? "" : ` by ${mention(vote.user_id)}${surfaceText(vote.via)}`;
  const at = decided_at ?? vote?.at;
  const why = closed_because === undefined ? "" : ` (${literalText(oneLine(closed_because, 255)).replace(/\.$/, "")})`;
  const [ending = "", but = ""] = endingText(request).split(/(?=, but)/);
  return `${ending}${by}${at === undefined ? "" : `, ${timeMrkdwn(at)}`}${but}${why}${reasonText(vote?.reason ?? withdraw_reason)}`;
}

const reasonText = (reason: string | undefined): string =>
  reason === undefined ? "" : `: “${literalText(oneLine(reason, 300))}”`;

/** Returns the lines of the votes that `outcomeText` does not tell, as mrkdwn: who, what, through what, when and why; and the receipt's id. */
function voteLines(request: InputRequest): readonly string[] {
  const { votes, decision_event: id } = request;
  const told = decisiveVote(request);
  const lines = votes
    .filter((vote) => vote !== told)
    .map((vote) => {
      const { user_id, verdict, via, at, counts = true } = vote;
      const does = counts ? "" : ", which did not count";
      return `${mention(user_id)} ${verdicts[verdict]}${surfaceText(via)}, ${timeMrkdwn(at)}${does}${reasonText(vote.reason)}`;
    });
  return id === undefined ? lines : [...lines, `Receipt ${id}`];
}

/** A message about an input request. `text` is its notification. */
export interface InputCard {
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
}

/** Characters of a section. */
const longestSection = 3_000;
/** Blocks of code in the card; further arguments are in a modal. */
const mostPieces = 3;
/** More options become a menu. */
const mostButtons = 5;
/** Arguments with more characters are folded. */
const foldedFrom = 600;

const section = (text: string): KnownBlock => ({ type: "section", text: { type: "mrkdwn", text } });
const context = (text: string): ContextBlock => ({ type: "context", elements: [{ type: "mrkdwn", text }] });

/**
 * Returns the message that shows a request: who asks what, the exact action, who can decide until when, and the buttons; once it is closed, the
 * receipt. Texts of agents send no notification, and have no formatting outside the body. A posted card notifies only its approvers.
 */
export function inputCard(request: InputRequest, place: CardSetting = { inThread: true }): InputCard {
  const { state, title, body, action } = request;
  const isOpen = state === "open";
  const author = authorText(request.agent);
  const askedBy = asksConsent(request)
    ? `Written by ${author}, not by you`
    : `Requested by ${askedByText(request, place)}`;
  const lines = [askedBy, isOpen ? waitingLine(request) : outcomeText(request)];
  const votes = voteLines(request).join("\n").slice(0, longestSection);
  const blocks: KnownBlock[] = [{ type: "header", text: plain(title, 150) }];
  if (body !== undefined) blocks.push({ type: "markdown", text: composeAnswer(body, new Set()).parts[0] ?? "" });
  if (action !== undefined) blocks.push(actionBlock(action, asksConsent(request) ? "asks" : "runs"));
  blocks.push(section(lines.join("\n").slice(0, longestSection)));
  if (votes !== "") blocks.push(context(votes));
  if (isOpen) blocks.push({ type: "actions", elements: inputControls(request) });
  const text = oneLine(isOpen ? `Needs ${neededBy(request)}: ${title}` : `${endingText(request)}: ${title}`, 200);
  return { text: plainNotice(text), blocks: numbered(blocks, request) };
}

/**
 * Returns the line in the thread for a request that only those who can decide see. `deciders` and `unreachable`, whom the app can't write to, are
 * texts; empty for nobody.
 */
export function neutralCard(request: InputRequest, deciders: string, unreachable = ""): InputCard {
  const votes = request.votes.map((vote) => ({ ...vote, reason: undefined }));
  const withdraw_reason = request.visibility === "private" ? undefined : request.withdraw_reason;
  const waits = deciders === "" ? "" : `${waitingText(request, `${deciders} in a direct message`)}.`;
  const missing = unreachable === "" ? "" : `I can’t write to ${unreachable}.`;
  const text =
    request.state === "open"
      ? [waits, missing].filter((one) => one !== "").join(" ")
      : `${outcomeText({ ...request, votes, withdraw_reason })}.`;
  return { text, blocks: numbered([section(text)], request) };
}

/** Slack reads a notification as mrkdwn. */
const plainNotice = (text: string): string => text.replaceAll(/[&<>]/g, " ");

/** Slack keeps what people entered in a block with the same id, so each version has its own. */
function numbered(blocks: readonly KnownBlock[], { version, reminders = 0 }: InputRequest): KnownBlock[] {
  return blocks.map((block, at) => ({ ...block, block_id: `v${version}.${reminders}.${at}` }));
}

function actionBlock(action: InputAction, does: "asks" | "runs"): KnownBlock {
  const pieces = argumentPieces(action);
  const shown = pieces.length > mostPieces ? pieces.slice(0, 1) : pieces;
  const isCut = shown.length < pieces.length;
  const note = isCut ? "This is only the beginning of the arguments. “Show all” has the rest.\n" : "";
  return {
    type: "container",
    title: plain(`${action.agent} ${does} ${action.tool}`, 150),
    child_blocks: [...shown.map(literalBlock), context(`${note}SHA-256 \`${action.digest}\``)],
    is_collapsible: true,
    default_collapsed: shown.join("").length > foldedFrom,
  };
}

function waitingLine(request: InputRequest): string {
  const { kind, decide } = request;
  const missing = approvalsMissing(request);
  const count = kind === "approve" && decide.approve > 1 ? ` · ${missing} of ${decide.approve} approvals missing` : "";
  return `${waitingText(request, decidersMrkdwn(request))}${count}`;
}

/** Returns what people press to decide a request, and to see all arguments of its action if more than `most` pieces of them are not shown. */
export function inputControls(request: InputRequest, most = mostPieces): ActionsBlockElement[] {
  const { kind, options = [], action } = request;
  const control = (verb: PressVerb, text: string, more: Parameters<typeof button>[2] = {}): Button =>
    button(text, { verb, id: request.request_id }, { value: action?.digest ?? request.request_id, ...more });
  const [yes, no] = asksConsent(request) ? ["Allow", "Decline"] : ["Approve", kind === "approve" ? "Deny" : "Decline"];
  const deny = control("deny", no, kind === "approve" ? { style: "danger" } : {});
  if (kind === "text" || kind === "form") return [control("open", "Answer", { style: "primary" }), deny];
  if (kind === "approve") {
    const approve = control("approve", yes, { style: "primary" });
    const isLong = action !== undefined && argumentPieces(action).length > most;
    return isLong ? [approve, deny, control("show", "Show all")] : [approve, deny];
  }
  if (options.length <= mostButtons)
    return [...options.map(({ value, label, style }, nth) => control("choose", label, { value, nth, style })), deny];
  const action_id = handleText({ verb: "choose", id: request.request_id });
  const items = options.map(({ value, label }) => ({ text: plain(label, longestLabel), value }));
  return [{ type: "static_select", action_id, placeholder: plain("Choose", longestLabel), options: items }, deny];
}

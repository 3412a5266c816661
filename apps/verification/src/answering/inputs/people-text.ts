import type { InputRequest } from "@crosszone/contracts";
import { literalText } from "../markdown/neutralise.ts";
import type { Names } from "../../slack/names.ts";

/** Where a message about a request is. */
export interface CardSetting {
  /** True below the question itself. */
  readonly inThread: boolean;
  /** URL of the question's thread. */
  readonly link?: string | undefined;
  /** Names of people who are not to be notified. */
  readonly names?: Names;
}

/** Returns a mention of a person as mrkdwn; of an API token, its name. */
export function mention(user: string): string {
  return /^[UW][A-Z0-9]+$/.test(user) ? `<@${user}>` : literalText(user);
}

/** Returns a time as mrkdwn, which Slack shows in each reader's time zone. */
export function timeText(timestamp: string): string {
  const ms = Date.parse(timestamp);
  const fallback = new Date(ms)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, " UTC");
  return `<!date^${Math.floor(ms / 1_000)}^{date_short_pretty} at {time}|${fallback}>`;
}

/** Returns the people who can decide now, by name: those who were asked later only once they were. */
export function namedDeciders({ decide, requester, escalate = [], reminders = 0 }: InputRequest): readonly string[] {
  const self = decide.requester && requester !== undefined ? [requester] : [];
  return [...new Set([...decide.people, ...self, ...(reminders > 0 ? escalate : [])])];
}

const surfaces: Readonly<Record<string, string>> = {
  api: " through the API",
  a2a: " over A2A",
  mcp: " over MCP",
  link: " with the token of the zone link",
  slack: "",
};

/** Returns through what something was done elsewhere than in Slack, for the end of a sentence. */
export const surfaceText = (surface: string): string => surfaces[surface] ?? ` over ${literalText(surface)}`;

/** Returns the requester and the place of the question, as mrkdwn. In its thread, a person whose name is known gets no notification. */
export function askedByText(
  { requester, origin, channel, run_id, agent }: InputRequest,
  { inThread, link, names }: CardSetting,
): string {
  if (origin !== undefined) {
    const name = requester?.replace(/^(token|subject):/, "");
    const who = name === undefined ? "a program" : `${origin === "api" ? "token" : "program"} ${literalText(name)}`;
    const of = run_id === undefined ? "" : ` · workflow ${literalText(agent)}, run ${literalText(run_id)}`;
    return `${who},${surfaceText(origin)}${of}`;
  }
  const name = requester === undefined ? agent : inThread && names?.get(requester);
  const who = name ? literalText(name) : mention(requester ?? agent);
  if (inThread || channel === undefined) return who;
  const where = channel.startsWith("D") ? "a direct message" : `<#${channel}>`;
  return `${who} in ${where}${link === undefined ? "" : ` · <${link}|open thread>`}`;
}

/** Returns who can decide, as mrkdwn that mentions them. */
export function decidersText(request: InputRequest): string {
  const groups = request.decide.groups.filter((id) => /^S[A-Z0-9]+$/.test(id)).map((id) => `<!subteam^${id}>`);
  return [...namedDeciders(request).map(mention), ...groups].join(" or ");
}

/** Returns what an open request waits for, as mrkdwn: those who can decide, as given, and until when. */
export function waitingText({ expires_at }: InputRequest, deciders: string): string {
  return `⏳ Waiting for ${deciders}, until ${timeText(expires_at)}`;
}

/** Returns the number of approvals that are missing, at least 1. */
export function approvalsMissing({ decide, votes }: InputRequest): number {
  const approved = new Set(votes.filter(({ verdict }) => verdict === "approve").map(({ user_id }) => user_id));
  return Math.max(1, decide.approve - approved.size);
}

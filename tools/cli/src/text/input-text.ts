import type { AuditReceipt, InputRequest, InputState } from "@crosszone/contracts";
import { factsText, harmless, harmlessJson, ownName, table } from "./terminal-text.ts";

export function inputText(request: InputRequest): string {
  const { body, action, options, schema, votes, answer, names = {} } = request;
  const { value, values } = answer?.verdict === "answer" ? answer : {};
  const voteRows = votes.map(({ user_id, verdict, via, at, reason = "", counts = true }) => [
    names[user_id] ?? user_id,
    counts ? verdict : `${verdict}, did not count`,
    via,
    at,
    reason,
  ]);
  const parts = [
    factsOf(request),
    // Indented, so that it can't pass for another part.
    body && `${harmless(body).replaceAll(/^/gm, "  ")}\n`,
    action &&
      `${factsText({ action: action.tool, by: action.agent, digest: action.digest })}arguments: ${jsonLine(action.arguments)}`,
    options && `options: ${jsonLine(options)}`,
    schema && `fields: ${jsonLine(schema)}`,
    votes.length > 0 && table(["PERSON", "VERDICT", "THROUGH", "AT", "REASON"], voteRows),
    (value ?? values) !== undefined && `answer: ${jsonLine(value ?? values)}`,
  ];
  return parts.filter((part) => typeof part === "string").join("\n");
}

/** Returns a decision and its proof as text: who decided what, when and through what, and where the audit log has it. */
export function receiptText({ request_id, title, action }: InputRequest, receipt: AuditReceipt): string {
  const { event, content, position, leaf, proof, checkpoint } = receipt;
  const { actor, details = {}, surface, at, policy } = event;
  const said = (name: string): string | undefined => details[name]?.toString();
  const facts = factsText({
    approval: request_id,
    title,
    decision: said("state"),
    by: `${actor.type} ${actor.id}${actor.team === undefined ? "" : ` of ${actor.team}`}`,
    through: surface,
    at,
    votes: said("votes"),
    action: said("tool"),
    digest: said("digest"),
    policy,
    event: event.id,
    position: String(position),
    leaf,
  });
  const { address, client, ...answer } = content?.members ?? {};
  const from = address === undefined ? "" : `from: ${jsonLine({ address, client })}`;
  const given = content === undefined ? "" : `answer: ${jsonLine(answer)}`;
  const called = action === undefined ? "" : `arguments: ${jsonLine(action.arguments)}`;
  const proved = `proof:\n${proof.map((hash) => `  ${hash}\n`).join("")}`;
  return `${facts}${from}${called}${given}${proved}checkpoint:\n${harmless(checkpoint).trimEnd().replaceAll(/^/gm, "  ")}\n`;
}

const jsonLine = (value: unknown): string => `${harmlessJson(value)}\n`;

function factsOf(request: InputRequest): string {
  const { request_id, title, kind, agent, task_id, run_id, step_id, requester, channel, thread_ts } = request;
  const { created_at, expires_at, execute_until, remind_at, decided_at, decision_event, visibility } = request;
  const named = (id: string | undefined): string | undefined => id && (request.names?.[id] ?? id);
  return factsText({
    approval: request_id,
    title,
    kind,
    state: inputStateText(request),
    decides: decidersText(request),
    agent,
    task: task_id && `${task_id} (${ownName} find ${task_id})`,
    run: run_id && `${run_id} (${ownName} runs show ${run_id})`,
    step: step_id,
    requester: named(requester),
    channel: channel?.startsWith("D") === true ? "direct message" : named(channel),
    thread: thread_ts,
    visibility,
    created: created_at,
    expires: expires_at,
    reminder: remind_at,
    ended: decided_at,
    receipt: decision_event && `${decision_event} (${ownName} approvals receipt ${request_id})`,
    "runs until": execute_until,
  });
}

/** What each state means, as the end of a sentence. */
const inputStates: Readonly<Record<InputState, string>> = {
  open: "open",
  approved: "approved",
  used: "approved, and the action has run",
  answered: "answered",
  denied: "denied",
  expired: "expired without a decision",
  withdrawn: "withdrawn",
  void: "void, because the approved action did not run in time. It needs a new decision",
};

/** Returns the state of an input request, with the votes that it has or the people who decided. */
export function inputStateText(request: InputRequest): string {
  const { state, kind, votes, decide, answer, closed_because: why, withdraw_reason: reason } = request;
  const verdict = answer?.verdict ?? "approve";
  const people = votes
    .filter((vote) => vote.verdict === verdict && vote.counts !== false)
    .map(({ user_id }) => request.names?.[user_id] ?? user_id);
  const counted = state === "open" && kind === "approve" ? `, ${people.length} of ${decide.approve} approvals` : "";
  const by = answer === undefined || people.length === 0 ? "" : ` (${people.join(", ")})`;
  return `${inputStates[state]}${counted}${by}${why === undefined ? "" : `: ${why}`}${reason === undefined ? "" : ` ${reason}`}`;
}

export function decidersText({ decide, escalate = [], requester = "unknown", reminders, names }: InputRequest): string {
  const later = reminders === undefined ? " after the first reminder" : "";
  const named = (id: string): string => names?.[id] ?? id;
  const who = [...decide.people.map(named), ...decide.groups.map((group) => names?.[group] ?? `members of ${group}`)];
  if (decide.requester) who.push(`the requester (${named(requester)})`);
  return who.concat(escalate.map((person) => `${named(person)}${later}`)).join(", ");
}

/** Whether people of Slack will be asked, and have not been yet. */
export const isAskedSoon = ({ asked_in, decide: { people, groups } }: InputRequest): boolean =>
  asked_in === undefined && (groups.length > 0 || people.some((id) => /^[UW][A-Z0-9]+$/.test(id)));

/** How often input requests are read until their people are asked; then they are shown anyway. */
export const mostLooks = 4;

/** Returns who decides an input request, where and until when, as a sentence; `until`: the time as it is shown. */
export function waitLine(request: InputRequest, until: string): string {
  const how = request.asked_in === undefined ? "" : " in Slack (direct message from the app)";
  const later = isAskedSoon(request) ? " Verification asks them in Slack as soon as it is connected." : "";
  return `“${request.title}” is decided by ${decidersText(request)}${how}, until ${until}.${later}`;
}

/** Returns the open input requests of a task or a run as text: what waits for whom, and how to see more. Empty without any. */
export const waitsText = (requests: readonly InputRequest[]): string =>
  requests
    .map((request) => {
      const { request_id: id, title, expires_at: expires } = request;
      const more = `${id} (${ownName} approvals show ${id})`;
      return `\n${factsText({ "waits for": decidersText(request), title, expires, approval: more })}`;
    })
    .join("");

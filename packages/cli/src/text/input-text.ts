import type { InputRequest, InputSchema, InputVote } from "@crosszone/contracts";
import { factsText, harmless, harmlessJson, table } from "./terminal-text.ts";

/** Returns everything about an input request as text. */
export function inputText(request: InputRequest): string {
  const { body, action, options, schema, votes, answer } = request;
  const { value, values } = answer?.verdict === "answer" ? answer : {};
  const parts = [
    factsOf(request),
    body && `${harmless(body)}\n`,
    action &&
      `${factsText({ action: action.tool, by: action.agent, digest: action.digest })}arguments: ${jsonLine(action.arguments)}`,
    options &&
      table(
        ["VALUE", "LABEL"],
        options.map((option) => [option.value, option.label]),
      ),
    schema && table(["FIELD", "TYPE", "TITLE"], fieldRows(schema.properties, schema.required)),
    votes.length > 0 && table(["PERSON", "VERDICT", "THROUGH", "AT", "REASON"], votes.map(voteRow)),
    (value ?? values) !== undefined && `answer: ${jsonLine(value ?? values)}`,
  ];
  return parts.filter((part) => typeof part === "string").join("\n");
}

const jsonLine = (value: unknown): string => `${harmlessJson(value)}\n`;

function factsOf(request: InputRequest): string {
  const { request_id, title, kind, agent, task_id, run_id, step_id, requester, channel, thread_ts } = request;
  const { created_at, expires_at, execute_until, remind_at, decided_at, state, visibility } = request;
  const isOpen = state === "open";
  return factsText({
    "input request": request_id,
    title,
    kind,
    state: inputStateText(request),
    decides: decidersText(request),
    agent,
    task: task_id && `${task_id} (crosszone tasks show ${task_id})`,
    run: run_id && `${run_id} (crosszone runs show ${run_id})`,
    step: step_id,
    requester,
    channel,
    thread: thread_ts,
    visibility,
    created: created_at,
    expires: isOpen ? expires_at : undefined,
    reminder: isOpen ? remind_at : undefined,
    ended: decided_at,
    "runs until": state === "approved" ? execute_until : undefined,
  });
}

const fieldRows = (fields: InputSchema["properties"], required: readonly string[] = []): string[][] =>
  Object.entries(fields).map(([name, field]) => {
    const { type = "", title = "", enum: values } = field ?? {};
    const shape = values === undefined ? type : values.join(" | ");
    return [name, required.includes(name) ? shape : `${shape} (optional)`, title];
  });

const voteRow = ({ user_id, verdict, via, at, reason = "" }: InputVote): string[] => [
  user_id,
  verdict,
  via,
  at,
  reason,
];

/** Returns the state of an input request as a sentence without its end. */
export function inputStateText(request: InputRequest): string {
  const { state, kind, votes, answer, closed_because: because } = request;
  const people = votes.filter(({ verdict }) => verdict === answer?.verdict).map(({ user_id }) => user_id);
  const by = people.length === 0 ? "" : ` by ${people.join(", ")}`;
  const why = because === undefined ? "" : `: ${because}`;
  switch (state) {
    case "open":
      return kind === "approve" ? `open, ${approvalsText(request)}` : "open, waits for an answer";
    case "approved":
      return `approved${by}; the action has not run yet`;
    case "used":
      return `approved${by}; the action has run`;
    case "void":
      return `void: approved${by}, but the action did not run in time. It needs a new decision`;
    case "expired":
      return "expired: nobody decided in time";
    default:
      return `${state}${by}${why}`;
  }
}

/** Returns how many approvals a request has, of those that it needs. */
function approvalsText({ votes, decide }: InputRequest): string {
  const count = votes.filter(({ verdict }) => verdict === "approve").length;
  return `${count} of ${decide.approve} ${decide.approve === 1 ? "approval" : "approvals"}`;
}

/** Returns who can decide an input request. */
export function decidersText({ decide, escalate = [], requester = "unknown", reminders }: InputRequest): string {
  const later = reminders === undefined ? " after the first reminder" : "";
  const who = [
    ...decide.people,
    ...decide.groups.map((group) => `members of ${group}`),
    ...(decide.requester ? [`the requester (${requester})`] : []),
    ...escalate.map((person) => `${person}${later}`),
  ];
  return who.join(", ");
}

/** Returns the open input requests of a task or a run as text: what waits for whom, and how to see more. Empty without any. */
export const waitsText = (requests: readonly InputRequest[]): string =>
  requests
    .map((request) => {
      const { request_id: id, title, expires_at: expires } = request;
      const more = `${id} (crosszone inputs show ${id})`;
      return `\n${factsText({ "waits for": decidersText(request), title, expires, "input request": more })}`;
    })
    .join("");

import type { ModalView } from "@slack/web-api";
import { expect } from "vitest";
import { type AnswerInputParams, type InputRequest, ZoneError } from "@crosszone/contracts";
import { type ScriptedZone, type ZoneAnswer } from "./scripted-zone.ts";
import { signed, type TestApp } from "./start-test-app.ts";

/** A request of a task, with an action, which U1 decides. */
export function inputRequest(more: Partial<InputRequest> = {}): InputRequest {
  const action = { agent: "builtin", tool: "deploy", arguments: { version: "1.2" }, digest: "a".repeat(64) };
  return {
    request_id: "inp_0123456789abcdef",
    task_id: "task-12345678",
    kind: "approve",
    state: "open",
    version: 1,
    seq: 1,
    title: "Deploy version 1.2?",
    action,
    decide: { people: ["U1"], groups: [], requester: false, approve: 1, deny: 1 },
    visibility: "thread",
    agent: "builtin",
    created_at: "2026-01-01T00:00:00Z",
    expires_at: "2099-01-01T00:00:00Z",
    votes: [],
    ...more,
  };
}

export type ScriptedInputs = ReturnType<typeof scriptInputs>;

/** Lets a task wait for requests, then succeed. Answers are judged by people, groups and number only. */
export function scriptInputs(zone: ScriptedZone, first: readonly InputRequest[]) {
  const requests = new Map(first.map((one, at) => [one.request_id, { ...one, seq: at + 1 }]));
  let seq = requests.size;
  const current = (id = first[0]?.request_id ?? ""): InputRequest => {
    const found = requests.get(id);
    if (found === undefined) throw new ZoneError("input_request_not_found");
    return found;
  };
  /** Changes a request, as another surface does. */
  const change = (more: Partial<InputRequest>, id?: string): void => {
    const before = current(id);
    requests.set(before.request_id, { ...before, version: before.version + 1, seq: (seq += 1), ...more });
  };
  const result = (): ZoneAnswer<"get_async_task_result"> => {
    const input_requests = [...requests.values()].filter(({ state }) => state === "open");
    const task_id = "task-12345678";
    if (input_requests.length > 0) return { status: "input_required", task_id, input_requests, text: "Let me check." };
    const states = [...requests.values()].map(({ state }) => state).join(", ");
    return { status: "success", task_id, response_text: `It was ${states}.` };
  };
  zone.on("execute_task", () => result() as ZoneAnswer<"execute_task">);
  zone.on("get_async_task_result", result);
  zone.on("claim_input_request", ({ request_id, team_id, names, unreachable }) => {
    if (unreachable !== undefined) change({ state: "denied", closed_because: `No ${unreachable.join()}.` }, request_id);
    else change(current(request_id).origin === undefined ? { names } : { asked_in: team_id, names }, request_id);
    return current(request_id);
  });
  zone.on("get_input_request", ({ request_id }) => current(request_id));
  zone.on("list_input_requests", ({ after_seq = 0 }) => {
    const input_requests = [...requests.values()].filter((one) => one.seq > after_seq);
    return { input_requests, last_seq: Math.max(after_seq, ...input_requests.map((one) => one.seq)) };
  });
  zone.on("answer_input", (params) => {
    const { request_id } = params;
    return { outcome: decide(params, current(request_id), change), input_request: current(request_id) };
  });
  /** Lets another request appear. */
  const ask = (request: InputRequest): void => void requests.set(request.request_id, { ...request, seq: (seq += 1) });
  return { current, change, ask };
}

function decide(
  { answer, by, digest }: AnswerInputParams,
  request: InputRequest,
  change: ScriptedInputs["change"],
): ZoneAnswer<"answer_input">["outcome"] {
  const { decide: deciders, state, votes, action, request_id } = request;
  if (state === "expired" || state === "withdrawn") return state;
  if (state !== "open") return "already_decided";
  const isInGroup = by.groups.some((group) => deciders.groups.includes(group));
  if (!deciders.people.includes(by.user_id) && !isInGroup) return "not_eligible";
  if (votes.some(({ user_id }) => user_id === by.user_id)) return "already_voted";
  const { verdict } = answer;
  if (verdict === "approve" && digest !== action?.digest) return "changed";
  if (verdict === "answer" && answer.values?.["size"] === 0)
    throw new ZoneError("invalid_params", { problems: [{ pointer: "/answer/values/size", message: "must be >= 1" }] });
  const reason = "reason" in answer ? answer.reason : undefined;
  const vote = {
    user_id: by.user_id,
    verdict,
    via: "slack" as const,
    at: "2026-01-02T00:00:00Z",
    ...(typeof reason === "string" && { reason }),
  };
  const all = [...votes, vote];
  const isDecided = verdict !== "approve" || all.length >= deciders.approve;
  const ending = { approve: "approved", deny: "denied", answer: "answered" } as const;
  change({ votes: all, ...(isDecided && { state: ending[verdict], answer, decided_at: vote.at }) }, request_id);
  return isDecided ? "decided" : "counted";
}

let presses = 0;

/** Returns what Slack sends for a press on an element, or for a submitted modal. */
export function interactionPayload(members: Record<string, unknown>, user = "U1"): Record<string, unknown> {
  presses += 1;
  return {
    type: "block_actions",
    api_app_id: "A1",
    team: { id: "T1" },
    enterprise: null,
    is_enterprise_install: false,
    user: { id: user, team_id: "T1" },
    trigger_id: `trigger.${presses}`,
    container: { type: "message", channel_id: "C1", message_ts: "1.1", thread_ts: "1.0" },
    ...members,
  };
}

/** Sends a form as Slack does. Resolves with the status and the body of the response. */
export async function sendForm(
  app: TestApp,
  members: Record<string, string>,
): Promise<{ readonly status: number; readonly body: string }> {
  const body = new URLSearchParams(members).toString();
  const headers = { ...signed(body), "content-type": "application/x-www-form-urlencoded" };
  const response = await fetch(`${app.url}/slack/events`, { method: "POST", headers, body });
  return { status: response.status, body: await response.text() };
}

/** Sends an interaction as Slack does. Resolves with the status and the body of the response. */
export const interact = (app: TestApp, payload: unknown) => sendForm(app, { payload: JSON.stringify(payload) });

/** Submits a modal as Slack does, with the values of its blocks. Resolves with the body of the response. */
export async function submit(
  app: TestApp,
  { callback_id, private_metadata, user }: Partial<ModalView> & { readonly user?: string },
  entered: Record<string, object>,
): Promise<unknown> {
  const values = Object.fromEntries(Object.entries(entered).map(([block, value]) => [block, { value }]));
  const view = { id: "V1", callback_id, private_metadata, state: { values } };
  const payload = interactionPayload({ type: "view_submission", container: undefined, view }, user);
  const { status, body } = await interact(app, payload);
  expect(status).toBe(200);
  return body === "" ? undefined : JSON.parse(body);
}

/** An element or block of a message or modal. */
interface SlackElement {
  readonly type: string;
  readonly block_id?: string;
  readonly action_id?: string;
  readonly value?: string;
  readonly text?: { readonly text?: string };
}

/** Returns all elements of blocks, nested ones too. */
export function elementsOf(blocks: unknown): SlackElement[] {
  if (typeof blocks !== "object" || blocks === null) return [];
  const inside = Object.values(blocks).flatMap(elementsOf);
  return "type" in blocks ? [blocks as SlackElement, ...inside] : inside;
}

/** What is pressed: the element whose text or type is `label`, and its value or option, by a person. */
interface Pressed {
  readonly label: string;
  readonly user?: string;
  readonly value?: string;
  /** The thread of the message. */
  readonly thread?: string;
}

/** Presses an element of a message. Resolves with the status of the response. */
export async function press(
  app: TestApp,
  blocks: unknown,
  { label, user = "U1", value: chosen, thread }: Pressed,
): Promise<number> {
  const element = elementsOf(blocks).find(
    ({ action_id: id, text, type }) => id !== undefined && (text?.text === label || type === label),
  );
  if (element === undefined) throw new Error(`there is no ${label}`);
  const { action_id, value = chosen } = element;
  const response_url = `https://hooks.slack.com/actions/${user}/${label}`;
  const container = { type: "message", channel_id: "C1", message_ts: "1.1", thread_ts: thread };
  const actions = [{ type: "button", action_id, value, action_ts: "1.2" }];
  const pressed = { actions, response_url, ...(thread !== undefined && { container }) };
  return (await interact(app, interactionPayload(pressed, user))).status;
}

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InputRequest } from "@crosszone/contracts";
import { type Message, startDevSlack, type DevSlack } from "@crosszone/dev-slack";
import { slackEnv } from "@crosszone/dev-slack/client";
import { type Agent, type AskedInput, type ExecutionDeps, type RunInputs, TaskPaused } from "@crosszone/execution";
import { tune } from "@crosszone/testkit/tune";
import { expect } from "vitest";
import { openTestZone } from "@crosszone/execution/testing";
import type { LogLine } from "@crosszone/testkit/process";
import { adminToken } from "./runs-api.ts";
import { openVerification, wideLimits } from "./start-crosszone.ts";
import { createHmac } from "node:crypto";

const alice = "U0ALICE0001";
export const [bob, chiyo, partner] = ["U0BOB000001", "U0CHIYO0001", "U0PARTNER01"] as const;
export const oncall = "S0ONCALL001";

type Requests = ExecutionDeps["inputs"]["requests"];

/** What the agent asks when a message names it, and what it does after the decision; its answer is the returned text. */
export interface Plan {
  readonly asks: readonly AskedInput[];
  readonly after?: (inputs: RunInputs, requests: Requests) => Promise<string>;
}

/** A call with these arguments. */
export const call = (tool: string) => ({ agent: "builtin", tool, arguments: { cents: 1_200, to: "Acme" } });

/** An approval of the call of a tool that has its title. */
export const approval = (title: string, more: Partial<AskedInput> = {}): AskedInput => ({
  key: title,
  kind: "approve",
  title,
  action: call(title),
  ...more,
});

/** Two members of the group decide. */
export const byGroup = { people: [], groups: [oncall], requester: false, approve: 2, deny: 1 };

export type Attacked = Awaited<ReturnType<typeof startAttacked>>;

/** A request, and the card that shows it. */
export interface Target {
  readonly request: InputRequest;
  readonly card: Message;
}

/** By default bob decides, and alice, who asks, does not. Calls of `brief` expire, and approvals of `late` are void, after a second. */
const approvals = {
  default: { decide: { people: [bob] } },
  rules: [
    { tool: "brief", decide: { people: [bob] }, expires_in: "1s" },
    { tool: "late", decide: { people: [bob] }, execute_within: "1s" },
  ],
};

const many = { burst: 1_000, per_minute: 60_000 };

/** Starts both zones, with an agent that asks people, and the local Slack; call `stop` in the end. A message that names no plan is repeated by the agent. */
export async function startAttacked(plans: Readonly<Record<string, Plan>>) {
  const log: LogLine[] = [];
  const token = "link-token-of-thirty-two-characters";
  let inputs: ExecutionDeps["inputs"] | undefined;
  const requests = (): Requests => (inputs as ExecutionDeps["inputs"]).requests;
  /** Returns a request as it is stored. */
  const stored = async (id: string) => (await requests().find(id))?.request as InputRequest;
  const folder = await mkdtemp(join(tmpdir(), "crosszone-attacked-"));
  const APPROVALS_FILE = join(folder, "approvals.yaml");
  await writeFile(APPROVALS_FILE, JSON.stringify(approvals));
  const execution = await openTestZone([createAsker(plans, requests)], {
    ...wideLimits,
    tokens: [token],
    log,
    env: { APPROVALS_FILE, ADMIN_TOKENS: adminToken },
    override: (deps) => ((inputs = deps.inputs), {}),
  });
  const slack = await startDevSlack({ retryScheduleMs: [20, 60], rateLimits: { post_message: many, tier_3: many } });
  slack.control.putUserGroup({ id: oncall, handle: "oncall", name: "On call", users: [alice, bob, partner] });
  const link = { EXECUTION_URL: `${execution.url}/rpc`, EXECUTION_TOKEN: token };
  const env = { ...slackEnv(slack), ...link, ...tune({ SHOW_WORK_AFTER_MS: 0, POLL_WAIT_MS: 500 }) };
  const verification = await openVerification({ env, log });
  slack.setEventsUrl(`${verification.url}/slack/events`);
  /** Alice asks for a plan in #general. Resolves with its cards, in the order of the plan. */
  const ask = async (plan: string): Promise<readonly Target[]> => {
    const { ts } = slack.control.postMessage({ user: "alice", channel: "general", text: `@Crosszone ${plan}` });
    const showing = (title: string) => (message: Message) =>
      message.thread_ts === ts && JSON.stringify(message.blocks ?? []).includes(`"text":"${title}"`);
    const cards = plans[plan]?.asks.map(async ({ title }): Promise<Target> => {
      const card = await slack.control.waitForMessage(showing(title));
      const { records } = await requests().page({}, 100);
      return { card, request: records.find(({ request }) => request.title === title)?.request as InputRequest };
    });
    return Promise.all(cards ?? []);
  };
  const stop = async (): Promise<void> => {
    await verification.stop();
    await execution.stop();
    await slack.close();
    await rm(folder, { recursive: true });
  };
  return { slack, execution, verification, log, stored, ask, stop };
}

function createAsker(plans: Readonly<Record<string, Plan>>, requests: () => Requests): Agent {
  return {
    name: "builtin",
    description: "",
    skills: [],
    run: async ({ text }, { inputs }) => {
      const plan = plans[text];
      if (plan === undefined) return { response_text: `Heard: ${text}` };
      const isOpen = plan.asks.some(({ key }) => inputs?.decided.has(key) !== true);
      if (inputs === undefined || isOpen) throw new TaskPaused(plan.asks, { continuation: null });
      return { response_text: `Ran: ${await plan.after?.(inputs, requests())}` };
    },
  };
}

const calls = ["rpc_answered", "slack_called", "slack_request_answered"];

/** Returns what a log has from here on, without successful calls. */
export function logFrom({ log }: Pick<Attacked, "log">): () => readonly LogLine[] {
  const from = log.length;
  return () => log.slice(from).filter(({ event }) => !calls.includes(String(event)));
}

/** Waits until a log has a line with these members. */
export async function waitForLine(lines: () => readonly LogLine[], members: object): Promise<void> {
  await expect.poll(lines).toContainEqual(expect.objectContaining(members));
}

type Reaction = Awaited<ReturnType<DevSlack["control"]["act"]>>;

/** A press on a button. The names of its other members are those of Slack's payload, which they replace. */
export interface Pressing {
  /** Who presses; chiyo by default, who decides nothing. */
  readonly user?: string;
  readonly verb?: string;
  /** The id of the button. Default: that of the card. */
  readonly id?: string;
  /** The value of the button. Default: that of the card. */
  readonly value?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
}

interface OnCard extends Pressing {
  readonly target: Target;
  /** An open card. Slack's client presses it, and the payload names the target's. */
  readonly on: Target;
}

/** Presses a button that the target's card has, or had while it was open, in Slack's own payload. */
export function pressCard(
  { slack }: Attacked,
  { target, on, user = "chiyo", verb = "approve", payload, ...forged }: OnCard,
): Promise<Reaction> {
  const { request, card } = target;
  const { channel, ts } = on.card;
  const { id = `input:${verb}:${request.request_id}`, value = request.action?.digest ?? request.request_id } = forged;
  const container = { type: "message", channel_id: channel, message_ts: card.ts, thread_ts: card.thread_ts };
  const actions = [{ type: "button", action_id: id, block_id: "v1.0.4", value }];
  const act = { user, channel, ts, action_id: `input:approve:${on.request.request_id}` };
  return slack.control.act(act, { container, actions, ...payload });
}

interface Submitting {
  readonly user?: string;
  /** The verb of the modal. */
  readonly verb: "deny" | "open";
  /** What is entered, by block. */
  readonly values?: Readonly<Record<string, string>>;
  /** Members that replace those of Slack's view. */
  readonly view?: Readonly<Record<string, unknown>>;
  /** Happens after the modal was opened and before it is submitted. */
  readonly meanwhile?: () => Promise<unknown>;
}

/** Opens the modal of a card, and submits it. */
async function submitModal(
  zones: Attacked,
  target: Target,
  { user = "chiyo", verb, values = {}, view, meanwhile }: Submitting,
): Promise<Reaction> {
  const { control } = zones.slack;
  const { channel, ts } = target.card;
  await control.act({ user, channel, ts, action_id: `input:${verb}:${target.request.request_id}` });
  await expect.poll(() => control.views(user)).toHaveLength(1);
  await meanwhile?.();
  const [opened] = control.views(user);
  const { id: view_id = "", definition } = opened ?? {};
  const entered = Object.entries(values).map(([block, value]) => [
    block,
    { value: { type: "plain_text_input", value } },
  ]);
  const sent = { id: view_id, ...definition, state: { values: Object.fromEntries(entered) }, ...view };
  const reaction = await control.submitView({ user, view_id }, { view: sent });
  if (control.views(user).length > 0) await control.closeView({ user, view_id });
  return reaction;
}

export interface Signing {
  /** Default: the app's. */
  readonly secret?: string;
  /** The time that is signed, Unix seconds. Default: now. */
  readonly at?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a press that did not come from Slack. Resolves with the status of the response. */
async function sendSigned(
  { slack, verification }: Attacked,
  { request, card }: Target,
  { secret = slack.signingSecret, at = Math.floor(Date.now() / 1_000), headers }: Signing,
): Promise<number> {
  const { team, app } = slack.workspace;
  const payload = {
    type: "block_actions",
    team: { id: team.id },
    user: { id: request.decide.people[0], team_id: team.id },
    api_app_id: app.app_id,
    trigger_id: "forged",
    container: { type: "message", channel_id: card.channel, message_ts: card.ts },
    actions: [{ action_id: `input:approve:${request.request_id}`, value: request.action?.digest }],
  };
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const mac = createHmac("sha256", secret).update(`v0:${at}:${body}`).digest("hex");
  const signed = { "x-slack-request-timestamp": String(at), "x-slack-signature": `v0=${mac}` };
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const answer = await fetch(`${verification.url}/slack/events`, {
    method: "POST",
    headers: { ...type, ...(headers ?? signed) },
    body,
  });
  return answer.status;
}

/** What attacks do with requests, which they name by their titles. */
export type AttackTools = ReturnType<typeof createAttackTools>;

/** An attack on an open or ended request, and what it leaves besides the unchanged request. */
export interface Attack {
  readonly title: string;
  /** The attacked request; `deploy` by default. */
  readonly on?: string;
  readonly attack: (tools: AttackTools) => Promise<unknown>;
  /** What the person who pressed reads. */
  readonly says?: string;
  /** Members of a line of the log. */
  readonly leaves: object;
}

export const rejected = (outcome: string) => ({ event: "input_answer_rejected", outcome });
export const refused = (reason: string) => ({ event: "interaction_refused", reason });

/** The reasons in the audit log, for attacks that reach execution's requests. */
const reasons: Readonly<Record<string, string>> = { input_request_not_found: "not_found", failed: "invalid_params" };

/** Expects that the audit log of execution has an attack that reached a request, with who tried and why it was rejected. */
export async function expectAudited({ execution }: Attacked, leaves: Attack["leaves"], before: number): Promise<void> {
  const { outcome = "", kind = outcome } = leaves as { readonly outcome?: string; readonly kind?: string };
  const acts = (await execution.acts()).slice(before);
  const rejections = acts.filter((act) => act.action === "input.decide" && act.outcome === "rejected");
  expect(rejections.map(({ details }) => details?.["because"])).toEqual([reasons[kind] ?? outcome].filter(Boolean));
}

/** Makes the tools. The card of `openTitle` must be open: Slack's client presses it for cards that have ended. */
export function createAttackTools(zones: Attacked, found: readonly Target[], openTitle: string) {
  const targets = Object.fromEntries(found.map((one) => [one.request.title, one]));
  const target = (title: string): Target => targets[title] as Target;
  const idOf = (title: string): string => target(title).request.request_id;
  const digestOf = (title: string): string => target(title).request.action?.digest ?? "";
  return {
    zones,
    idOf,
    digestOf,
    cardOf: (title: string) => target(title).card,
    stored: (title: string): Promise<InputRequest> => zones.stored(idOf(title)),
    press: (title: string, pressing: Pressing = {}) =>
      pressCard(zones, { target: target(title), on: target(openTitle), ...pressing }),
    submit: (title: string, how: Submitting) => submitModal(zones, target(title), how),
    /** Sends an approval that Slack did not send. */
    forge: (title: string, how: Signing) => sendSigned(zones, target(title), how),
    /** Calls the admin API. Resolves with the status of the response. */
    post: async (path: string, body?: object): Promise<number> => {
      const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
      const sent = { method: "POST", headers, ...(body && { body: JSON.stringify(body) }) };
      return (await fetch(`${zones.execution.url}/api/v1/input-requests/${path}`, sent)).status;
    },
    /** Approves over the zone link. Resolves with the response. */
    answerAs: (caller: string, title: string, by: object) => {
      const params = { request_id: idOf(title), answer: { verdict: "approve" }, by, digest: digestOf(title) };
      const message = JSON.stringify({ jsonrpc: "2.0", id: "attack-1", method: "answer_input", params });
      return zones.execution.app.dispatch(Buffer.from(message), { caller, correlationId: "attack-1" });
    },
  };
}

/** Does something. Returns what people were told since, in private or in a modal. */
export async function toldSince({ slack: { control } }: Attacked, act: () => Promise<unknown>): Promise<() => string> {
  const notices = () =>
    control
      .workspace()
      .channels.flatMap(({ id }) => control.messages({ channel: id }).filter((one) => one.ephemeral_for));
  const earlier = new Set(notices().map(({ ts }) => ts));
  const reaction = await act();
  return () => JSON.stringify([reaction ?? "", notices().filter(({ ts }) => !earlier.has(ts))]);
}

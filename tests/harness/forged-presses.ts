import { createHmac } from "node:crypto";
import type { DevSlack } from "@crosszone/dev-slack";
import { expect } from "vitest";
import type { Attacked, Target } from "./start-attacked.ts";

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

export interface Submitting {
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
export async function submitModal(
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
export async function sendSigned(
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

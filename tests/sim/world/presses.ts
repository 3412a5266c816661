import { buttonIn, type Click, isCard } from "../../chaos/judge/judge-asks.ts";
import { askOf, type PlannedPress } from "../../chaos/plan/ask-plan.ts";
import { idOf } from "../../chaos/plan/message-plan.ts";
import type { Asked } from "../../chaos/run/people.ts";
import { leftMs } from "../plan/plan-seed.ts";
import { runIn } from "../time/life.ts";
import { agenda } from "../time/virtual-time.ts";
import type { SimulatedSlack } from "./slack-deliveries.ts";

interface PressOptions {
  readonly slack: Pick<SimulatedSlack, "messages" | "workspace" | "press">;
  readonly note: (what: string) => void;
  /** Returns when people begin to press after a card was shown, milliseconds. */
  readonly decideAfterMs: (number: number) => number;
}

/** After a warning sign, and after an answer did not come, a person presses again, milliseconds. */
const [lookAgainMs, againMs, impatientMs] = [200, 1_000, 15_000];

/** The people who press the buttons of cards. */
export function simulatePresses({ slack, note, decideAfterMs }: PressOptions) {
  const clicks: Click[] = [];
  const triggers = new Set<string>();
  const cardOf = ({ message: { channel, ts } }: Asked) =>
    slack.messages({ channel, thread_ts: ts }).find((message) => isCard(message));
  const buttonOf = (one: Asked, verb: Click["verb"]) => {
    const card = cardOf(one);
    const action_id = card && buttonIn(card, verb);
    return card && action_id !== undefined ? { card, action_id } : undefined;
  };

  /** Presses until the app has taken it, or the button is gone. */
  async function press(one: Asked, { person, verb }: PlannedPress): Promise<void> {
    const button = buttonOf(one, verb);
    if (button === undefined) return;
    const user = idOf("U", person);
    const click: Click = { number: one.planned.number, user, verb, at: agenda.now(), state: "pressed" };
    clicks.push(click);
    triggers.add(`trigger.${triggers.size}`);
    const payload = payloadOf(button.card, button.action_id, verb);
    const { team, app } = slack.workspace;
    const about = { api_app_id: app.app_id, team: { id: team.id }, user: { id: user, team_id: team.id } };
    const status = await slack.press({ ...about, ...payload, trigger_id: `trigger.${triggers.size}` });
    // A modal may say what is wrong, instead of a notice.
    const taken = verb === "deny" ? "told in the modal" : "taken";
    click.state = status === 200 ? taken : "warned";
    note(`${user} presses ${verb} of message ${click.number}: ${status}`);
    if (status !== 200) agenda.plan(againMs, () => void press(one, { person, verb, afterMs: 0 }));
  }

  /** Whoever can decide presses again until the card is the receipt. */
  function insist(one: Asked, able: readonly PlannedPress[]): void {
    if (buttonOf(one, "approve") === undefined) return;
    for (const planned of able) void press(one, planned);
    agenda.plan(impatientMs, () => insist(one, able));
  }

  function decide(one: Asked): void {
    const { number, kind } = one.planned;
    if (buttonOf(one, "approve") === undefined) return void agenda.plan(lookAgainMs, () => decide(one));
    const { presses, deciders } = askOf(number, kind === "left");
    const firstMs = decideAfterMs(number);
    for (const planned of presses) agenda.plan(firstMs + planned.afterMs, () => void press(one, planned));
    // Just before and after it expires.
    const lateMs = leftMs - ((number * 997) % 2_500);
    if (kind === "left")
      agenda.plan(lateMs, () => void press(one, { person: deciders[0] ?? 0, verb: "approve", afterMs: 0 }));
    const able = kind === "left" ? [] : presses.filter(({ person }) => deciders.includes(person));
    if (able.length > 0) agenda.plan(firstMs + impatientMs, () => insist(one, able));
  }

  return { clicks, decide: (one: Asked) => runIn(undefined, () => decide(one)) };
}

/** Returns what Slack sends about a press, or about the modal that it opened. */
function payloadOf(
  { channel, ts, thread_ts, blocks = [] }: NonNullable<ReturnType<SimulatedSlack["messages"]>[number]>,
  action_id: string,
  verb: Click["verb"],
): object {
  const rows = blocks as readonly {
    readonly elements?: readonly { readonly action_id?: string; readonly value?: string }[];
  }[];
  const value = rows.flatMap(({ elements = [] }) => elements).find((one) => one.action_id === action_id)?.value;
  if (verb === "approve")
    return {
      type: "block_actions",
      container: { type: "message", channel_id: channel, message_ts: ts, thread_ts },
      actions: [{ type: "button", action_id, value, action_ts: ts }],
    };
  const private_metadata = JSON.stringify({ channel, thread_ts });
  return {
    type: "view_submission",
    view: { id: "V1", callback_id: action_id, private_metadata, state: { values: {} } },
  };
}

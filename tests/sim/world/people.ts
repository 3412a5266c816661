import type { Message } from "@crosszone/dev-slack";
import { type Click, isCard } from "../../resist/judge/asks.ts";
import { type Asked, invitePeople } from "../../resist/people.ts";
import { askOf } from "../../resist/plan/questions.ts";
import { pressButtons } from "../../resist/presses.ts";
import { leftMs } from "../plan-seed.ts";
import { agenda, runIn, wait } from "../time/virtual-time.ts";
import type { SimulatedSlack } from "./slack.ts";

/** Maximum time after which a question is stopped, milliseconds. Its answer takes four seconds. */
const longestStopMs = 5_000;
/** Time between two looks for a card, and for the acknowledgment of a question that is stopped, milliseconds. */
const [cardMs, acceptedMs] = [200, 100];

/** The people who write in Slack. `decideAfterMs`: returns when people begin to decide after a card was shown, milliseconds. */
export function simulatePeople(
  slack: SimulatedSlack,
  note: (what: string) => void,
  decideAfterMs: (number: number) => number,
) {
  let triggers = 0;
  const said = ({ message: { channel, ts, thread_ts = ts } }: Asked): readonly Message[] =>
    slack.messages({ channel, thread_ts });
  const { clicks, typed, isWaiting, insist, decide } = pressButtons({
    now: agenda.now,
    wait,
    note,
    isOver: () => false,
    said,
    cardOf: (one) => said(one).find(isCard),
    type: (...words) => people.type(...words),
    press: async (card, action_id, { user, verb }) => {
      const { team, app } = slack.workspace;
      const about = { api_app_id: app.app_id, team: { id: team.id }, user: { id: user, team_id: team.id } };
      const trigger_id = `trigger.${(triggers += 1)}`;
      const status = await slack.press({ ...about, ...payloadOf(card, action_id, verb), trigger_id });
      if (status !== 200) return "warned";
      // A modal may say what is wrong, instead of a notice.
      return verb === "deny" ? "told in the modal" : "taken";
    },
  });

  async function decideOnce(one: Asked): Promise<void> {
    while (!isWaiting(one)) await wait(cardMs);
    const { number, kind } = one.planned;
    // Just before and after it expires.
    const lateMs = leftMs - ((number * 997) % 2_500);
    if (kind === "left") agenda.plan(lateMs, () => void insist(one, askOf(number, true).deciders[0] ?? 0, "approve"));
    await wait(decideAfterMs(number));
    await decide(one);
  }

  function stop(message: Message): void {
    const { ts, channel, user } = message;
    if (!slack.isAccepted(ts)) return void agenda.plan(acceptedMs, () => stop(message));
    note(`message ${ts} is stopped`);
    slack.postMessage({ channel, user, text: "stop", thread_ts: ts });
  }

  const onAsked = (one: Asked): void => {
    const { kind, number } = one.planned;
    if (kind === "asks" || kind === "left" || kind === "calls") void runIn(undefined, () => decideOnce(one));
    if (kind === "stopped") agenda.plan((number * 997) % longestStopMs, () => stop(one.message));
  };
  const people = invitePeople({ ...slack, control: slack, note, after: agenda.plan, onAsked });
  /** `clicks`: presses of buttons so far, `typed`: words below cards. */
  return { ...people, clicks, typed };
}

/** Returns what Slack sends about a press, or about the modal that it opened. */
function payloadOf({ channel, ts, thread_ts, blocks = [] }: Message, action_id: string, verb: Click["verb"]): object {
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

import type { Message } from "@crosszone/dev-slack";
import { type Asked, askedIn, changeMessage, populate, wordsOf } from "../../chaos/run/people.ts";
import { idOf, personCount, type PlannedMessage } from "../../chaos/plan/message-plan.ts";
import { agenda } from "../time/virtual-time.ts";
import { simulatePresses } from "./presses.ts";
import type { SimulatedSlack } from "./slack-deliveries.ts";

const lookAgainMs = 100;
/** Maximum time after which a question is stopped, milliseconds. Its answer takes four seconds. */
const longestStopMs = 5_000;
const atOnce = { copies: 1, delayMs: 0, dropFirst: false };

/** The people who write in Slack. `decideAfterMs`: returns when people begin to decide after a card was shown, milliseconds. */
export function simulatePeople(
  slack: SimulatedSlack,
  note: (what: string) => void,
  decideAfterMs: (number: number) => number,
) {
  const presses = simulatePresses({ slack, note, decideAfterMs });
  const persons = populate(slack, slack.workspace);
  const guest = slack.putUser({ id: idOf("U", personCount), is_restricted: true }).id;
  slack.putChannel({ id: idOf("D", personCount), kind: "im", members: [guest, slack.workspace.app.bot_user_id] });
  const asked = new Map<number, Asked>();

  function write(planned: PlannedMessage): void {
    const { number, place, person, follows, kind, delivery, later } = planned;
    const parent = follows === undefined ? undefined : asked.get(follows);
    const root = parent?.message.ts;
    if (follows !== undefined && (root === undefined || !slack.isAccepted(root)))
      return void agenda.plan(lookAgainMs, () => write(planned));
    const question = askedIn(planned);
    slack.setDelivery(delivery);
    const isDenied = kind === "denied";
    const direct = "direct" in place ? (isDenied ? personCount : place.direct) : undefined;
    const message = slack.postMessage({
      channel: "channel" in place ? idOf("C", place.channel) : idOf("D", direct ?? 0),
      user: isDenied ? guest : (persons[direct ?? person] ?? ""),
      text: wordsOf(planned, question, parent?.planned),
      thread_ts: root,
    });
    slack.setDelivery(atOnce);
    note(`message ${number} is written: ${message.ts} ${kind}: ${question.text}`);
    asked.set(number, { planned, message, question });
    if (later !== undefined) agenda.plan(later.afterMs, () => change({ planned, message, question }));
    const { againAfterMs } = delivery;
    if (againAfterMs !== undefined) agenda.plan(againAfterMs, () => slack.bringAgain(message.ts));
    if (kind === "asks" || kind === "left") presses.decide({ planned, message, question });
    if (kind === "stopped") agenda.plan((number * 997) % longestStopMs, () => stop(message));
  }

  function change(one: Asked): void {
    const { number, later, delivery } = one.planned;
    note(`the author of message ${number} ${later?.does} it`);
    slack.setDelivery(delivery);
    changeMessage({ control: slack }, one);
    slack.setDelivery(atOnce);
  }

  function stop(message: Message): void {
    const { ts, channel, user } = message;
    if (!slack.isAccepted(ts)) return void agenda.plan(lookAgainMs, () => stop(message));
    note(`message ${ts} is stopped`);
    slack.postMessage({ channel, user, text: "stop", thread_ts: ts });
  }

  return {
    /** Messages written so far, by number. */
    asked,
    /** Presses of buttons so far. */
    clicks: presses.clicks,
    /** Plans all messages at their times. A reply waits until an event of its parent is acknowledged. */
    writeAll: (messages: readonly PlannedMessage[]) => {
      for (const planned of messages) agenda.plan(planned.at, () => write(planned));
    },
  };
}

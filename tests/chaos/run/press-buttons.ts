import { setTimeout as wait } from "node:timers/promises";
import type { DevSlack, Message } from "@crosszone/dev-slack";
import type { Journal } from "../journal.ts";
import { buttonIn, type Click, isCard } from "../judge/judge-asks.ts";
import { askOf, type PlannedPress } from "../plan/ask-plan.ts";
import { idOf } from "../plan/message-plan.ts";
import type { Asked, People } from "./people.ts";

export type Deciders = ReturnType<typeof pressButtons>;

/** After a warning sign, a person presses again, each time twice as late; and after an answer did not come. Milliseconds. */
const [againMs, latestAgainMs, impatientMs] = [1_000, 16_000, 10_000];
const modalMs = 4_000;

/** The people who press the buttons of cards. */
export function pressButtons({ control }: DevSlack, people: People, journal: Journal) {
  const clicks: Click[] = [];
  const cards = new Map<string, Message>();
  /** A person has one modal at a time. */
  const hands = new Map<number, Promise<unknown>>();
  control.subscribe((event) => {
    if (event.type !== "message" && event.type !== "message_changed") return;
    const { message } = event;
    if (isCard(message)) cards.set(message.thread_ts ?? "", message);
  });
  const buttonOf = ({ message }: Asked, verb: PlannedPress["verb"]) => {
    const card = cards.get(message.ts);
    const action_id = card && buttonIn(card, verb);
    return action_id === undefined || card === undefined
      ? undefined
      : { channel: card.channel, ts: card.ts, action_id };
  };

  /** Presses a button until the app has taken it, or it is gone. */
  async function press(one: Asked, { person, verb }: PlannedPress, isOver: () => boolean): Promise<void> {
    const user = idOf("U", person);
    for (let pauseMs = againMs; !isOver(); pauseMs = Math.min(2 * pauseMs, latestAgainMs)) {
      const button = buttonOf(one, verb);
      if (button === undefined) return;
      const click: Click = { number: one.planned.number, user, verb, at: Date.now(), state: "pressed" };
      clicks.push(click);
      // The card may have become the receipt in between.
      const taken = await control.act({ user, ...button }).catch(() => undefined);
      if (taken === undefined) click.state = "missed";
      else if (taken.warning !== undefined) click.state = "warned";
      else click.state = verb === "deny" ? await submit(control, user) : "taken";
      journal.note("Slack", `${user} presses ${verb} of message ${click.number}: ${click.state}`, { ...taken });
      if (click.state !== "warned" && click.state !== "no modal") return;
      await wait(pauseMs);
    }
  }

  const turn = (one: Asked, planned: PlannedPress, isOver: () => boolean): Promise<void> => {
    if (planned.verb === "approve") return press(one, planned, isOver);
    const next = (hands.get(planned.person) ?? Promise.resolve()).then(() => press(one, planned, isOver));
    hands.set(planned.person, next);
    return next;
  };

  return {
    /** Presses so far. */
    clicks,
    /** Number of cards that have been shown. */
    shown: () => cards.size,
    /** Number of cards with buttons now. */
    open: () => [...people.asked.values()].filter((one) => buttonOf(one, "approve") !== undefined).length,
    /** Presses all planned buttons within `spanMs` from now. Afterwards who can decide presses again until no card waits for them, or `isOver`. */
    decideAll: async (spanMs: number, isOver: () => boolean): Promise<void> => {
      const asked = [...people.asked.values()];
      await Promise.all(
        asked.map(async (one, at) => {
          await wait((at * spanMs) / asked.length);
          await decide(one, {
            isWaiting: () => buttonOf(one, "approve") !== undefined,
            turn: (planned) => turn(one, planned, isOver),
            isOver,
          });
        }),
      );
    },
  };
}

interface Deciding {
  /** Returns whether the card has buttons. */
  readonly isWaiting: () => boolean;
  readonly turn: (planned: PlannedPress) => Promise<void>;
  readonly isOver: () => boolean;
}

/** Presses all planned buttons of a card. Afterwards who can decide presses again until the card has no buttons. */
async function decide(one: Asked, { isWaiting, turn, isOver }: Deciding): Promise<void> {
  const { presses, deciders } = askOf(one.planned.number, one.planned.kind === "left");
  await Promise.all(
    presses.map(async (planned) => {
      await wait(planned.afterMs);
      await turn(planned);
    }),
  );
  if (one.planned.kind === "left") return;
  const able = presses.filter(({ person }) => deciders.includes(person));
  for (;;) {
    const last = performance.now() + impatientMs;
    while (isWaiting() && performance.now() < last && !isOver()) await wait(250);
    if (!isWaiting() || isOver()) return;
    await Promise.all(able.map((planned) => turn(planned)));
  }
}

/** Submits the modal that a press opens. */
async function submit(control: DevSlack["control"], user: string): Promise<Click["state"]> {
  const last = performance.now() + modalMs;
  while (control.views(user).length === 0 && performance.now() < last) await wait(20);
  for (;;) {
    const view_id = control.views(user).at(-1)?.id;
    if (view_id === undefined) return "no modal";
    const { warning, errors } = await control.submitView({ user, view_id });
    if (errors !== undefined) await control.closeView({ user, view_id });
    if (warning === undefined) return errors === undefined ? "taken" : "told in the modal";
    await wait(againMs);
  }
}

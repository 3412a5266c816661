import { setTimeout as wait } from "node:timers/promises";
import type { DevSlack, Message } from "@crosszone/dev-slack";
import { type Click, isCard } from "../resist/judge/asks.ts";
import type { Asked } from "../resist/people.ts";
import { pressButtons } from "../resist/presses.ts";
import type { Journal } from "./journal.ts";
import type { People } from "./watch-slack.ts";

export type Deciders = ReturnType<typeof decidersOf>;

const againMs = 1_000;
const modalMs = 4_000;

/** The people who press the buttons of cards in a run's Slack. */
export function decidersOf(
  { control }: DevSlack,
  people: People,
  { journal, isOver }: { readonly journal: Journal; readonly isOver: () => boolean },
) {
  const cards = new Map<string, Message>();
  const threadOf = ({ message: { ts, thread_ts = ts } }: Asked): string => thread_ts;
  /** A person has one modal at a time. */
  const modals = new Map<string, Promise<Click["state"]>>();
  control.subscribe((event) => {
    if (event.type !== "message" && event.type !== "message_changed") return;
    const { message } = event;
    if (isCard(message)) cards.set(message.thread_ts ?? "", message);
  });
  const { clicks, typed, isWaiting, decide } = pressButtons({
    now: Date.now,
    wait,
    isOver,
    note: (what) => journal.note("Slack", what),
    cardOf: (one) => cards.get(threadOf(one)),
    said: (one) => control.messages({ channel: one.message.channel, thread_ts: threadOf(one) }),
    type: people.type,
    press: ({ channel, ts }, action_id, { user, verb }) => {
      const act = async (): Promise<Click["state"]> => {
        // The card may have become the receipt in between.
        const taken = await control.act({ user, channel, ts, action_id }).catch(() => undefined);
        if (taken === undefined) return "missed";
        if (taken.warning !== undefined) return "warned";
        return verb === "deny" ? submit(control, user) : "taken";
      };
      if (verb === "approve") return act();
      const next = (modals.get(user) ?? Promise.resolve()).then(act);
      modals.set(user, next);
      return next;
    },
  });
  return {
    clicks,
    typed,
    /** Decides about a question when its card is shown, or not at all when `isOver`. */
    decideSoon: async (one: Asked): Promise<void> => {
      while (!isWaiting(one) && !isOver()) await wait(250);
      await decide(one);
    },
    /** Number of cards that have been shown. */
    shown: () => cards.size,
    /** Number of cards with buttons now. */
    open: () => [...people.asked.values()].filter(isWaiting).length,
    /** Presses all planned buttons within `spanMs` from now, and resolves when no card waits for who can decide, or `isOver`. */
    decideAll: async (spanMs: number): Promise<void> => {
      const asked = [...people.asked.values()];
      await Promise.all(
        asked.map(async (one, at) => {
          await wait((at * spanMs) / asked.length);
          await decide(one);
        }),
      );
    },
  };
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

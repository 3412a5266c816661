import type { Message } from "@crosszone/dev-slack";
import { buttonIn, type Click } from "./judge/asks.ts";
import type { Asked } from "./people.ts";
import { idOf } from "./plan/messages.ts";
import { askOf, type PlannedPress } from "./plan/questions.ts";

/** How people see cards and press their buttons, and the time in which they do: that of a run, or a virtual one. */
interface Hands {
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly note: (what: string) => void;
  /** Returns the card of a question that asks people. */
  readonly cardOf: (one: Asked) => Message | undefined;
  /** Presses a button. Resolves with what became of it. */
  readonly press: (card: Message, action_id: string, click: Click) => Promise<Click["state"]>;
  readonly isOver: () => boolean;
}

/** After a warning sign, a person presses again, each time twice as late; and after an answer did not come. Milliseconds. */
const [againMs, latestAgainMs, impatientMs] = [1_000, 16_000, 10_000];

/** The people who press the buttons of cards. */
export function pressButtons({ now, wait, note, cardOf, press, isOver }: Hands) {
  const clicks: Click[] = [];
  const isWaiting = (one: Asked): boolean => {
    const card = cardOf(one);
    return card !== undefined && buttonIn(card, "approve") !== undefined;
  };

  /** Presses a button until the app has taken it, or it is gone. */
  async function insist(one: Asked, person: number, verb: PlannedPress["verb"]): Promise<void> {
    for (let pauseMs = againMs; !isOver(); pauseMs = Math.min(2 * pauseMs, latestAgainMs)) {
      const card = cardOf(one);
      const action_id = card && buttonIn(card, verb);
      if (card === undefined || action_id === undefined) return;
      const click: Click = { number: one.planned.number, user: idOf("U", person), verb, at: now(), state: "pressed" };
      clicks.push(click);
      click.state = await press(card, action_id, click);
      note(`${click.user} presses ${verb} of message ${click.number}: ${click.state}`);
      if (click.state !== "warned" && click.state !== "no modal") return;
      await wait(pauseMs);
    }
  }

  return {
    /** Presses so far. */
    clicks,
    /** Returns whether a card has buttons. */
    isWaiting,
    insist,
    /** Presses all planned buttons of a card. Afterwards who can decide presses again until the card has no buttons. */
    decide: async (one: Asked): Promise<void> => {
      const { kind, number } = one.planned;
      const { presses, deciders } = askOf(number, kind === "left");
      const pressing = presses.map(async ({ person, verb, afterMs }) => {
        await wait(afterMs);
        await insist(one, person, verb);
      });
      await Promise.all(pressing);
      const able = presses.filter(({ person }) => deciders.includes(person));
      if (kind === "left") return;
      while (isWaiting(one) && !isOver()) {
        for (let ms = 0; ms < impatientMs && isWaiting(one) && !isOver(); ms += 250) await wait(250);
        await Promise.all(able.map(({ person, verb }) => insist(one, person, verb)));
      }
    },
  };
}

import type { Message } from "@crosszone/dev-slack";
import { buttonIn, type Click, type Typed, typedFlaws, wordsIn } from "./judge/asks.ts";
import type { Asked, invitePeople } from "./people.ts";
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
  /** Writes a reply in the thread of a question, and returns the messages of a thread. */
  readonly type: ReturnType<typeof invitePeople>["type"];
  readonly said: (one: Asked) => readonly Message[];
  readonly isOver: () => boolean;
}

/** After a warning sign, a person presses again, each time twice as late; and after an answer did not come. Milliseconds. */
const [againMs, latestAgainMs, impatientMs] = [1_000, 16_000, 10_000];

/** The people who press the buttons of cards. */
export function pressButtons({ now, wait, note, cardOf, press, type, said, isOver }: Hands) {
  const clicks: Click[] = [];
  const typed: Typed[] = [];
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

  /** Types all planned words below a card, and waits until they were answered: until the decision, that is known. */
  async function typeWords(one: Asked): Promise<void> {
    const own = askOf(one.planned.number, false).words.map((words): Typed => {
      const card = cardOf(one);
      const text = words.text.replace("WORDS", (card && wordsIn(card)) ?? "nothing");
      return { ...words, number: one.planned.number, message: type(one, words.person, text) };
    });
    typed.push(...own);
    while (typedFlaws(own, said(one)).length > 0 && !isOver()) await wait(250);
  }

  return {
    /** Presses so far, and what was typed below cards. */
    clicks,
    typed,
    /** Returns whether a card has buttons. */
    isWaiting,
    insist,
    /** Types all planned words below a card, and presses all planned buttons. Afterwards who can decide presses again until the card has no buttons. */
    decide: async (one: Asked): Promise<void> => {
      const { kind, number } = one.planned;
      const { presses, deciders } = askOf(number, kind === "left");
      if (kind === "calls") await typeWords(one);
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

import { setTimeout as wait } from "node:timers/promises";
import type { DevSlack, Message } from "@crosszone/dev-slack";
import { waitUntil } from "../kit/worker.ts";

/** The workflow that asks. Its cards have the buttons that `press` presses. */
export const askingWorkflow = {
  workflow_id: "approve",
  name: "Approve",
  version: "1.0.0",
  start_step: "approve",
  steps: {
    approve: {
      id: "approve",
      type: "human",
      title: "Approve",
      input: "approve",
      prompt: "Go on with ${workflow.input.text}?",
      decide: { people: ["U0BOB000001"] },
    },
  },
  output_mapping: { text: "It was approved." },
};

/** Cards that share a channel: Slack limits the messages of each. */
const cardsPerChannel = 10;

/** How many cards may be asked for and not be there yet. */
const mostAwaited = 10;

const approveButton = /input:approve:[\w-]+/;
const receipt = "Approved by <@";

interface Card extends Pick<Message, "channel" | "ts"> {
  readonly action_id: string;
}

/** What became of a press. */
export interface Click {
  /** From when it was due until the card was its receipt, milliseconds. */
  readonly ms: number;
  /** How often the app did not acknowledge it. */
  readonly warnings: number;
}

/** What people of a local Slack do with the cards of input requests. */
export function createCards({ control }: DevSlack, openChannel: (id: string) => void) {
  const waiting: Card[] = [];
  const pressed = new Map<string, (at: number) => void>();
  let asked = 0;
  let shown = 0;
  const keyOf = ({ channel, ts }: Pick<Message, "channel" | "ts">): string => `${channel} ${ts}`;
  control.subscribe((event) => {
    if (event.type !== "message" && event.type !== "message_changed") return;
    const { message } = event;
    const key = keyOf(message);
    if (pressed.has(key) && JSON.stringify(message.blocks).includes(receipt)) {
      pressed.get(key)?.(performance.now());
      pressed.delete(key);
    }
    if (event.type !== "message" || message.bot_id === undefined) return;
    const [action_id] = approveButton.exec(JSON.stringify(message.blocks ?? "")) ?? [];
    if (action_id === undefined) return;
    shown += 1;
    waiting.push({ channel: message.channel, ts: message.ts, action_id });
  });

  /** Presses until the app acknowledges it or the card is its receipt, as a person does who sees a warning sign. */
  async function press({ action_id, ...card }: Card, dueAt: number): Promise<Click> {
    const { promise, resolve } = Promise.withResolvers<number>();
    pressed.set(keyOf(card), resolve);
    const act = () => control.act({ user: "bob", ...card, action_id });
    let warnings = 0;
    while (pressed.has(keyOf(card)) && (await act()).warning !== undefined) warnings += 1;
    return { ms: (await promise) - dueAt, warnings };
  }

  return {
    /** Runs the workflow `count` times as Alice. Resolves when each run has its card. */
    ask: async (count: number): Promise<void> => {
      const arrived = (least: number) => waitUntil(`card ${least} was shown`, () => shown >= least || undefined);
      for (let n = 0; n < count; n++) {
        const channel = `C0CARD${String(Math.floor(asked / cardsPerChannel)).padStart(5, "0")}`;
        openChannel(channel);
        control.postMessage({ channel, user: "alice", text: `@Crosszone run approve: no. ${asked}` });
        asked += 1;
        await arrived(asked - mostAwaited);
      }
      await arrived(asked);
    },

    /** Bob approves all cards that wait, one every `everyMs` milliseconds. Resolves when each is its receipt. */
    press: async (everyMs: number): Promise<Click[]> => {
      const start = performance.now();
      const presses = waiting.splice(0).map(async (card, n) => {
        const dueAt = start + n * everyMs;
        await wait(Math.max(0, dueAt - performance.now()));
        return press(card, dueAt);
      });
      return Promise.all(presses);
    },
  };
}

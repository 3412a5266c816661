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
const receipt = "*Approved by ";

interface Card extends Pick<Message, "channel" | "ts"> {
  readonly action_id: string;
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
    const done = pressed.get(keyOf(message));
    if (done !== undefined && JSON.stringify(message.blocks).includes(receipt)) done(performance.now());
    if (event.type !== "message" || message.bot_id === undefined) return;
    const [action_id] = approveButton.exec(JSON.stringify(message.blocks ?? "")) ?? [];
    if (action_id === undefined) return;
    shown += 1;
    waiting.push({ channel: message.channel, ts: message.ts, action_id });
  });

  async function press(card: Card, dueAt: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const timer = setTimeout(() => reject(new Error("a card was not updated")), 30_000);
    pressed.set(keyOf(card), resolve);
    const { warning } = await control.act({ user: "bob", ...card });
    if (warning !== undefined) reject(new Error(`a press was not acknowledged: ${warning}`));
    try {
      return (await promise) - dueAt;
    } finally {
      clearTimeout(timer);
      pressed.delete(keyOf(card));
    }
  }

  return {
    /** Alice runs the workflow so many times. Resolves when each run has its card. */
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

    /**
     * Bob approves all cards that wait, one every `everyMs` milliseconds. Resolves with how long each took from when the press was due until
     * the card was its receipt, milliseconds.
     */
    press: async (everyMs: number): Promise<number[]> => {
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

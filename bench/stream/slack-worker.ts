import { setTimeout as delay } from "node:timers/promises";
import { shownText } from "@crosszone/dev-slack/client";
import { serveCommands } from "../kit/commands.ts";
import { startLocalSlack, unlimited } from "../zone/local-slack.ts";
import { questionOf, textOf, type StreamOrder } from "./streams.ts";

const { slack, commands, openChannel, repliesTo, isDone } = await startLocalSlack({
  // The zone itself keeps Slack's limits of streams. The other limits would only slow down concurrent answers.
  ackTimeoutMs: 30_000,
  rateLimits: { tier_3: unlimited, post_message: unlimited },
});

/** Questions that share a channel. */
const perChannel = 5;

interface Asked {
  readonly expected: string;
  readonly channel: string;
  readonly ts: string;
}

/** What became of the questions. */
export interface SlackOutcome {
  /** Answers that are complete. */
  readonly done: number;
  /** Of these, with the text of the source, byte for byte. */
  readonly right: number;
  /** The first answer that is wrong. */
  readonly wrong: string | undefined;
}

let asked: Asked[] = [];

/** The process of the local Slack. */
serveCommands({
  ...commands,

  /** A person writes a question for each stream, one after the other. */
  ask: async ({ orders, everyMs, agent }: { orders: readonly StreamOrder[]; everyMs: number; agent?: string }) => {
    const [before, label] = agent === undefined ? ["", ""] : [`ask ${agent}: `, `**${agent}**\n\n`];
    asked = [];
    for (const order of orders) {
      const channel = `C0STREAM${String(Math.floor(order.n / perChannel)).padStart(4, "0")}`;
      openChannel(channel);
      const { ts } = slack.control.postMessage({ channel, text: `@Crosszone ${before}${questionOf(order)}` });
      asked.push({ expected: label + textOf(order), channel, ts });
      await delay(everyMs);
    }
  },

  outcome: (): SlackOutcome => {
    const answers = asked.map((question) => {
      const [first, ...more] = repliesTo(question);
      const done = isDone(first);
      const text = first === undefined ? "" : shownText(first);
      return { done, right: done && more.length === 0 && text === question.expected, text };
    });
    return {
      done: answers.filter(({ done }) => done).length,
      right: answers.filter(({ right }) => right).length,
      wrong: answers.find(({ done, right }) => done && !right)?.text,
    };
  },
});

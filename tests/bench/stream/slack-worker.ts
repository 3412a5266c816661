import { startDevSlack } from "@crosszone/dev-slack";
import { setTimeout as delay } from "node:timers/promises";
import { serveCommands } from "../process/serve-commands.ts";
import { questionOf, textOf, type StreamOrder } from "./token-text.ts";

const lots = { burst: 100_000, per_minute: 6_000_000 };
const slack = await startDevSlack({
  // The zone keeps Slack's limits of streams by itself. The others would only slow down so many answers at once.
  ackTimeoutMs: 30_000,
  rateLimits: { tier_3: lots, post_message: lots },
});
const { app, channels, users, team } = slack.workspace;

/** So many questions share a channel. */
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
  /** The first answer that is not right. */
  readonly wrong: string | undefined;
}

let asked: Asked[] = [];

/** The process of the local Slack. */
serveCommands({
  about: () => ({
    apiUrl: slack.apiUrl,
    botToken: slack.botToken,
    signingSecret: slack.signingSecret,
    appId: app.app_id,
    teamId: team.id,
  }),
  connect: (eventsUrl: string): void => slack.setEventsUrl(eventsUrl),

  /** A person writes a question for each stream, one after the other. */
  ask: async ({ orders, everyMs, agent }: { orders: readonly StreamOrder[]; everyMs: number; agent?: string }) => {
    const [before, label] = agent === undefined ? ["", ""] : [`ask ${agent}: `, `**${agent}**\n\n`];
    asked = [];
    for (const order of orders) {
      const id = `C0STREAM${String(Math.floor(order.n / perChannel)).padStart(4, "0")}`;
      if (!channels.some((channel) => channel.id === id))
        channels.push({ id, name: id.toLowerCase(), kind: "channel", members: users.map((user) => user.id) });
      const { ts } = slack.control.postMessage({ channel: id, text: `@Crosszone ${before}${questionOf(order)}` });
      asked.push({ expected: label + textOf(order), channel: id, ts });
      await delay(everyMs);
    }
  },

  outcome: (): SlackOutcome => {
    const answers = asked.map(({ expected, channel, ts }) => {
      const replies = slack.control.messages({ channel, thread_ts: ts }).filter(({ bot_id }) => bot_id === app.bot_id);
      const [first] = replies;
      const done = first?.metadata?.event_payload["state"] === "done";
      const text = first?.markdown_text ?? first?.text ?? "";
      const right = done && replies.length === 1 && text === expected;
      return { done, right, text };
    });
    return {
      done: answers.filter(({ done }) => done).length,
      right: answers.filter(({ right }) => right).length,
      wrong: answers.find(({ done, right }) => done && !right)?.text,
    };
  },
});

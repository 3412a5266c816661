import { shownText } from "@crosszone/dev-slack/client";
import { serveCommands } from "../kit/commands.ts";
import { startLocalSlack, unlimited } from "../zone/local-slack.ts";
import { createCards } from "./cards.ts";
import { isRightAnswer, mentionsPerChannel, productOf, type Mention } from "./kinds.ts";

/** What became of a mention: the number of the bot's messages in its thread, and the time of the answer in Unix milliseconds. */
export interface MentionOutcome {
  readonly messages: number;
  readonly right: boolean;
  readonly answeredAt: number | undefined;
}

// Slack lets an app change 50 messages a minute; the load needs more. The rule of each channel stays.
const { slack, commands, openChannel, repliesTo, isDone } = await startLocalSlack({
  rateLimits: { tier_3: unlimited },
});
const people = slack.workspace.users.filter(({ name }) => ["alice", "bob", "chiyo"].includes(name));
const mentions: Mention[] = [];

/** The process of the local Slack. */
serveCommands({
  ...commands,
  ...createCards(slack, openChannel),

  /** People write some mentions, each with its own product. No event is sent before `connect`. */
  write: (count: number): Mention[] => {
    for (let n = 0; n < count; n++) {
      const channel = `C0LOAD${String(Math.floor(n / mentionsPerChannel)).padStart(5, "0")}`;
      openChannel(channel);
      const user = people[n % people.length]?.id ?? "";
      const { ts, text } = slack.control.postMessage({ channel, user, text: `@Crosszone ${productOf(n)}` });
      mentions.push({ channel, ts, user, text });
    }
    return mentions;
  },

  outcomes: (): MentionOutcome[] =>
    mentions.map((mention, n) => {
      const replies = repliesTo(mention);
      const [first] = replies;
      if (!isDone(first)) return { messages: replies.length, right: false, answeredAt: undefined };
      const answeredAt = Number(first.edited?.ts ?? first.ts) * 1_000;
      return { messages: replies.length, right: isRightAnswer(n, shownText(first)), answeredAt };
    }),
});

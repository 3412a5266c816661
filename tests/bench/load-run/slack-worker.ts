import { startDevSlack, type Message } from "@crosszone/dev-slack";
import { serveCommands } from "../process/serve-commands.ts";
import { mentionsPerChannel, type Mention, type MentionOutcome } from "./mentions.ts";
import { isRightAnswer, productOf } from "./product.ts";
import { ownUsage } from "./watch.ts";

const slack = await startDevSlack({
  // Slack would let an app change 50 messages a minute; the load asks for more. The rule of each channel stays.
  rateLimits: { tier_3: { burst: 100_000, per_minute: 6_000_000 } },
});
const { app, channels, users, team } = slack.workspace;
const mentions: Mention[] = [];

/** The process of the local Slack. */
serveCommands({
  about: () => ({
    apiUrl: slack.apiUrl,
    botToken: slack.botToken,
    signingSecret: slack.signingSecret,
    appId: app.app_id,
    teamId: team.id,
    botUser: app.bot_user_id,
  }),

  /** People write so many mentions, each asks for a product of its own. No event goes out before `connect`. */
  write: (count: number): Mention[] => {
    const people = users.filter(({ name }) => ["alice", "bob", "chiyo"].includes(name));
    for (let n = 0; n < count; n++) {
      const place = Math.floor(n / mentionsPerChannel);
      const id = `C0LOAD${String(place).padStart(5, "0")}`;
      if (n % mentionsPerChannel === 0)
        channels.push({ id, name: `load-${place}`, kind: "channel", members: users.map((user) => user.id) });
      const user = people[n % people.length]?.id ?? "";
      const { ts, text } = slack.control.postMessage({ channel: id, user, text: `@Crosszone ${productOf(n)}` });
      mentions.push({ channel: id, ts, user, text });
    }
    return mentions;
  },

  /** From now on the app gets the events of what it writes itself, as in Slack. */
  connect: (eventsUrl: string): void => slack.setEventsUrl(eventsUrl),

  outcomes: (): MentionOutcome[] => mentions.map((mention, n) => outcomeOf(n, repliesTo(mention))),

  usage: ownUsage,
});

function repliesTo({ channel, ts }: Mention): Message[] {
  return slack.control.messages({ channel, thread_ts: ts }).filter(({ bot_id }) => bot_id === app.bot_id);
}

function outcomeOf(n: number, replies: Message[]): MentionOutcome {
  const [first] = replies;
  const isDone = first?.metadata?.event_payload["state"] === "done";
  return {
    messages: replies.length,
    right: isDone && isRightAnswer(n, first.text),
    answeredAt: isDone ? Number(first.edited?.ts ?? first.ts) * 1_000 : undefined,
  };
}

import { startDevSlack, type DevSlackOptions, type Message } from "@crosszone/dev-slack";
import { slackEnv } from "@crosszone/dev-slack/client";
import { ownUsage } from "../kit/usage.ts";

/** More calls than a benchmark makes. */
export const unlimited = { burst: 100_000, per_minute: 6_000_000 };

/** What the parent of a local Slack knows of it. */
export interface SlackAbout {
  readonly env: Readonly<Record<string, string>>;
  readonly signingSecret: string;
  readonly appId: string;
  readonly teamId: string;
}

/** The local Slack of a worker: what its commands have in common. */
export async function startLocalSlack(options: DevSlackOptions) {
  const slack = await startDevSlack(options);
  const { app, channels, users, team } = slack.workspace;
  return {
    slack,
    /** Creates a channel with all people, unless it exists. */
    openChannel: (id: string): void => {
      if (channels.some((channel) => channel.id === id)) return;
      channels.push({ id, name: id.toLowerCase(), kind: "channel", members: users.map((user) => user.id) });
    },
    /** The bot's messages in the thread of a message. */
    repliesTo: ({ channel, ts }: Pick<Message, "channel" | "ts">): Message[] =>
      slack.control.messages({ channel, thread_ts: ts }).filter(({ bot_id }) => bot_id === app.bot_id),
    isDone: (message: Message | undefined): message is Message => message?.metadata?.event_payload["state"] === "done",
    commands: {
      about: (): SlackAbout => ({
        env: slackEnv(slack),
        signingSecret: slack.signingSecret,
        appId: app.app_id,
        teamId: team.id,
      }),
      /** From now on the app receives events. */
      connect: (eventsUrl: string): void => slack.setEventsUrl(eventsUrl),
      usage: ownUsage,
    },
  };
}

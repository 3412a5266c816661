import { createLocalSlack, type LocalSlack } from "@crosszone/dev-slack";
import { createDeliveries, type Deliveries, type DeliveryOptions } from "./slack-deliveries.ts";
import { createSlackNetwork, type NetworkOptions, type SlackNetwork } from "./slack-network.ts";

const slackUrl = "http://127.0.0.1:1";

const secrets = {
  signingSecret: "signing-secret-of-the-simulation",
  botToken: "xoxb-0-0-0123456789abcdef0123456789abcdef",
  appToken: "xapp-1-A0CROSSZONE-0-0123456789abcdef0123456789abcdef",
};

/** Slack, and the network between it and verification. */
export interface SimulatedSlack extends LocalSlack, SlackNetwork, Omit<Deliveries, "deliver"> {
  /** The variables that connect verification to it. */
  readonly env: Readonly<Record<string, string>>;
}

export function simulateSlack(options: DeliveryOptions & NetworkOptions): SimulatedSlack {
  const slack = createLocalSlack({
    secrets,
    url: slackUrl,
    deliver: (envelope) => deliver(envelope),
    rateLimits: { tier_3: { burst: 1_000, per_minute: 10_000 }, tier_4: { burst: 1_000, per_minute: 10_000 } },
  });
  const { deliver, ...deliveries } = createDeliveries(slack, options);
  return {
    ...slack,
    ...deliveries,
    ...createSlackNetwork(slack, options),
    env: {
      SLACK_BOT_TOKEN: secrets.botToken,
      SLACK_SIGNING_SECRET: secrets.signingSecret,
      SLACK_APP_ID: slack.workspace.app.app_id,
      SLACK_API_URL: `${slackUrl}/api/`,
    },
  };
}

import { createHmac } from "node:crypto";
import type { SlackAbout } from "../zone/local-slack.ts";
import { mentionsPerMille, statusIs, type Kind, type LoadRequest, type Mention } from "./kinds.ts";

/** What a sender of Slack's events knows. */
export interface SlackSide extends SlackAbout {
  readonly mentions: readonly Mention[];
}

/** What the verification zone receives: 500 of 1,000 requests. Names of channels and people are the local Slack's. */
export function slackKinds(slack: SlackSide): Kind[] {
  const { asMention, asMessage, asChatter } = createEvents(slack);
  const sent = (body: string, { secret = slack.signingSecret, status = 200, headers = {} } = {}): LoadRequest => ({
    method: "POST",
    path: "/slack/events",
    headers: { "content-type": "application/json", ...signature(secret, body), ...headers },
    body,
    judge: statusIs(status),
  });
  const again = { headers: { "x-slack-retry-num": "1" } };
  const forged = { secret: "not-the-secret", status: 401 };
  const health: LoadRequest = { method: "GET", path: "/healthz", headers: {}, judge: statusIs(200) };
  const asks = { zone: "verification", asks: true, perMille: mentionsPerMille } as const;
  const other = { zone: "verification", deserves: "200" } as const;
  return [
    { ...asks, name: "mention", deserves: "200, one answer", make: (n) => sent(asMention(n)) },
    { ...asks, name: "its twin, the `message` event", deserves: "200", make: (n) => sent(asMessage(n)) },
    { ...asks, name: "the mention once more", deserves: "200", make: (n) => sent(asMention(n), again) },
    { ...other, name: "a message to nobody", perMille: 200, make: (n) => sent(asChatter(n)) },
    {
      ...other,
      name: "signed with another secret",
      perMille: 100,
      deserves: "401",
      make: (n) => sent(asMention(n), forged),
    },
    { ...other, name: "GET /healthz", perMille: 80, make: () => health },
  ];
}

/** The bodies of events about the n-th mention. */
function createEvents(slack: SlackSide) {
  const event = (n: number, members: object, event_id: string): string => {
    const mention = slack.mentions[n % slack.mentions.length] as Mention;
    return JSON.stringify({
      type: "event_callback",
      team_id: slack.teamId,
      api_app_id: slack.appId,
      event_id,
      event_time: Math.floor(Date.now() / 1_000),
      event: { ...mention, event_ts: mention.ts, ...members },
    });
  };
  return {
    asMention: (n: number): string => event(n, { type: "app_mention" }, `EvM${n}`),
    asMessage: (n: number): string => event(n, { type: "message", channel_type: "channel" }, `EvT${n}`),
    asChatter: (n: number): string => event(n, { type: "message", text: "nobody is asked here" }, `EvC${n}`),
  };
}

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
function signature(secret: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const digest = createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex");
  return { "x-slack-request-timestamp": timestamp, "x-slack-signature": `v0=${digest}` };
}

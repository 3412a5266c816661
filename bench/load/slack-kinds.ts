import { createHmac } from "node:crypto";
import type { SlackAbout } from "../zone/local-slack.ts";
import { mentionsPerMille, statusIs, type Kind, type LoadRequest, type Mention } from "./kinds.ts";

/** What a sender of Slack's events knows. */
export interface SlackSide extends SlackAbout {
  readonly mentions: readonly Mention[];
}

const eventsPath = "/slack/events";

/** What the verification zone receives: 500 of 1,000 requests. Names of channels and people are the local Slack's. */
export function slackKinds(slack: SlackSide): Kind[] {
  const { asMention, asMessage, asChatter } = createEvents(slack);
  const sent = (body: string, { secret = slack.signingSecret, retry = 0 } = {}): LoadRequest =>
    post(body, { ...signature(secret, body), ...(retry > 0 && { "x-slack-retry-num": String(retry) }) });
  const refused = (request: LoadRequest, status: number): LoadRequest => ({ ...request, judge: statusIs(status) });

  const asking: readonly (readonly [name: string, deserves: string, make: Kind["make"]])[] = [
    ["mention", "200, one answer", (n) => sent(asMention(n))],
    ["its twin, the `message` event", "200", (n) => sent(asMessage(n))],
    ["the mention once more", "200", (n) => sent(asMention(n), { retry: 1 })],
  ];
  const others: readonly (readonly [name: string, perMille: number, status: number, make: Kind["make"]])[] = [
    ["a message to nobody", 200, 200, (n) => sent(asChatter(n))],
    ["signed with another secret", 100, 401, (n) => sent(asMention(n), { secret: "not-the-secret" })],
    ["GET /healthz", 80, 200, () => ({ method: "GET", path: "/healthz", headers: {}, judge: statusIs(200) })],
  ];
  const zone = "verification";
  return [
    ...asking.map(([name, deserves, make]): Kind => ({
      name,
      zone,
      deserves,
      make,
      asks: true,
      perMille: mentionsPerMille,
    })),
    ...others.map(([name, perMille, status, make]): Kind => ({
      name,
      zone,
      perMille,
      deserves: String(status),
      make: (n) => refused(make(n), status),
    })),
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

function post(body: string, headers: Record<string, string>): LoadRequest {
  const json = { "content-type": "application/json", ...headers };
  return { method: "POST", path: eventsPath, headers: json, body, judge: statusIs(200) };
}

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
function signature(secret: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const digest = createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex");
  return { "x-slack-request-timestamp": timestamp, "x-slack-signature": `v0=${digest}` };
}

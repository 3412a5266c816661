import { createHmac } from "node:crypto";
import { statusIs, type Kind, type LoadRequest } from "./load-request.ts";
import { mentionsPerMille, type Mention } from "./mentions.ts";

/** What a sender of Slack's events knows. */
export interface SlackSide {
  signingSecret: string;
  appId: string;
  teamId: string;
  botUser: string;
  mentions: readonly Mention[];
}

const ask = { asks: true, perMille: mentionsPerMille } as const;
const eventsPath = "/slack/events";
const tooLarge = "x".repeat(1_200_000);

/** What the verification zone is sent: 500 of 1,000 requests. Names of channels and people are the local Slack's. */
export function slackKinds(slack: SlackSide): Kind[] {
  const mention = (n: number): Mention => slack.mentions[n % slack.mentions.length] as Mention;
  const event = (n: number, members: object, eventId: string): string =>
    JSON.stringify({
      type: "event_callback",
      team_id: slack.teamId,
      api_app_id: slack.appId,
      event_id: eventId,
      event_time: Math.floor(Date.now() / 1_000),
      event: { ...mention(n), event_ts: mention(n).ts, ...members },
    });
  const asMention = (n: number): string => event(n, { type: "app_mention" }, `EvM${n}`);
  const asMessage = (n: number): string => event(n, { type: "message", channel_type: "channel" }, `EvT${n}`);
  const chatter = (n: number): string => event(n, { type: "message", text: "nobody is asked here" }, `EvC${n}`);
  const sent = (body: string, { secret = slack.signingSecret, skew = 0, retry = 0 } = {}): LoadRequest =>
    post(body, { ...signature(secret, body, skew), ...(retry > 0 && { "x-slack-retry-num": String(retry) }) });
  const refused = (request: LoadRequest, status: number): LoadRequest => ({ ...request, judge: statusIs(status) });

  const kinds: Omit<Kind, "zone">[] = [
    { ...ask, name: "mention", deserves: "200, one answer", make: (n) => sent(asMention(n)) },
    { ...ask, name: "its twin, the `message` event", deserves: "200", make: (n) => sent(asMessage(n)) },
    { ...ask, name: "the mention once more", deserves: "200", make: (n) => sent(asMention(n), { retry: 1 }) },
    { name: "a message to nobody", perMille: 100, deserves: "200", make: (n) => sent(chatter(n)) },
    {
      name: "signed with another secret",
      perMille: 60,
      deserves: "401",
      make: (n) => refused(sent(asMention(n), { secret: "not-the-secret" }), 401),
    },
    {
      name: "signed ten minutes ago",
      perMille: 25,
      deserves: "401",
      make: (n) => refused(sent(asMention(n), { skew: -600 }), 401),
    },
    {
      name: "signed ten minutes ahead",
      perMille: 25,
      deserves: "401",
      make: (n) => refused(sent(asMention(n), { skew: 600 }), 401),
    },
    { name: "not signed", perMille: 25, deserves: "401", make: (n) => refused(post(asMention(n), {}), 401) },
    {
      name: "signed, but not JSON",
      perMille: 25,
      deserves: "400",
      make: (n) => refused(sent(asMention(n).slice(0, -5)), 400),
    },
    {
      name: "for another app",
      perMille: 15,
      deserves: "403",
      make: (n) => refused(sent(asMention(n).replace(slack.appId, "A0SOMEOTHER")), 403),
    },
    {
      name: "1.2 MB",
      perMille: 15,
      deserves: "413",
      make: () => refused(post(tooLarge, signature(slack.signingSecret, "", 0)), 413),
    },
    { name: "GET of a wrong path", perMille: 40, deserves: "404", make: (n) => get(`/wp-login-${n}.php`, 404) },
    { name: "GET of the events URL", perMille: 20, deserves: "405", make: () => get(eventsPath, 405) },
    { name: "GET /healthz", perMille: 30, deserves: "200", make: () => get("/healthz", 200) },
  ];
  return kinds.map((kind) => ({ zone: "verification", ...kind }));
}

function post(body: string, headers: Record<string, string>): LoadRequest {
  return {
    method: "POST",
    path: eventsPath,
    headers: { "content-type": "application/json", ...headers },
    body,
    judge: statusIs(200),
  };
}

function get(path: string, status: number): LoadRequest {
  return { method: "GET", path, headers: {}, judge: statusIs(status) };
}

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
function signature(secret: string, body: string, skew: number): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000) + skew);
  const digest = createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex");
  return { "x-slack-request-timestamp": timestamp, "x-slack-signature": `v0=${digest}` };
}

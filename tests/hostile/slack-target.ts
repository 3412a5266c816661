import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { startDevSlack, type DevSlack } from "@crosszone/dev-slack";
import { serve } from "@crosszone/testkit/temporary";
import { tune } from "@crosszone/testkit/tune";
import { onTestFinished } from "vitest";
import { startExecution } from "../harness/start-execution.ts";
import { startWatched, type WatchedProcess } from "./zones.ts";

export type SlackTarget = Awaited<ReturnType<typeof startSlackTarget>>;

const unlimited = { burst: 1e9, per_minute: 1e9 };
const token = "a-link-token-of-thirty-two-letters";

/** Starts verification between a local Slack and an execution zone. Ends with the test. */
export async function startSlackTarget() {
  const run = async (): Promise<{ response_text: string }> => ({ response_text: "heard" });
  const agents = [{ name: "ear", description: "", skills: [], run }];
  const execution = await startExecution({ token, log: [], agents });
  const slack = await startDevSlack({
    upstream: execution.url,
    rateLimits: { tier_1: unlimited, tier_2: unlimited, tier_3: unlimited, tier_4: unlimited, post_message: unlimited },
  });
  onTestFinished(async () => {
    await execution.stop();
    await slack.close();
  });
  /** Bodies of events that the local Slack really sends. */
  const envelopes = await recordEnvelopes(slack);
  const zone = await startZone(slack);
  /** Channels and threads that execution was asked about so far. */
  const called = new Set<string>();
  slack.control.subscribe((event) => {
    if (event.type !== "traffic" || event.entry.name !== "execute_task") return;
    const { channel, thread_ts } = (event.entry.request as { params: Record<string, string> }).params;
    called.add(`${channel} ${thread_ts}`);
  });
  /** Returns whether verification has finished all its work. */
  const hasFinished = () => isQuiet(zone);
  return { slack, zone, envelopes, called, isQuiet: hasFinished };
}

async function startZone(slack: DevSlack): Promise<WatchedProcess> {
  const zone = await startWatched("verification", {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_APP_TOKEN: "",
    SLACK_APP_ID: slack.workspace.app.app_id,
    SLACK_API_URL: slack.apiUrl,
    EXECUTION_URL: `${slack.tapUrl}/rpc`,
    EXECUTION_TOKEN: token,
    // No retry delivers an answer to a place that does not exist.
    ...tune({
      DELIVERY_BUDGET_MS: 500,
      INBOX_ATTEMPTS: 2,
      EXECUTION_RETRY_BUDGET_MS: 500,
      // Without limits, each event that passes was accepted as real.
      THREAD_MESSAGES_PER_HOUR: 1_000_000,
      MAX_WAITING_PER_THREAD: 10_000,
    }),
    MESSAGES_PER_MINUTE: "1000000",
  });
  while (!(await fetch(`${zone.url}/readyz`)).ok) await delay(100);
  return zone;
}

async function isQuiet({ url }: WatchedProcess): Promise<boolean> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return /^questions_in_work 0$/m.test(metrics) && /^inbox_questions\{state="waiting"\} 0$/m.test(metrics);
}

/** Lets people use the local Slack, and returns the bodies of the events that it sends. The app does not get them. */
async function recordEnvelopes(slack: DevSlack): Promise<Record<string, unknown>[]> {
  const bodies: string[] = [];
  const keep = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    bodies.push(await text(request));
    response.end();
  };
  slack.setEventsUrl(await serve((request, response) => void keep(request, response)));
  act(slack);
  await slack.control.idle();
  slack.setEventsUrl(undefined);
  return bodies.map((body) => JSON.parse(body) as Record<string, unknown>);
}

function act({ control }: DevSlack): void {
  const file = { name: "table.csv", mimetype: "text/csv", content: "a,b\n1,2\n" };
  const direct = control.postMessage({ channel: "dm", text: "what is 2+2?" });
  control.postMessage({ channel: "dm", text: "and doubled?", thread_ts: direct.ts });
  control.postMessage({ channel: "dm", text: "", files: [file] });
  control.postMessage({ channel: "dm", text: "stop" });
  const mention = control.postMessage({
    channel: "general",
    text: "@Crosszone what is 3*3? <https://example.com|a link> & more",
  });
  control.postMessage({ channel: "general", text: "@Crosszone and this?", thread_ts: mention.ts, files: [file] });
  control.postMessage({ channel: "general", text: "nobody is asked" });
  control.editMessage({
    channel: mention.channel,
    ts: mention.ts,
    user: mention.user,
    text: "@Crosszone what is 4*4?",
  });
  control.stop({ channel: direct.channel, thread_ts: direct.ts, user: direct.user });
  control.deleteMessage({ channel: direct.channel, ts: direct.ts, user: direct.user });
}

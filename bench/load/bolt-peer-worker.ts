import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import bolt from "@slack/bolt";
import { serveCommands } from "../kit/commands.ts";
import { ownUsage } from "../kit/usage.ts";

export interface PeerPlan {
  /** The variables that connect verification to Slack. */
  readonly slackEnv: Readonly<Record<string, string>>;
  /** The execution zone and its bearer token. */
  readonly execution: string;
  readonly token: string;
}

/** A Bolt app as Bolt's documentation shows it: it keeps nothing but the events that it has seen, retries nothing and asks for no permission. */
async function listen({ slackEnv, execution, token }: PeerPlan): Promise<string> {
  const { SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET = "", SLACK_API_URL } = slackEnv;
  const receiver = new bolt.HTTPReceiver({ signingSecret: SLACK_SIGNING_SECRET, endpoints: "/slack/events" });
  const clientOptions = { slackApiUrl: SLACK_API_URL };
  const app = new bolt.App({ token: SLACK_BOT_TOKEN, receiver, clientOptions, logLevel: bolt.LogLevel.ERROR });
  const seen = new Set<string>();

  async function execute(channel: string, thread_ts: string, text: string): Promise<string> {
    const params = { channel, thread_ts, text, bot_token: "handle-of-the-peer" };
    const answer = await fetch(`${execution}/rpc`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: "2.0", method: "execute_task", params, id: randomUUID() }),
    });
    const { result } = (await answer.json()) as { result?: { response_text?: string } };
    return result?.response_text ?? "no answer";
  }

  app.event("app_mention", async ({ event: { channel, ts, thread_ts = ts, text }, body, client }) => {
    if (seen.has(body.event_id)) return;
    seen.add(body.event_id);
    const answer = await execute(channel, thread_ts, text.replace(/<@\w+>/, "").trim());
    // The local Slack counts a message with this mark as an answer.
    const metadata = { event_type: "crosszone_task", event_payload: { state: "done" } };
    await client.chat.postMessage({ channel, thread_ts, text: answer, metadata });
  });
  const { port } = ((await app.start(0)) as Server).address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

serveCommands({ listen, usage: ownUsage });

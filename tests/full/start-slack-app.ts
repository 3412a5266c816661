import { text } from "node:stream/consumers";
import { startDevSlack, type DevSlackOptions } from "@crosszone/dev-slack";
import { serve } from "@crosszone/testkit/temporary";
import { WebClient } from "@slack/web-api";
import { onTestFinished } from "vitest";

type Json = Record<string, unknown>;

/** A payload that Slack sends when a person uses a message or a modal. */
export interface Interaction extends Json {
  readonly type: string;
  readonly user: { readonly id: string };
  readonly trigger_id: string;
  readonly container?: { readonly channel_id: string; readonly message_ts: string };
  readonly actions?: readonly Json[];
  readonly view?: { readonly state: { readonly values: Json } };
}

/** An app: does what a person asked for, and resolves with its acknowledgment's body, or with `"silence"`. */
export type SlackApp = (interaction: Interaction, client: WebClient) => Promise<unknown>;

/** Starts a local Slack and a small app for the test. `got` has every interaction. */
export async function startSlackApp(app: SlackApp, options: DevSlackOptions = {}) {
  const slack = await startDevSlack(options);
  onTestFinished(() => slack.close());
  const client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl });
  const got: Interaction[] = [];
  const url = await serve((request, response) => {
    const answer = async (): Promise<void> => {
      const payload = new URLSearchParams(await text(request)).get("payload");
      if (payload === null) return void response.end();
      const interaction = JSON.parse(payload) as Interaction;
      got.push(interaction);
      const said = await app(interaction, client);
      if (said === "silence") return;
      response.setHeader("content-type", "application/json");
      response.end(said === undefined ? "" : JSON.stringify(said));
    };
    void answer();
  });
  slack.setEventsUrl(`${url}/slack/events`);
  return { slack, client, got };
}

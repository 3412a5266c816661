import type { Act } from "../protocol/interactivity.ts";
import type { DevSlackOptions } from "../server/dev-slack.ts";
import { devSlackForTest, postAsApp, type ReceivedRequest, recordingApp } from "./dev-slack-for-test.ts";

export type Json = Record<string, unknown>;

export const text = (words: string): Json => ({ type: "plain_text", text: words });
export const approve: Json = {
  type: "button",
  action_id: "approve",
  text: text("Approve"),
  value: "42",
  style: "primary",
};
export const actions = (...elements: Json[]): Json => ({ type: "actions", block_id: "decide", elements });

/** Options of a local Slack, and what its app answers. */
export type PostedOptions = DevSlackOptions & { answer?: Parameters<typeof recordingApp>[0] };

/** Posts blocks as the app in `general`, and lets people use them. */
export async function postedForTest(blocks: Json[], { answer, ...options }: PostedOptions = {}) {
  const dev = await devSlackForTest(options);
  const { url, requests } = await recordingApp(answer);
  const channel = "C0GENERAL01";
  const ts = await postAsApp(dev, channel, { text: "Deploy?", blocks });
  await dev.control.idle();
  dev.setEventsUrl(`${url}/slack/events`);
  const place = { channel, ts };
  return {
    dev,
    requests,
    place,
    /** Uses an element, as Alice by default. */
    act: (rest: Partial<Act> & { action_id: string }) => dev.control.act({ ...place, user: "alice", ...rest }),
    /** Returns the last interaction that the app got. */
    last: () => interactionOf(requests.at(-1)),
  };
}

/** Returns the interaction in a request. */
export const interactionOf = (request: ReceivedRequest | undefined): Json =>
  JSON.parse(new URLSearchParams(request?.body).get("payload") ?? "{}") as Json;

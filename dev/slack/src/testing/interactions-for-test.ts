import type { Act, Interaction } from "../protocol/interactivity.ts";
import type { DevSlack, DevSlackOptions } from "../server/dev-slack.ts";
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

/** A message of the app in `general`, and what happens with it. */
export interface PostedBlocks {
  dev: DevSlack;
  requests: ReceivedRequest[];
  place: { channel: string; ts: string };
  /** Uses an element, as Alice by default. */
  act: (act: Partial<Act> & { action_id: string }) => Promise<Interaction>;
  /** Returns the last interaction that the app got. */
  last: () => Json;
}

/** Posts blocks as the app, and lets people use them. */
export async function postedForTest(blocks: Json[], { answer, ...options }: PostedOptions = {}): Promise<PostedBlocks> {
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
    act: (rest) => dev.control.act({ ...place, user: "alice", ...rest }),
    last: () => interactionOf(requests.at(-1)),
  };
}

/** Returns the interaction in a request. */
export const interactionOf = (request: ReceivedRequest | undefined): Json =>
  JSON.parse(new URLSearchParams(request?.body).get("payload") ?? "{}") as Json;

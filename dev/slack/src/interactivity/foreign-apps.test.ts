import type { App, BlockAction, ButtonAction } from "@slack/bolt";
import { Actions, Button, Card, Fields, Field, Modal, RadioSelect, SelectOption, CardText, TextInput } from "chat";
import { expect, test } from "vitest";
import type { Message, OpenView } from "../protocol/workspace.ts";
import type { DevSlack } from "../server/dev-slack.ts";
import { chatSdkBotForTest } from "../testing/chat-sdk-for-test.ts";
import { boltAppForTest, devSlackForTest, socketModeAppForTest } from "../testing/dev-slack-for-test.ts";

const plain = (text: string) => ({ type: "plain_text" as const, text });

/** Asks "Deploy?" in a message; its button opens a modal, whose submission is written into the message. */
function approveWithBolt(app: App): void {
  const owners = { type: "static_select" as const, action_id: "owner", options: [{ text: plain("Bob"), value: "o1" }] };
  app.message("deploy", async ({ say }) => {
    const button = { type: "button" as const, action_id: "decide", text: plain("Decide"), value: "v1" };
    await say({ text: "Deploy?", blocks: [{ type: "actions", block_id: "ask", elements: [button, owners] }] });
  });
  app.action<BlockAction<ButtonAction>>("decide", async ({ ack, body, client, action }) => {
    await ack();
    const place = { channel: body.channel?.id, ts: body.message?.ts, value: action.value };
    await client.views.open({
      trigger_id: body.trigger_id,
      view: {
        type: "modal",
        callback_id: "decision",
        private_metadata: JSON.stringify(place),
        notify_on_close: true,
        title: plain("Decide"),
        submit: plain("Send"),
        blocks: [
          {
            type: "input",
            block_id: "why",
            label: plain("Why?"),
            element: { type: "plain_text_input", action_id: "text" },
          },
        ],
      },
    });
  });
  app.action("owner", async ({ ack, respond }) => {
    await ack();
    await respond({ text: "Owner noted", response_type: "ephemeral" });
  });
  app.view("decision", async ({ ack, view, client, body }) => {
    const why = view.state.values["why"]?.["text"]?.value ?? "";
    if (why === "no") return ack({ response_action: "errors", errors: { why: "Say more." } });
    await ack();
    const { channel, ts, value } = JSON.parse(view.private_metadata) as { channel: string; ts: string; value: string };
    await client.chat.update({ channel, ts, text: `${value} approved by <@${body.user.id}>: ${why}`, blocks: [] });
  });
  app.view({ callback_id: "decision", type: "view_closed" }, async ({ ack, body, client }) => {
    await ack();
    await client.chat.postMessage({ channel: body.user.id, text: "Not decided." });
  });
}

/** Waits until a person has a modal open. */
async function opened(dev: DevSlack, user: string): Promise<OpenView> {
  const top = (): OpenView | undefined => dev.control.views(user).at(-1);
  await expect.poll(top).toBeDefined();
  return top() as OpenView;
}

const saying = (dev: DevSlack, words: string): Promise<Message> =>
  dev.control.waitForMessage(({ text }) => text.includes(words));

function failures(dev: DevSlack): string[] {
  const isGood = (verdict: string): boolean => ["ok", "accepted", "acknowledged"].includes(verdict);
  return dev.control.traffic().flatMap(({ name, verdict }) => (isGood(verdict) ? [] : [`${name}: ${verdict}`]));
}

test.each([
  ["over HTTP", boltAppForTest],
  ["in Socket Mode", async (dev: DevSlack) => (await socketModeAppForTest(dev)).app],
])("a Bolt app takes a button and a choice, and validates a modal, %s", async (_how, start) => {
  const dev = await devSlackForTest();
  approveWithBolt(await start(dev));
  dev.control.postMessage({ channel: "dm", text: "deploy" });
  const { channel, ts } = await saying(dev, "Deploy?");
  const place = { channel, ts, user: "alice" };
  await dev.control.act({ ...place, action_id: "owner", value: "o1" });
  expect(await saying(dev, "Owner noted")).toMatchObject({ ephemeral_for: "U0ALICE0001" });

  await dev.control.act({ ...place, action_id: "decide" });
  const closed = await opened(dev, "alice");
  await dev.control.closeView({ user: "alice", view_id: closed.id });
  await saying(dev, "Not decided.");

  await dev.control.act({ ...place, action_id: "decide" });
  const { id: view_id } = await opened(dev, "alice");
  const type = (value: string) => dev.control.act({ user: "alice", view_id, action_id: "text", value });
  await type("no");
  expect(await dev.control.submitView({ user: "alice", view_id })).toMatchObject({ errors: { why: "Say more." } });
  await type("tested");
  await dev.control.submitView({ user: "alice", view_id });
  expect(await saying(dev, "approved")).toMatchObject({ ts, text: "v1 approved by <@U0ALICE0001>: tested" });
  expect(dev.control.views("alice")).toEqual([]);
  await dev.control.idle();
  expect([failures(dev), dev.control.warnings()]).toEqual([[], []]);
});

test("a bot of the Chat SDK posts a card, takes Approve, and asks for a reason in a modal", async () => {
  const dev = await devSlackForTest();
  const bot = await chatSdkBotForTest(dev);
  const decided: string[] = [];
  bot.onNewMention(async (thread) => {
    const details = Fields([Field({ label: "Version", value: "v1.2.3" })]);
    const buttons = Actions([
      Button({ id: "approve", label: "Approve", style: "primary", value: "v1.2.3" }),
      Button({ id: "deny", label: "Deny", style: "danger" }),
    ]);
    await thread.post(Card({ title: "Deploy?", children: [CardText("To production."), details, buttons] }));
  });
  bot.onAction("approve", async (event) => {
    decided.push(`${event.user.userId} ${event.value}`);
    await event.thread?.post("Approved.");
  });
  bot.onAction("deny", async (event) => {
    const risk = RadioSelect({ id: "risk", label: "Risk", options: [SelectOption({ label: "High", value: "high" })] });
    const children = [TextInput({ id: "why", label: "Why?" }), risk];
    await event.openModal(Modal({ callbackId: "denial", title: "Deny", submitLabel: "Send", children }));
  });
  bot.onModalSubmit("denial", async (event) => {
    if (event.values["why"] === "no") return { action: "errors", errors: { why: "Say more." } };
    decided.push(`${event.user.userId} ${event.values["why"]} ${event.values["risk"]}`);
    return undefined;
  });

  dev.control.postMessage({ channel: "general", text: "@Crosszone deploy" });
  const card = await dev.control.waitForMessage(({ blocks }) => JSON.stringify(blocks ?? []).includes("approve"));
  const place = { channel: card.channel, ts: card.ts };
  await dev.control.act({ ...place, user: "bob", action_id: "approve" });
  expect(await saying(dev, "Approved.")).toMatchObject({ thread_ts: card.thread_ts });
  expect(decided).toEqual(["U0BOB000001 v1.2.3"]);

  await dev.control.act({ ...place, user: "alice", action_id: "deny" });
  const { id: view_id } = await opened(dev, "alice");
  const fill = (action_id: string, value: string) => dev.control.act({ user: "alice", view_id, action_id, value });
  await fill("why", "no");
  await fill("risk", "high");
  expect(await dev.control.submitView({ user: "alice", view_id })).toMatchObject({ errors: { why: "Say more." } });
  await fill("why", "untested");
  expect(await dev.control.submitView({ user: "alice", view_id })).not.toHaveProperty("warning");
  expect(decided).toEqual(["U0BOB000001 v1.2.3", "U0ALICE0001 untested high"]);
  await dev.control.idle();
  expect([failures(dev), dev.control.warnings()]).toEqual([[], []]);
});

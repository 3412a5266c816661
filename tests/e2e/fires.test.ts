// suite: both
import type { Message } from "@crosszone/dev-slack";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { databaseEnv } from "@crosszone/testkit/process";
import { expect, test } from "vitest";
import { actionIds, fillSchedule, pressSchedule } from "../harness/slack-schedules.ts";
import { withPolicy } from "../harness/temp-file.ts";
import { agentThat } from "../harness/start-called-zone.ts";
import { type Crosszone, startCrosszone } from "../harness/start-crosszone.ts";

const general = "C0GENERAL01";
const alice = "U0ALICE0001";
const bob = "U0BOB000001";

const helper = agentThat("helper", async ({ text, user_id, others = [] }) => {
  const given = others.map(({ author, text: said }) => `${author}: ${said}`).join("; ");
  return { response_text: `${user_id} said "${text}" of "${given}"` };
});

const shown = ({ slack }: Crosszone, text: string): Promise<Message> =>
  slack.control.waitForMessage(
    (one) => JSON.stringify([one.text, one.markdown_text, one.blocks]).includes(text),
    20_000,
  );

onBothEngines("work that starts itself", (newDatabase) => {
  const start = async (policy: object = {}) => {
    const verificationEnv = {
      ...databaseEnv(await newDatabase()),
      OPERATOR_CHANNEL: general,
      ...withPolicy(policy),
    };
    return startCrosszone({ agents: [helper], database: await newDatabase(), verificationEnv });
  };

  test("W18, Q29: a person makes a schedule in Slack, which asks in their name, and its answer is the message in the channel", async () => {
    const zones = await start();
    const { control } = zones.slack;
    const { view_id, fields } = await fillSchedule(zones.slack, { user: "alice", channel: "general", cron: "0 9 * *" });
    expect(await control.submitView({ view_id, user: "alice" })).toMatchObject({
      errors: { cron: expect.any(String) },
    });
    await fields({ cron: "0 9 * * *" });
    expect(await control.submitView({ view_id, user: "alice" })).not.toHaveProperty("errors");
    const saved = await shown(zones, "Saved *Daily report*");
    expect(saved.ephemeral_for).toBe(alice);
    expect(saved.text.match(/<!date/g)).toHaveLength(3);

    await pressSchedule(zones.slack, { user: "alice", change: "Run now" });
    const root = await shown(zones, `${alice} said \\"agents\\"`);
    expect([root.channel, root.thread_ts]).toEqual([general, undefined]);
    expect(JSON.stringify(root.blocks)).toContain("*Daily report* · schedule of <@U0ALICE0001>");
    // It follows its owner there, as it follows who asked.
    control.postMessage({ user: "alice", channel: "general", thread_ts: root.ts, text: "and now?" });
    await shown(zones, `${alice} said \\"and now?\\"`);
    const { ts } = await pressSchedule(zones.slack, { user: "alice", change: "Remove" });
    await shown(zones, "Removed.");
    await control.runCommand({ user: "alice", channel: "general", text: "/agents schedules" });
    expect((await shown(zones, "You have no schedules.")).ts > ts).toBe(true);
    expect(control.warnings()).toEqual([]);
  });

  test("W18: a schedule whose owner was deactivated posts nothing, is paused, and operators are told", async () => {
    const zones = await start();
    const { control } = zones.slack;
    const { view_id } = await fillSchedule(zones.slack, { user: "bob", channel: "random" });
    await control.submitView({ view_id, user: "bob" });
    await shown(zones, "Saved *Daily report*");
    const list = await pressSchedule(zones.slack, { user: "bob" });
    control.putUser({ id: bob, deleted: true });
    await control.act({
      user: "bob",
      channel: list.channel,
      ts: list.ts,
      action_id: actionIds(list, "Run now")[0] ?? "",
    });
    await shown(zones, `its owner <@${bob}> left`);
    expect(control.messages({ channel: "random" }).filter(({ bot_id }) => bot_id !== undefined)).toEqual([]);
  });

  test("a reaction and the shortcut ask about a message as content of others, in its thread", async () => {
    const zones = await start({ reactions: { ticket: "helper" } });
    const { control } = zones.slack;
    const { ts } = control.postMessage({ user: "bob", channel: "general", text: "the printer burns" });
    control.react({ user: "alice", channel: "general", ts, reaction: "ticket::skin-tone-2" });
    const answer = await shown(zones, `${alice} said \\"\\" of \\"Bob Carter: the printer burns\\"`);
    expect(answer).toMatchObject({ thread_ts: ts });
    control.react({ user: "bob", channel: "general", ts, reaction: "ticket" });
    await control.runShortcut({ user: "alice", channel: "general", ts, callback_id: "ask_about" });
    const [modal] = control.views("alice");
    const place = { view_id: modal?.id ?? "", user: "alice" };
    await control.act({ ...place, block_id: "answer", action_id: "value", value: "agents" });
    expect(await control.submitView(place)).not.toHaveProperty("errors");
    await shown(zones, `${alice} said \\"agents\\" of \\"Bob Carter: the printer burns\\"`);
    await control.idle();
    const own = control.messages({ channel: "general", thread_ts: ts }).filter(({ bot_id }) => bot_id !== undefined);
    expect(own).toHaveLength(4);
    expect(own[0]?.text).toMatch(new RegExp(`^<@${alice}> asked helper about <https?:\\S+\\|this message>$`));
    expect(control.warnings()).toEqual([]);
  });
});

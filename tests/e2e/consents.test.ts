// suite: both
import { rmSync, writeFileSync } from "node:fs";
import type { Schedule } from "@crosszone/contracts";
import type { Message } from "@crosszone/dev-slack";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { databaseEnv } from "@crosszone/testkit/process";
import { tempFile } from "@crosszone/testkit/temporary";
import { expect, test, vi } from "vitest";
import { adminToken } from "../harness/runs-api.ts";
import { actionIds, pressSchedule } from "../harness/slack-schedules.ts";
import { agentThat } from "../harness/start-called-zone.ts";
import { startCrosszone } from "../harness/start-crosszone.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";

const alice = "U0ALICE0001";
const team = "T0CROSSZONE";

onBothEngines("what others write in a person's name", (newDatabase) => {
  async function start(more: Record<string, string> = {}) {
    const asked: object[] = [];
    const publisher = {
      ...agentThat("publisher", async ({ text, user_id, offered_by }) => {
        asked.push({ text, user_id, offered_by });
        return { response_text: `Published "${text}".` };
      }),
      describe: async () => ({ sideEffects: true }),
    };
    // The zone's own agent of this name is asked; the API looks for names in the registry.
    const agentsFile = writeAgentsFile([{ name: "publisher", url: "http://127.0.0.1:1" }]);
    const zones = await startCrosszone({
      agents: [publisher],
      database: await newDatabase(),
      env: { ADMIN_TOKENS: adminToken, EXECUTION_FILE: agentsFile, AGENT_ORIGINS: "http://127.0.0.1:*", ...more },
      verificationEnv: databaseEnv(await newDatabase()),
    });
    const { control } = zones.slack;
    const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
    const send = async (line: string, body?: object) => {
      const [method = "", path = ""] = line.split(" ");
      const url = `${zones.execution.url}/api/v1${path}`;
      const sent = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
      return { status: sent.status, body: (await sent.json()) as Schedule };
    };
    const settings = {
      owner: { team_id: team, user_id: alice },
      agent: "publisher",
      text: "Publish <!channel> **now**",
      every_ms: 600_000,
      cap: { fires: 9 },
    };
    const shown = (text: string, after = ""): Promise<Message> =>
      control.waitForMessage((one) => one.ts > after && JSON.stringify(one).includes(text), 20_000);
    const press = ({ channel, ts, blocks }: Message, label: string) =>
      control.act({ user: "alice", channel, ts, action_id: actionIds({ blocks }, label)[0] ?? "" });
    const find = async () => (await send("GET /schedules/publish")).body;
    return { ...zones, control, asked, send, settings, shown, press, find };
  }

  test("X18: a schedule that a token writes waits for the press of its owner, and then says who wrote it", async () => {
    const { send, settings, shown, press, find, asked, control } = await start();
    const created = await send("POST /schedules", { name: "publish", settings });
    expect(created).toMatchObject({ status: 201, body: { state: "paused", written_by: "bootstrap", next_at: [] } });
    expect(created.body.paused_reason).toMatch(new RegExp(`^Waits for ${alice} to allow it in Slack`));
    const card = await shown("Allow the schedule publish?");
    const said = JSON.stringify(card);
    for (const part of [
      "admin token",
      "every 10 min",
      "direct messages",
      "at most 9 times",
      "bootstrap asks publisher",
    ])
      expect(said).toContain(part);
    expect(said).toContain("Publish <!channel> **now**");
    expect((await find()).paused_reason).toBe(`Waits for ${alice} to allow it in Slack.`);
    expect(await send("POST /schedules/publish/fire")).toMatchObject({ status: 409 });
    expect((await send("POST /schedules/publish/resume")).body.state).toBe("paused");
    const { body: vote } = await send(`POST /input-requests/${created.body.request_id}/answer`, {
      answer: { verdict: "approve" },
    });
    expect(vote).toMatchObject({ status: 403 });
    await press(card, "Allow");
    await shown("Allowed by");
    await vi.waitFor(async () => expect(await find()).toMatchObject({ state: "active" }));
    expect((await send("POST /schedules/publish/fire")).status).toBe(200);
    const root = await shown('Published \\"Publish');
    expect(JSON.stringify(root)).toContain("scheduled by admin token for <@U0ALICE0001>");
    expect(asked).toEqual([{ text: settings.text, user_id: alice, offered_by: "schedule:publish" }]);

    // Another text is asked again, and what was allowed before is not.
    await send("PATCH /schedules/publish", { ...settings, text: "Delete all" });
    const second = await shown("Delete all", root.ts);
    expect((await send("POST /schedules/publish/fire")).status).toBe(409);
    await press(second, "Decline");
    await vi.waitUntil(() => control.views("alice").length > 0, 10_000);
    await control.submitView({ view_id: control.views("alice")[0]?.id ?? "", user: "alice" });
    await vi.waitFor(async () => expect((await find()).paused_reason).toBe("Its owner declined it."));
    await send("PATCH /schedules/publish", settings);
    expect(await find()).toMatchObject({ state: "active" });

    // What the owner stops stays so.
    await pressSchedule({ control }, { user: "alice", change: "Pause" });
    await vi.waitFor(async () => expect((await find()).paused_reason).toBe("Its owner paused it."));
    await send("POST /schedules/publish/pause");
    expect((await send("POST /schedules/publish/resume")).body.paused_reason).toMatch(/^Waits for/);
    expect((await send("POST /schedules/publish/fire")).status).toBe(409);
    expect(asked).toHaveLength(1);
  });

  test("X18, Q20: EXECUTION_FILE waits for the owner too, and an owner who was deactivated or a channel that does not exist is said in the list", async () => {
    const entry = `owner: {team_id: ${team}, user_id: ${alice}}, agent: publisher, text: Hi, every_ms: 60000, cap: {fires: 1}`;
    const path = tempFile("schedules.yaml", "schedules: []");
    const { shown, control, find } = await start({ EXECUTION_FILE: path });
    control.putUser({ id: alice, deleted: true });
    writeFileSync(path, `schedules:\n  - {name: publish, ${entry}}\n`);
    await vi.waitFor(
      async () => expect((await find()).paused_reason).toMatch(/^alice can't be reached in Slack/),
      20_000,
    );
    control.putUser({ id: alice, deleted: false });
    // Q20: verification alone knows channels.
    writeFileSync(path, `schedules:\n  - {name: publish, channel: C0NOWHERE01, ${entry}}\n`);
    const gone =
      "The channel C0NOWHERE01 does not exist, or the app can't see it. Invite the app there, or correct the channel.";
    await vi.waitFor(async () => expect((await find()).paused_reason).toBe(gone), 20_000);
    writeFileSync(path, `schedules:\n  - {name: publish, title: Again, ${entry}}\n`);
    expect(JSON.stringify(await shown("Allow the schedule publish?"))).toContain("file schedules.yaml");
    rmSync(path);
  });
});

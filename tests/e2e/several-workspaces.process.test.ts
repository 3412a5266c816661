// suite: rest
import type { DevSlack, Message } from "@crosszone/dev-slack";
import { converse } from "@crosszone/dev-slack/client";
import { tune } from "@crosszone/testkit/tune";
import { expect, test, vi } from "vitest";
import { readFolder } from "../harness/record-traffic.ts";
import { fillSchedule, pressSchedule } from "../harness/slack-schedules.ts";
import { startSeveralWorkspaces, type SeveralWorkspaces } from "../harness/start-several-workspaces.ts";

/** The direct messages with the app, and the people, have the same ids in both workspaces. */
const write = (slack: DevSlack, text: string): Message => slack.control.postMessage({ channel: "dm", text });

const answerTo = ({ control }: DevSlack, root: Message): Promise<Message> => converse(control).answerTo(root);
const ask = async (slack: DevSlack, text: string): Promise<string> => (await answerTo(slack, write(slack, text))).text;

const verdicts = ({ log }: SeveralWorkspaces): unknown[] =>
  log.filter(({ event_type }) => event_type !== undefined).map(({ verdict }) => verdict);

async function bothInstalled(
  options: Parameters<typeof startSeveralWorkspaces>[0] = {},
): Promise<SeveralWorkspaces & { north: DevSlack; south: DevSlack }> {
  const zones = await startSeveralWorkspaces(options);
  const [north, south] = zones.slack.slacks;
  if (north === undefined || south === undefined) throw new Error("there are not two workspaces");
  for (const { workspace } of [north, south])
    expect((await zones.install(workspace.team.id)).html).toContain("Crosszone is installed");
  return { ...zones, north, south };
}

test("Y1: two workspaces install the app by clicking through, and each gets its own answers in its own thread", async () => {
  const zones = await bothInstalled();
  const { north, south } = zones;
  // The same channel, person and time: only the workspaces differ.
  const [inNorth, inSouth] = [write(north, "200000+2"), write(south, "300000+3")];
  expect((await answerTo(north, inNorth)).text).toContain("200,002");
  expect((await answerTo(south, inSouth)).text).toContain("300,003");
  const said = ({ control }: DevSlack): string => JSON.stringify(control.messages({ channel: inNorth.channel }));
  expect([said(north).includes("300,003"), said(south).includes("200,002")]).toEqual([false, false]);
  for (const { control } of [north, south])
    expect(control.traffic().filter(({ kind, verdict }) => kind === "web_api" && verdict !== "ok")).toEqual([]);
});

test("Y1: a reply without a mention is answered only in the workspace where the app takes part in the thread", async () => {
  const zones = await bothInstalled();
  const { north, south } = zones;
  const post = { channel: "general", user: "alice" };
  const root = north.control.postMessage({ ...post, text: `<@${north.workspace.app.bot_user_id}> 20+2` });
  await answerTo(north, root);
  const reply = { ...post, thread_ts: root.ts, text: "30+3" };
  await north.control.idle();
  const before = zones.log.length;
  south.control.sendEvent({
    type: "message",
    channel: root.channel,
    channel_type: "channel",
    user: "U0ALICE0001",
    ts: "1799999999.000001",
    event_ts: "1799999999.000001",
    thread_ts: root.ts,
    text: "40+4",
  });
  await south.control.idle();
  expect(zones.log.slice(before).filter(({ verdict }) => verdict !== undefined)).toMatchObject([
    { verdict: "not_addressed" },
  ]);
  const again = north.control.postMessage(reply);
  expect((await answerTo(north, again)).text).toContain("33");
});

test("Y2: files of a message are read with the token of its workspace", async () => {
  const { north, south } = await bothInstalled();
  for (const [slack, words] of [
    [north, "one two three"],
    [south, "one two three four five"],
  ] as const) {
    const file = { name: "words.txt", mimetype: "text/plain", content: words };
    const message = slack.control.postMessage({ channel: "dm", text: "files", files: [file] });
    expect((await answerTo(slack, message)).text).toContain(`1 line, ${words.split(" ").length} words`);
  }
});

test("Y3: a workspace that removes the app gets no answers, and the other is unaffected", async () => {
  const zones = await bothInstalled();
  const { north, south } = zones;
  expect(await ask(north, "1+1")).toContain("2");
  north.uninstall();
  await north.control.idle();
  expect(zones.log.filter(({ event }) => event === "app_removed")).toMatchObject([
    { installation: north.workspace.team.id },
  ]);
  expect(verdicts(zones).slice(-2)).toEqual(["installation_ended", "installation_ended"]);
  expect(await ask(south, "2+2")).toContain("4");
  // Events that still come from there are acknowledged and counted, but not answered.
  const started = zones.log.filter(({ event }) => event === "task_started").length;
  north.issueBotToken();
  write(north, "3+3");
  await north.control.idle();
  expect(zones.log.findLast(({ event_type }) => event_type === "message")).toMatchObject({
    event: "event_refused",
    verdict: "not_installed",
    team_id: north.workspace.team.id,
  });
  expect(north.control.traffic().findLast(({ kind }) => kind === "event")).toMatchObject({ status: 200 });
  expect(zones.log.filter(({ event }) => event === "task_started")).toHaveLength(started);
});

test("Y3: questions that waited when a workspace removed the app end unanswered, and delay no others", async () => {
  const zones = await bothInstalled();
  const { north, south } = zones;
  // This one is running when the app is removed.
  const first = write(north, "slow 5");
  const { channel } = first;
  const waiting = { channel, user: "alice", thread_ts: first.ts };
  north.control.postMessage({ ...waiting, text: "1+1" });
  await north.control.idle();
  north.uninstall();
  const lost = (): string => JSON.stringify(zones.log.filter(({ event }) => event === "answer_lost"));
  await vi.waitFor(() => expect(lost()).toContain("the workspace has removed the app"));
  expect(await ask(south, "2+2")).toContain("4");
});

test("Y4: after a restart both workspaces get answers without a new install", async () => {
  const zones = await bothInstalled();
  await zones.restart();
  expect(await ask(zones.north, "20+2")).toContain("22");
  expect(await ask(zones.south, "30+3")).toContain("33");
});

const ofCompany = {
  team_id: "T0NORTH0001",
  name: "North",
  bot_user_id: "W0NORTHBOT1",
  bot_id: "B0NORTH0001",
  organization: { id: "E0COMPANY01", name: "Company" },
};

test.each([
  ["by a click", false],
  ["by its token", true],
])("Y1: installed in an organization %s, the app answers, fires and sweeps", async (_, byToken) => {
  const env = tune({ HEARTBEAT_MS: 200, MAX_SWEPT: 1, SWEEP_PACE_MS: 0 }, { OPERATOR_CHANNEL: "C0GENERAL01" });
  const zones = await startSeveralWorkspaces({ slack: { workspaces: [ofCompany] }, env });
  const [north] = zones.slack.slacks as readonly [DevSlack];
  const { control } = north;
  const none = { SLACK_CLIENT_ID: "", SLACK_CLIENT_SECRET: "", SLACK_REDIRECT_URL: "" };
  const own = byToken ? { ...none, SLACK_BOT_TOKEN: north.issueBotToken() } : {};
  await (byToken ? zones.restart(own) : zones.install(ofCompany.team_id));
  const asked = control.postMessage({ channel: "general", user: "bob", text: `<@${ofCompany.bot_user_id}> 20+2` });
  expect((await answerTo(north, asked)).text).toContain("22");
  const { view_id } = await fillSchedule(north, { user: "alice", channel: "general", answer: "30+3" });
  await control.submitView({ view_id, user: "alice" });
  await control.waitForMessage(({ text }) => text.startsWith("Saved"));
  await pressSchedule(north, { user: "alice", change: "Run now" });
  await control.waitForMessage(({ channel, text }) => channel === asked.channel && text.includes("33"));
  control.setOutage({ kind: "lost_events" });
  const [listed, missed] = [write(north, "late"), write(north, "40+4")];
  await control.idle();
  control.setOutage({ kind: "none" });
  await zones.restart(own);
  expect((await answerTo(north, missed)).text).toContain("44");
  await control.waitForMessage(({ text }) => text.startsWith("I was away since"));
  expect(control.messages({ channel: listed.channel }).filter(({ thread_ts }) => thread_ts === listed.ts)).toEqual([]);
  const refused = control.traffic().filter(({ kind, verdict }) => kind === "web_api" && verdict !== "ok");
  expect(refused.map(({ name, verdict }) => [name, verdict])).toEqual([]);
});

test("Y4: the zone is ready before the first install, and after the last workspace has removed the app", async () => {
  const zones = await startSeveralWorkspaces();
  expect((await fetch(`${zones.url}/readyz`)).status).toBe(200);
  const [north] = zones.slack.slacks;
  await zones.install(north?.workspace.team.id ?? "");
  north?.uninstall();
  await north?.control.idle();
  expect((await fetch(`${zones.url}/readyz`)).status).toBe(200);
});

test("S14: no token, code, state or secret of an install is in a log, a metric, a page or the database's files", async () => {
  const zones = await startSeveralWorkspaces({ slack: { tokenLifetimeMs: 3_600_000 } });
  const [north] = zones.slack.slacks;
  if (north === undefined) throw new Error("there is no workspace");
  const page = await zones.install(north.workspace.team.id);
  expect(await ask(north, "20+2")).toContain("22");
  const state = new URL(page.url).searchParams.get("state") ?? "";
  const { handedOut, clientSecret, signingSecret } = zones.slack;
  // A code, a token and a refresh token.
  expect(handedOut).toHaveLength(3);
  const secrets = [...handedOut, state, clientSecret, signingSecret];
  const metrics = await (await fetch(`${zones.url}/metrics`)).text();
  expect(metrics).toContain('slack_installs_total{outcome="installed"} 1');
  const files = await readFolder(zones.folder);
  expect(files.includes(north.workspace.team.id)).toBe(true);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(15);
    const places = { log: JSON.stringify(zones.log), metrics, page: page.html, files };
    const found = Object.entries(places).filter(([, content]) => content.includes(secret));
    expect(found.map(([place]) => place)).toEqual([]);
  }
});

import { type InputRequest, ZoneError } from "@crosszone/contracts";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { cardsOf, labels } from "../testing/ask-in-slack.ts";
import { createFakeSlack, type FakeSlack, identity, member } from "../testing/fake-slack.ts";
import { inputRequest, press, scriptInputs } from "../testing/scripted-inputs.ts";
import { failing } from "../testing/scripted-zone.ts";
import { startTestApp, type TestApp, until } from "../testing/start-test-app.ts";
import { createZoneLink } from "../link/zone-link.ts";
import { followInputs } from "./input-feed.ts";

let app: TestApp;

/** A request of a run that a program started over MCP, at a time before all messages of the test. */
const elsewhere = (more: Partial<InputRequest> = {}): InputRequest =>
  inputRequest({
    origin: "mcp",
    requester: "token:ci",
    run_id: "run-12345678",
    agent: "pay",
    created_at: "1970-01-01T00:00:00Z",
    ...more,
  });

/** Starts an app whose Slack has Bob Carter, and lets execution ask these requests. */
async function start(requests: readonly InputRequest[], prepare: (slack: FakeSlack) => void = () => undefined) {
  const slack = createFakeSlack();
  Object.assign(slack.directory.users, { U1: { ...member, name: "Bob Carter" }, U_NOBODY: undefined });
  prepare(slack);
  app = await startTestApp({ slack });
  return scriptInputs(app.zone, requests);
}

test("P3, P9: work that began outside Slack asks those who decide by direct message, and each card follows the decision", async () => {
  const { current } = await start([elsewhere({ decide: { ...elsewhere().decide, groups: ["S1"] } })], (slack) => {
    slack.groups["S1"] = ["U1", "U2"];
  });
  await until(() => expect(cardsOf(app).map(({ channel }) => channel)).toEqual(["DU1", "DU2"]));
  const [card, other] = cardsOf(app);
  const text = JSON.stringify(card?.blocks);
  expect(text).toContain("Requested by program ci, over MCP · workflow pay, run run-12345678");
  expect(text).toMatch(/Waiting for <@U1> or <!subteam\^S1>, until <!date/);
  expect(app.slack.calls).not.toContain("permalink");
  expect(current()).toMatchObject({ asked_in: "T1", names: { U1: "Bob Carter" } });
  await press(app, card?.blocks, { label: "Approve" });
  await until(() => expect(cardsOf(app).flatMap(labels)).toEqual([]));
  expect(JSON.stringify(cardsOf(app)[1]?.blocks)).toContain("Approved by <@U1>");
  expect(other?.ts).toBe(cardsOf(app)[1]?.ts);
});

test("P3: in an organization, the people of its workspace are asked", async () => {
  const ofOrganization = {
    identity: async () => ({ ...identity, org_id: "E1" }),
    teams: async () => ({ ids: ["T1"] }),
  };
  await start([elsewhere()], (slack) => Object.assign(slack, ofOrganization));
  await until(() => expect(cardsOf(app).map(({ channel }) => channel)).toEqual(["DU1"]));
});

test("P9: a direct message whose response was lost is not posted twice", async () => {
  await start([elsewhere()], (slack) => slack.failNext("post", "unavailable", { anyway: true }));
  await until(() => expect(app.slack.calls.filter((method) => method === "replies")).not.toEqual([]));
  await press(app, cardsOf(app)[0]?.blocks, { label: "Approve" });
  await until(() => expect(cardsOf(app).flatMap(labels)).toEqual([]));
  expect(cardsOf(app)).toHaveLength(1);
});

const decide = { people: ["U1"], groups: [], requester: true, approve: 1, deny: 1 };
const consent = (more: Partial<InputRequest>): InputRequest =>
  elsewhere({
    origin: "schedule",
    run_id: undefined,
    agent: "token:c*i*",
    requester: "U1",
    team_id: "T1",
    decide,
    ...more,
  });

test("X18: the owner of a schedule reads who wrote it, in the owner's own workspace alone, and allows it", async () => {
  const other = consent({ request_id: "consent_of_a_partner", team_id: "T2" });
  const { current } = await start([other, consent({})]);
  await until(() => expect(cardsOf(app).map(({ channel }) => channel)).toEqual(["DU1"]));
  const [card] = cardsOf(app);
  expect(JSON.stringify(card?.blocks)).toContain("Written by token c*i*, not by you");
  expect(labels(card as never)).toEqual(["Allow", "Decline"]);
  await press(app, card?.blocks, { label: "Allow" });
  await until(() => expect(JSON.stringify(cardsOf(app)[0]?.blocks)).toContain("Allowed by <@U1>"));
  expect(current(other.request_id)).toMatchObject({ state: "open" });
  expect(current(other.request_id)).not.toHaveProperty("asked_in");
});

test.each([
  ["left", { ...member, deleted: true }],
  ["is of a partner", { ...member, stranger: true }],
  ["is unknown", undefined],
])("X18: execution learns that the owner of a schedule %s", async (_, user) => {
  const { current } = await start([consent({})], ({ directory }) => void (directory.users["U1"] = user));
  await until(() => expect(current()).toMatchObject({ state: "denied", closed_because: "No U1." }));
  expect(cardsOf(app)).toEqual([]);
});

test("two verification zones do not both ask: one that knows none of the deciders claims nothing", async () => {
  await start([elsewhere({ decide: { ...elsewhere().decide, people: ["U_NOBODY"], groups: ["S_NONE"] } })]);
  await until(() => expect(app.slack.calls).toContain("groupMembers"));
  await delay(200);
  expect([app.zone.of("claim_input_request"), cardsOf(app)]).toEqual([[], []]);
});

test("two verification zones do not both ask: what another one has claimed is left to it", async () => {
  await start([]);
  const request = elsewhere();
  app.zone.on("claim_input_request", failing("input_request_not_found"));
  app.zone.on("list_input_requests", ({ after_seq = 0 }) => ({
    input_requests: after_seq < 5 ? [{ ...request, seq: 5 }] : [],
    last_seq: 5,
  }));
  await until(() => expect(app.zone.of("claim_input_request")).not.toEqual([]));
  expect(await app.deps.inbox.findInput(request.request_id)).toBeUndefined();
});

test("a request that verification began itself is not claimed", async () => {
  await start([inputRequest()]);
  await delay(500);
  expect([app.zone.of("claim_input_request"), cardsOf(app)]).toEqual([[], []]);
});

test("a start before execution, and a short restart of it, log nothing; an outage is logged once", async () => {
  await start([]);
  let now = 0;
  let calls = 0;
  const stopping = new AbortController();
  const events: string[] = [];
  const zone = {
    call: async () => {
      calls += 1;
      if (calls > 12) stopping.abort();
      throw new ZoneError("agent_unavailable");
    },
  } as never;
  const clock = { now: () => now, sleep: async (ms: number) => void (now += ms) };
  const link = createZoneLink(zone, { limits: app.deps.limits, clock });
  const deps = { inbox: app.deps.inbox, link, stopping: stopping.signal };
  const seen: number[] = [];
  const emit = (event: string): void => void (events.push(event), seen.push(now));
  await followInputs({ ...deps, emit: emit as never, allWorkspaces: async () => [] });
  expect(events).toEqual(["input_feed_failed"]);
  expect(seen[0]).toBeGreaterThanOrEqual(30_000);
});

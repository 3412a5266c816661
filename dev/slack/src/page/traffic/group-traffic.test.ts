import { expect, test } from "vitest";
import type { TrafficEntry } from "../../protocol/control-api.ts";
import { groupTraffic, spanOf } from "./group-traffic.ts";

type Given = Partial<TrafficEntry> & Pick<TrafficEntry, "kind" | "name">;

const usual = { status: 200, ms: 5, verdict: "ok", request: null, response: null };

/** Entries that start 10 ms after one another, unless they say otherwise. */
const entriesOf = (given: readonly Given[]): TrafficEntry[] =>
  given.map((entry, at) => ({ ...usual, id: at + 1, at: at * 10, ...entry }));

const event = (ts: string, more: object = {}, channel = "D1"): Given => ({
  kind: "event",
  name: "message",
  request: { body: { event: { channel, ts, user: "U0ALICE", text: `asked at ${ts}`, ...more } } },
});
const byBot = { user: "U0BOT", bot_id: "B0", text: "an answer" };
const rpc = (name: string, params: object, result: object = {}): Given => ({
  kind: "rpc",
  name,
  request: { params },
  response: { result },
});
const task = (correlation_id: string, thread_ts: string, text = ""): Given =>
  rpc("execute_task", { channel: "D1", thread_ts, correlation_id, text }, { task_id: `task ${correlation_id}` });
const agent = (correlation_id: string): Given => ({ kind: "agent", name: "billing", correlation_id });
const slack = (name: string, request: object, response: object = {}): Given => ({
  kind: "web_api",
  name,
  request,
  response,
});
const posted = (ts: string, correlation_id: string, channel = "D1"): Given => {
  const metadata = JSON.stringify({ event_type: "crosszone_task", event_payload: { correlation_id } });
  return slack("chat.postMessage", { channel, metadata }, { ok: true, channel, ts });
};

/** A line for each group: its title, and the names of its entries. */
const shown = (given: readonly Given[]): string[] =>
  groupTraffic(entriesOf(given)).map(
    ({ key, title, entries }) => `${key === "other" ? key : title}: ${entries.map(({ name }) => name).join(" ")}`,
  );

test("Q8: a question has its event, lookups, calls across the wall, agent calls and the answer with its event", () => {
  const given = [
    event("1.1"),
    slack("users.info", { user: "U0ALICE" }),
    slack("agents.sessions.setStatus", { channel_id: "D1", thread_ts: "1.1" }),
    task("c1", "1.1"),
    agent("c1"),
    rpc("get_async_task_result", { task_id: "task c1" }),
    posted("1.2", "c1"),
    event("1.2", { ...byBot, thread_ts: "1.1" }),
    slack("chat.update", { channel: "D1", ts: "1.2" }),
  ];
  expect(shown(given)).toEqual([`asked at 1.1: ${given.map(({ name }) => name).join(" ")}`]);
});

test("Q8: two questions at once keep their own entries; a lookup that could be of both is in neither", () => {
  const given = [event("1.1"), event("2.1"), task("c2", "2.1"), task("c1", "1.1"), agent("c2")];
  expect(shown([...given, slack("users.info", {}), posted("1.2", "c1"), posted("2.2", "c2")])).toEqual([
    "asked at 2.1: message execute_task billing chat.postMessage",
    "asked at 1.1: message execute_task chat.postMessage",
    "other: users.info",
  ]);
});

test("a report of messages is of no question, also while one is under way", () => {
  expect(shown([event("1.1"), task("c1", "1.1"), rpc("report_messages", { messages: [{}] })])).toEqual([
    "asked at 1.1: message execute_task",
    "other: report_messages",
  ]);
});

test("questions that wait in one thread get the calls with their text", () => {
  const first = [task("c1", "1.1", "asked at 1.1"), posted("1.3", "c1")];
  const second = [task("c2", "1.1", "asked at 1.2"), agent("c2")];
  expect(shown([event("1.1"), event("1.2", { thread_ts: "1.1" }), ...first, ...second])).toEqual([
    "asked at 1.2: message execute_task billing",
    "asked at 1.1: message execute_task chat.postMessage",
  ]);
});

test("an approval in another conversation, and its press, are of the question that waits for it", () => {
  const payload = { container: { channel_id: "D2", message_ts: "3.1" } };
  const waiting = rpc("list_input_requests", {}, { input_requests: [{ correlation_id: "c1" }] });
  const groups = shown([
    // It waited before the question, and its answer is about it.
    { ...waiting, at: -1_000, ms: 1_025 },
    event("1.1"),
    task("c1", "1.1"),
    posted("3.1", "c1", "D2"),
    event("3.1", byBot, "D2"),
    { kind: "event", name: "block_actions", at: 60_000, request: { body: { payload } } },
    { ...rpc("answer_input", { task_id: "task c1" }), at: 60_010 },
  ]);
  expect(groups).toEqual([
    "asked at 1.1: message execute_task list_input_requests chat.postMessage message block_actions answer_input",
  ]);
});

test("a mention's two events and its retries are one question; commands and work of programs have a row of their own", () => {
  const command = { user_id: "U0ALICE", channel_id: "C1", text: "invoice" };
  const groups = shown([
    slack("auth.test", {}),
    event("1.1", {}, "C1"),
    { ...event("1.1", {}, "C1"), name: "app_mention" },
    { kind: "event", name: "/agents", at: 60_000, request: { body: command } },
    { ...rpc("list_agents", {}), at: 60_001 },
    { ...agent("c9"), at: 120_000 },
    { ...agent("c9"), at: 120_020 },
  ]);
  expect(groups).toEqual([
    "billing: billing billing",
    "/agents invoice: /agents list_agents",
    "asked at 1.1: message app_mention",
    "other: auth.test",
  ]);
});

test("a group spans from its first entry to the end of its last, and events over a socket count too", () => {
  const request = { payload: { event: { channel: "D1", ts: "1.1", user: "U0ALICE", text: "hello" } } };
  const [group] = groupTraffic(
    entriesOf([{ ...event("1.1"), request }, { ...task("c1", "1.1"), ms: 200 }, agent("c1")]),
  );
  expect(group).toMatchObject({ title: "hello", user: "U0ALICE", channel: "D1" });
  expect(spanOf(group ?? { entries: [] })).toEqual({ at: 0, ms: 210 });
});

test("any entries are grouped once each", () => {
  const odd = [undefined, null, "text", 1, [], { body: null }, { params: { thread_ts: 5 } }, { metadata: "{" }];
  const kinds = ["event", "web_api", "rpc", "agent"] as const;
  const entries = entriesOf(odd.flatMap((request) => kinds.map((kind) => ({ kind, name: "message", request }))));
  const grouped = groupTraffic(entries).flatMap((group) => group.entries.map(({ id }) => id));
  expect(grouped.toSorted((a, b) => a - b)).toEqual(entries.map(({ id }) => id));
});

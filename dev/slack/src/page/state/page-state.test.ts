import { describe, expect, it } from "vitest";
import type { TrafficEntry } from "../../protocol/control-api.ts";
import type { Message } from "../../protocol/workspace.ts";
import { seedWorkspace } from "../../workspace/seed-workspace.ts";
import { answerPart } from "../text/answer-part.ts";
import {
  botConversation,
  channelHash,
  conversationName,
  conversationNotice,
  conversationsOf,
  parseHash,
} from "./conversation.ts";
import { applyEvent, messagesIn, type PageState, threadKey, trafficKept, withAgentView } from "./page-state.ts";

const workspace = seedWorkspace();
const start: PageState = {
  workspace,
  user: "U0ALICE0001",
  place: { view: "messages", channel: "C1", thread: undefined },
  lastChannel: "C1",
  messages: new Map(),
  unread: new Set(),
  statuses: new Map(),
  titles: new Map(),
  prompts: new Map(),
  traffic: [],
  connection: "live",
  awaiting: undefined,
};
const message = (rest: Partial<Message> = {}): Message => ({
  channel: "C1",
  ts: "1.000001",
  user: "U0BOB000001",
  text: "x",
  ...rest,
});
const entry = (id: number): TrafficEntry => ({
  id,
  at: 0,
  kind: "rpc",
  name: "n",
  status: 200,
  ms: 1,
  verdict: "",
  request: 0,
  response: 0,
});

describe("applyEvent", () => {
  it("keeps one message a ts, the latest, and forgets what was deleted", () => {
    let state = applyEvent(start, { type: "message", message: message() });
    state = applyEvent(state, { type: "message_changed", message: message({ text: "y" }) });
    expect(messagesIn(state, "C1").map(({ text }) => text)).toEqual(["y"]);
    state = applyEvent(state, { type: "message_deleted", channel: "C1", ts: "1.000001" });
    expect(messagesIn(state, "C1")).toEqual([]);
    expect(start.messages.size).toBe(0);
  });

  it("changes nothing when an event comes twice", () => {
    const event = { type: "message", message: message({ channel: "C2" }) } as const;
    const once = applyEvent(start, event);
    expect(applyEvent({ ...once, unread: new Set() }, event).unread.size).toBe(0);
    expect(messagesIn(applyEvent(once, event), "C2")).toHaveLength(1);
  });

  it.each([
    ["another channel", { channel: "C2" }, true],
    ["the shown channel", {}, false],
    ["one's own", { channel: "C2", user: "U0ALICE0001" }, false],
    ["for the eyes of another", { channel: "C2", ephemeral_for: "U0BOB000001" }, false],
  ])("marks as unread: %s → %s", (_what, rest, isUnread) => {
    expect(applyEvent(start, { type: "message", message: message(rest) }).unread.has("C2")).toBe(isUnread);
  });

  it("clears a status that became empty", () => {
    const status = (text: string) => ({ type: "status", channel: "C1", thread_ts: "1.1", status: text }) as const;
    const busy = applyEvent(start, status("is thinking…"));
    expect(busy.statuses.get(threadKey("C1", "1.1"))).toBe("is thinking…");
    expect(applyEvent(busy, status("")).statuses.size).toBe(0);
  });

  it("keeps titles and suggested prompts by their place, as the server has them", () => {
    const suggested = { channel: "C1", prompts: [{ title: "Go", message: "go" }] };
    let state = applyEvent(start, { type: "title", channel: "C1", thread_ts: "1.1", title: "Work" });
    state = applyEvent(state, { type: "prompts", suggested });
    state = applyEvent(state, { type: "prompts", suggested: { ...suggested, thread_ts: "1.1" } });
    state = applyEvent(state, { type: "status", channel: "C1", thread_ts: "1.1", status: "processing" });
    expect(state.prompts.get(threadKey("C1"))).toBe(suggested);
    const thread = { channel: "C1", thread_ts: "1.1", status: "processing", title: "Work" };
    const read = withAgentView({
      threads: [thread, { channel: "C1", thread_ts: "2.2", status: "" }],
      prompts: [...state.prompts.values()],
    });
    expect(read).toEqual({ statuses: state.statuses, titles: state.titles, prompts: state.prompts });
  });

  it("keeps the newest traffic, each entry once", () => {
    let state = start;
    for (let id = 1; id <= trafficKept + 5; id += 1) state = applyEvent(state, { type: "traffic", entry: entry(id) });
    state = applyEvent(state, { type: "traffic", entry: entry(trafficKept + 5) });
    expect(state.traffic).toHaveLength(trafficKept);
    expect(state.traffic[0]?.id).toBe(6);
  });
});

describe("conversations", () => {
  it("are all public channels, archived last, and of the others one's own", () => {
    const names = (user: string): string[] => conversationsOf(workspace, user).channels.map(({ name }) => name);
    expect(names("U0ALICE0001")).toContain("leads");
    expect(names("U0CHIYO0001")).not.toContain("leads");
    expect(names("U0CHIYO0001").at(-1)).toBe("old-project");
    for (const channel of conversationsOf(workspace, "U0CHIYO0001").direct)
      expect(channel.members).toContain("U0CHIYO0001");
  });

  it("have the name of who else is in them", () => {
    const direct = botConversation(workspace, "U0BOB000001");
    expect(direct && conversationName(direct, workspace, "U0BOB000001")).toBe("Crosszone");
  });

  it("say why the app doesn't answer", () => {
    const notice = (name: string): string | undefined => {
      const channel = workspace.channels.find((one) => one.name === name);
      return channel && conversationNotice(channel, workspace);
    };
    expect(notice("random")).toContain("is not a member of this channel");
    expect(notice("old-project")).toContain("Archived");
    expect(notice("partners")).toContain("shared");
    expect(notice("general")).toBeUndefined();
  });
});

describe("addresses", () => {
  it.each(["#/traffic", "#/C1", "#/C1/1795150147.806024"])("%s is read and written back", (hash) => {
    const place = parseHash(hash);
    expect(place?.view === "messages" ? channelHash(place.channel, place.thread) : "#/traffic").toBe(hash);
  });

  it.each(["", "#", "#/", "#/x", "#/C1/x", "#/javascript:alert(1)", "#/C1/1.2/3"])("%j is no place", (hash) => {
    expect(parseHash(hash)).toBeUndefined();
  });
});

it.each([
  ["in_progress", "working"],
  ["stopped", "stopped"],
  ["completed", "text"],
  ["expired", "text"],
] as const)("a stream that is %s means %s", (state, meaning) => {
  const metadata = { event_type: "crosszone_task", event_payload: { state: "done" } };
  const stream = { state, display: "timeline" } as const;
  expect(answerPart(message({ stream }))).toMatchObject({ state: meaning });
  const marked = answerPart(message({ stream, metadata }));
  expect(marked).toMatchObject({ state: meaning === "text" ? "done" : meaning });
});

it.each<[Message["metadata"], object]>([
  [undefined, { state: "text", part: 1, parts: 1 }],
  [{ event_type: "other", event_payload: { state: "working" } }, { state: "text" }],
  [
    { event_type: "crosszone_task", event_payload: { state: "working", request_id: "t" } },
    { state: "working", task: "t" },
  ],
  [
    { event_type: "crosszone_task", event_payload: { state: "done", part: 2, parts: 3 } },
    { state: "done", part: 2, parts: 3 },
  ],
  [
    { event_type: "crosszone_task", event_payload: { state: "stopped" } },
    { state: "stopped", part: 1, parts: 1 },
  ],
])("metadata %j means %j", (metadata, part) => {
  expect(answerPart(message(metadata && { metadata }))).toMatchObject(part);
});

import type { InputField, InputRequest } from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import { elementsOf, inputRequest } from "../testing/scripted-inputs.ts";
import { argumentPieces, formInputs } from "./input-modals.ts";
import { inputCard, isClosed, namedDeciders, neutralCard } from "./input-card.ts";
import { handleText, readHandle } from "./presses.ts";

const json = (value: unknown): string => JSON.stringify(value);
const digest = "a".repeat(64);

/** Every character that displays as nothing, as a blank that is no space, or that changes the direction of others. */
const unseen = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((one) =>
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u2800\u3000]/u.test(one),
);

describe("a card", () => {
  test("shows an action as code, whole: what can't be seen is written as an escape", () => {
    const hostile = { a: "x\u202Ey\u200Bz", b: "```<!channel>```", c: "\u{E0041}", d: "two\nlines" };
    const action = { agent: "builtin", tool: "deploy", arguments: hostile, digest };
    const code = elementsOf(inputCard(inputRequest({ action })).blocks).find(
      ({ type }) => type === "rich_text_preformatted",
    );
    const text = (code as unknown as { elements: { text: string }[] }).elements[0]?.text ?? "";
    expect(text).not.toMatch(/[\p{Cf}]/u);
    expect(text).toContain("x\\u202ey\\u200bz");
    expect(text).toContain("```<!channel>```");
    expect(JSON.parse(text)).toEqual(hostile);
  });

  test("hides no character: arguments show each as an escape, titles and labels leave it out", () => {
    const text = `pay${unseen.join("")}900`;
    const action = { agent: text, tool: text, arguments: { [text]: [text] }, digest };
    const shown = argumentPieces(action).join("");
    expect(unseen.filter((one) => shown.includes(one))).toEqual([]);
    expect(JSON.parse(shown)).toEqual(action.arguments);
    const options = [{ value: "v", label: text }];
    for (const request of [
      inputRequest({ title: text, action }),
      inputRequest({ title: text, kind: "choose", options }),
    ]) {
      const card = inputCard(request);
      const labels = elementsOf(card.blocks).flatMap(({ type, text: label }) => (type === "plain_text" ? [label] : []));
      const all = JSON.stringify([card.text, labels]);
      expect(unseen.filter((one) => all.includes(one))).toEqual([]);
      expect(all).toContain("pay 900");
    }
  });

  test("notifies nobody by what an agent wrote", () => {
    const card = inputCard(
      inputRequest({ title: "<!channel> \u202Eyes", body: "Ask <!here> and <@U2> [x](https://e.example)" }),
    );
    expect(json(card)).not.toMatch(/<!(channel|here)>|<@U2>|\u202E/);
    expect(card.text).toBe("Needs a decision:  !channel  yes");
  });

  test("X24: mentions who is named with a workspace, and asks each workspace for its own", () => {
    const decide = { people: ["T1/U0BOB", "T9/U0PAT", "U0CAT"], groups: [], requester: false, approve: 1, deny: 1 };
    const request = inputRequest({ decide });
    expect(JSON.stringify(inputCard(request).blocks)).toContain("<@U0BOB> or <@U0PAT> or <@U0CAT>");
    expect([namedDeciders(request, "T1"), namedDeciders(request, "T2")]).toEqual([["U0BOB", "U0CAT"], ["U0CAT"]]);
  });

  test("has buttons for few options and a menu for many, and always a way to decline", () => {
    const options = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ value: `v${at}`, label: `Option ${at}` }));
    const kinds = (count: number): string[] =>
      elementsOf(inputCard(inputRequest({ kind: "choose", action: undefined, options: options(count) })).blocks)
        .filter(({ action_id }) => action_id !== undefined)
        .map(({ type }) => type);
    expect(kinds(5)).toEqual([...Array.from({ length: 5 }, () => "button"), "button"]);
    expect(kinds(25)).toEqual(["static_select", "button"]);
  });

  test("has no empty text, which Slack refuses", () => {
    const options = [{ value: "v", label: "\u202E" }];
    const texts = elementsOf(inputCard(inputRequest({ title: "\u202E", kind: "choose", options })).blocks);
    expect(texts.filter(({ type, text }) => type === "plain_text" && (text as unknown) === "")).toEqual([]);
  });

  test.each(["approve", "choose", "text", "form"] as const)(
    "P2: has no button that opens a URL, and none that stays after the end: %s",
    (kind) => {
      const options = [{ value: "v", label: "https://e.example" }];
      const buttons = (state: "open" | "denied" | "expired") =>
        elementsOf(inputCard(inputRequest({ kind, options, state, body: "https://e.example" })).blocks).filter(
          ({ action_id }) => action_id !== undefined,
        );
      expect(buttons("open").length).toBeGreaterThan(1);
      expect(buttons("open").filter((button) => "url" in button)).toEqual([]);
      expect([...buttons("denied"), ...buttons("expired")]).toEqual([]);
    },
  );

  test("has new block ids with each version, and none twice", () => {
    const ids = (version: number) =>
      inputCard(inputRequest({ version, body: "why" })).blocks.map(({ block_id }) => block_id);
    expect(new Set([...ids(1), ...ids(2)]).size).toBe(ids(1).length * 2);
  });

  test("folds long arguments, and keeps each text below Slack's limits", () => {
    const action = { agent: "b".repeat(255), tool: "t".repeat(255), arguments: { text: "x".repeat(100_000) }, digest };
    const people = Array.from({ length: 20 }, (_, at) => `U${"1".repeat(60)}${at}`);
    const votes = people.map((user_id) => {
      return {
        user_id,
        verdict: "approve",
        via: "slack",
        reason: "r".repeat(2_000),
        at: "2026-01-01T00:00:00Z",
      } as const;
    });
    const { blocks, text } = inputCard(
      inputRequest({
        title: "t".repeat(150),
        body: "b".repeat(12_000),
        action,
        votes,
        decide: { people, groups: [], requester: false, approve: 20, deny: 1 },
      }),
    );
    expect(text.length).toBeLessThanOrEqual(201);
    expect(JSON.parse(argumentPieces(action).join("")) as unknown).toEqual(action.arguments);
    const container = elementsOf(blocks).find(({ type }) => type === "container");
    expect(container).toMatchObject({ is_collapsible: true, default_collapsed: true });
    for (const { type, text: inner } of elementsOf(blocks)) {
      const length = typeof inner === "object" ? (inner.text?.length ?? 0) : 0;
      expect(length).toBeLessThanOrEqual(
        type === "header" || type === "container" ? 150 : type === "button" ? 75 : 3_000,
      );
    }
  });
});

test("X2: a default that an agent wrote hides nothing from the person who submits it", () => {
  const properties: Record<string, InputField> = {
    note: { type: "string", default: "pay 9\u200B00" },
    mail: { type: "string", format: "email", default: "a@e.example" },
    zone: { type: "string", enum: ["eu", "e\u3164u"], default: "e\u3164u" },
  };
  const inputs = elementsOf(formInputs({ type: "object", properties }));
  expect(inputs.flatMap((one) => ("initial_value" in one ? one.initial_value : []))).toEqual(["a@e.example"]);
  expect(inputs.map(({ text }) => text)).toContain(String.raw`e\u3164u`);
});

test.each([
  [{ requester: "U9", channel: "C1" }, true, "<@U9>"],
  [{ requester: "U9", channel: "C1" }, false, "<@U9> in <#C1>"],
  [{ requester: "U9", channel: "D1" }, false, "<@U9> in a direct message"],
  [{ requester: "token:ops", origin: "api" }, false, "token ops, through the API"],
  [
    { requester: "bootstrap", origin: "api", run_id: "r1", agent: "pay" },
    false,
    "token bootstrap, through the API · workflow pay, run r1",
  ],
  [{ requester: "token:<!here>", origin: "a2a" }, false, "program &lt;!here&gt;, over A2A"],
  [{ requester: "timer:nightly", origin: "timer" }, false, "program timer:nightly, over timer"],
  [{ origin: "link" }, false, "a program, with the token of the zone link"],
])("P9: a card says who asks, once, open and closed: %j", (request, inThread, who) => {
  for (const state of ["open", "denied"] as const) {
    const text = json(inputCard(inputRequest({ ...request, state }), { inThread }));
    expect(text.split("Requested by ")).toHaveLength(2);
    expect(text).toContain(`Requested by ${who}\\n`);
  }
});

test("W14: a card names the requester, the place, the approvers and the deadline once each, and notifies only the approvers", () => {
  const decide = { people: ["U1", "U2"], groups: ["S1"], requester: false, approve: 1, deny: 1 };
  const request = inputRequest({ requester: "U9", channel: "C1", thread_ts: "1.0", decide });
  const until = "<!date^4070908800^{date_short_pretty} at {time}|2099-01-01 00:00:00 UTC>";
  const direct = json(
    inputCard(request, { inThread: false, link: "https://acme.slack.example/archives/C1/p10" }).blocks,
  );
  expect(direct).toContain(
    `Requested by <@U9> in <#C1> · <https://acme.slack.example/archives/C1/p10|open thread>\\n⏳ Waiting for <@U1> or <@U2> or <!subteam^S1>, until ${until}"`,
  );
  const names = new Map([["U9", "Alice <Berger>"]]);
  const inThread = json(inputCard(request, { inThread: true, names }).blocks);
  expect(inThread).toContain("Requested by Alice &lt;Berger&gt;\\n⏳ Waiting for <@U1> or");
  expect(inThread.match(/<[@!#]\w+/g)).toEqual(["<@U1", "<@U2", "<!subteam", "<!date"]);
  for (const card of [direct, inThread]) expect(card.match(/waiting|2099/gi)).toEqual(["Waiting", "2099"]);
  const line = neutralCard(request, "Bob Carter").text;
  expect(line).toBe(`⏳ Waiting for Bob Carter in a direct message, until ${until}.`);
});

describe("a receipt", () => {
  const vote = { user_id: "U1", verdict: "approve", via: "api", at: "2026-01-01T00:00:00Z", reason: "fine" } as const;

  test("says who decided, through what, when, why, and of what action", () => {
    const receipt = json(inputCard(inputRequest({ state: "used", votes: [vote], decided_at: vote.at })));
    expect(receipt).toContain("Approved by <@U1> through the API, <!date^1767225600^");
    expect(receipt).toContain("“fine”");
    expect(receipt).toContain(digest);
    expect(elementsOf(inputCard(inputRequest({ state: "used" })).blocks).some(({ type }) => type === "button")).toBe(
      false,
    );
  });

  test.each([1, 2])("W14: says each of %i votes once, with its date in the reader's time zone", (count) => {
    const at = "2026-01-02T03:04:05Z";
    const votes = Array.from({ length: count }, (_, nth) => ({
      ...vote,
      via: "slack" as const,
      user_id: `U${nth}`,
      at,
    }));
    const receipt = json(inputCard(inputRequest({ state: "approved", votes, decided_at: at })).blocks);
    const people = votes.map(({ user_id }) => `<@${user_id}>`);
    expect((receipt.match(/<@\w+>/g) ?? []).toSorted()).toEqual(people);
    expect(receipt.match(/“fine”/g)).toHaveLength(count);
    expect(receipt.match(/<!date\^1767323045\^/g)).toHaveLength(count);
    expect(receipt.replaceAll(/<!date[^>]*>/g, "")).not.toMatch(/2026|UTC/);
    const line = neutralCard(inputRequest({ state: "approved", votes, decided_at: at }), "").text;
    expect(line).toMatch(new RegExp(`^Approved by <@U${count - 1}>, <!date[^>]*>\\.$`));
  });

  test.each(["expired", "withdrawn", "void", "denied", "answered"] as const)("has words for %s", (state) => {
    const { text } = inputCard(inputRequest({ state, closed_because: "the run ended", votes: [vote] }));
    expect(text.toLowerCase()).toContain(state === "void" ? "not done in time" : state);
    expect(json(neutralCard(inputRequest({ state }), "Bob Carter"))).not.toContain("Deploy");
  });

  test("Q26: a withdrawal has its reason, which only those who were asked read of a private request", () => {
    const request = inputRequest({
      state: "withdrawn",
      closed_because: "Withdrawn by ci.",
      withdraw_reason: "<!here> no",
    });
    expect(json(inputCard(request).blocks)).toMatch(/Withdrawn \(Withdrawn by ci\): “.*no”/);
    expect(json(inputCard(request).blocks)).not.toContain("<!here>");
    expect(neutralCard(request, "").text).toBe("Withdrawn (Withdrawn by ci): “&lt;!here&gt; no”.");
    const hidden: InputRequest = { ...request, visibility: "private" };
    expect(neutralCard(hidden, "").text).toBe("Withdrawn (Withdrawn by ci).");
  });

  test("Q26: what asks for a date needs an answer, not a decision", () => {
    expect(inputCard(inputRequest({ kind: "form", title: "When?" })).text).toBe("Needs an answer: When?");
  });

  test("an approval that was not used names its approver before that", () => {
    const { text } = neutralCard(inputRequest({ state: "void", votes: [vote], decided_at: vote.at }), "");
    expect(text).toMatch(/^Approved by <@\w+>.*, <!date[^>]*>, but not done in time/);
  });

  test("an approved action is open until it is used or void", () => {
    const approved = inputRequest({ state: "approved", execute_until: "2026-01-01T00:00:00Z" });
    expect(isClosed(approved, Date.parse("2026-01-01T00:00:30Z"))).toBe(false);
    expect(isClosed(approved, Date.parse("2026-01-01T00:02:00Z"))).toBe(true);
    expect(isClosed(inputRequest({ state: "approved" }), 0)).toBe(true);
    expect(isClosed(inputRequest(), Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});

test("a handle is read as it was written, and nothing else is one", () => {
  const handle = { of: "input", verb: "choose", id: "inp_0123456789abcdef" } as const;
  expect([readHandle(handleText(handle)), readHandle(handleText(handle, 3))]).toEqual([handle, handle]);
  for (const text of [
    "",
    "input:steal:inp_0123456789abcdef",
    "input:approve:short",
    "x input:approve:inp_0123456789abcdef",
  ])
    expect(readHandle(text)).toBeUndefined();
});

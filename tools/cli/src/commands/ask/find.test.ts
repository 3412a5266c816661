import type { AgentCall, MessageLife, TaskLife } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { refusing, startFakeZone } from "../../testing/fake-zone.ts";
import { endedRun } from "../../testing/run-fixture.ts";
import { message, reference, task as recorded } from "../../testing/records.ts";
import { runCli } from "../../testing/run-cli.ts";

const at = (ms: number): string => new Date(Date.parse("2026-11-21T09:30:00Z") + ms).toISOString();
const call: AgentCall = {
  agent: "counter",
  state: "failed",
  attempts: 4,
  error_kind: "unreachable",
  error_message: "127.0.0.1:4001 refuses connections: nothing listens there",
  created_at: at(250),
  deadline: at(600_000),
  ended_at: at(8_250),
};
const task = { ...recorded, agent_calls: [call] };
const asked: TaskLife["input_requests"][number] = {
  request_id: "inp_0123456789abcdef",
  kind: "approve",
  state: "denied",
  agent: "payer",
  decide: { people: ["U2"], groups: ["S1"], requester: true, approve: 1, deny: 1 },
  decided_by: ["U2"],
  created_at: at(3_000),
  expires_at: at(60_000),
  decided_at: at(5_000),
};
const model = { agent: "assistant", model: "anthropic/m", at: at(1_000), input_tokens: 90, output_tokens: 10 };
const life: TaskLife = {
  task,
  model_calls: [{ ...model, cached_input_tokens: 0, cost: 0.01, estimated: false }],
  tool_calls: [
    { agent: "assistant", server: "wiki", tool: "find", at: at(1_200), ended_at: at(2_600), outcome: "failed" },
  ],
  input_requests: [asked],
  steps: [
    {
      path: "pay",
      type: "agent",
      agent_name: "payer",
      state: "failed",
      attempt: 2,
      started_at: at(2_000),
      ended_at: at(6_000),
    },
  ],
};
const shown: MessageLife = { reference, reported: true, message, tasks: [life] };

test("W17, Q34: the whole life of a message is shown by its reference, from execution alone", async () => {
  const zone = await startFakeZone({ [`GET /messages/${reference}`]: shown });
  const { out, err, code } = await runCli(zone.url, ["find", "Reference:", reference]);
  expect([code, err]).toEqual([0, ""]);
  const [way = "", facts] = out.split("\n\n");
  expect(way.split("\n").map((line) => line.trimEnd())).toEqual(
    [
      `${reference}, ${at(0)}`,
      "AFTER  STAGE",
      "+0ms   received  from U1 in C1, thread 1732184531.000200, workspace T1",
      "+20ms  judged    allowed by the policy",
      `+200ms asked     counter\\u001b[2J of words, task ${task.task_id}`,
    ]
      .map((line) => expect.stringMatching(new RegExp(`^${RegExp.escape(line).replaceAll(/ +|\\x20+/g, "\\s+")}$`)))
      .concat([
        expect.stringMatching(/^\+1\.0s +model +assistant, anthropic\/m: 90 tokens in, 10 out, \$0\.01$/),
        expect.stringMatching(/^\+1\.2s +tool +assistant, find of wiki: failed, took 1\.4s$/),
        expect.stringMatching(/^\+3\.0s +waits +payer asks U2, S1, the requester \(approve\)$/),
        expect.stringMatching(/^\+5\.0s +decided +denied by U2$/),
        expect.stringMatching(/^\+6\.0s +step +pay, payer, attempt 2: failed$/),
        expect.stringMatching(/^\+8\.3s +tried +counter, 4 attempts: 127\.0\.0\.1:4001 refuses/),
        expect.stringMatching(/^\+8\.5s +ended +Agent unavailable/),
        expect.stringMatching(/^\+9\.0s +posted +its answer is in Slack$/),
        expect.stringMatching(/^\+9\.1s +answered +after 1 attempt$/),
      ]),
  );
  expect(facts).toMatch(/^task +bc81fc9b\S+\nagent +counter\\u001b\[2J of words\nstate +error after 8\.3s\n/);
  expect(facts).toMatch(/^detail +no tokens\\u001b\[2J$/m);
  const asJson = await runCli(zone.url, ["find", reference, "--json"]);
  expect(JSON.parse(asJson.out)).toEqual(shown);
});

test("X26: the task of another caller who chose the same reference is marked", async () => {
  const foreign = { ...life, task: { ...task, caller: "token:ci" }, of_another: true };
  const zone = await startFakeZone({ [`GET /messages/${reference}`]: { ...shown, tasks: [life, foreign] } });
  const { out } = await runCli(zone.url, ["find", reference]);
  expect(out.match(/no part of this: token:ci chose the same reference/g)).toHaveLength(1);
});

test("a denied message shows its rule, and one that verification has not reported says so", async () => {
  const denied = { ...message, state: "denied", rule: "no_guests", reason: "guest", attempts: 0, posted_at: undefined };
  const other = "0198c0de-7a11-7000-8000-000000000001";
  const zone = await startFakeZone({
    [`GET /messages/${reference}`]: { reference, reported: true, message: denied, tasks: [] },
    [`GET /messages/${other}`]: { reference: other, reported: false, tasks: [life] },
  });
  const { out, err } = await runCli(zone.url, ["find", reference]);
  expect([err, out]).toEqual(["", expect.stringMatching(/denied +by the policy's rule no_guests: guest\n$/)]);
  expect(out).not.toMatch(/judged|posted/);
  const early = await runCli(zone.url, ["find", other]);
  expect(early.err).toMatch(/^Verification has not reported the message/);
  expect(early.out).toMatch(/^\S+, \S+\nAFTER +STAGE\n\+0ms +asked +counter/);
});

test("W17: a link, and a person with a time, find one message, or list what there is to choose", async () => {
  const second = { ...message, reference: "c-2", state: "open" };
  const listed = [{ message, task }, { message: second }];
  const link = "https://acme.slack.com/archives/C1/p1732184999000100?thread_ts=1732184531.000200&cid=C1";
  const range = "since=2026-11-21T09%3A15%3A00.000Z&until=2026-11-21T09%3A45%3A00.000Z";
  const zone = await startFakeZone({
    "GET /messages?limit=20&channel=C1000&ts=1732184999.000100": { messages: [] },
    "GET /messages?limit=20&channel=C1000&ts=1732184531.000200": { messages: [{ message, task }] },
    [`GET /messages?limit=20&${range}&person=Alice`]: { messages: listed, next_cursor: "1_c" },
    "GET /messages?limit=20&person=Nobody": { messages: [] },
    [`GET /messages/${reference}`]: shown,
  });
  const byLink = await runCli(zone.url, ["find", link.replaceAll("C1", "C1000")]);
  expect(byLink.out).toContain(`${reference}, ${at(0)}\nAFTER`);
  const { out, err } = await runCli(zone.url, ["find", "Alice", "2026-11-21T09:30:00Z"]);
  expect(out).toMatch(/^AGE +STATE +PERSON +CHANNEL +ASKED +AGENT +WHY +REFERENCE\n/);
  expect(out).toMatch(/ answered +U1 +C1 +counter\S+ of words +Agent unavailable +f8a53243\n\S.* open +U1 +C1 +c-2\n$/);
  expect(err).toBe("There are more: --cursor 1_c shows the next page.\n");
  expect((await runCli(zone.url, ["find", "Nobody"])).out).toBe("No messages.\n");
  expect((await runCli(zone.url, ["find", "Alice", "25:99"])).code).toBe(2);
});

test("Q21: what failed today, and who waits for Bob, are one command each, with names and words", async () => {
  const today = new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
  const names = { U1: "Alice Berger", UBOB: "Bob Carter", C1: "#general" };
  const failed = { message: { ...message, reason: "Unknown agent" }, standing: "failed" };
  const waiting = {
    message: { ...message, channel: "D1" },
    standing: "waiting",
    waits_for: ["UBOB"],
    task: { ...recorded, error: undefined, title: "100 EUR to Acme" },
  };
  const zone = await startFakeZone({
    [`GET /messages?limit=20&since=${encodeURIComponent(today)}&state=failed`]: { messages: [failed], names },
    "GET /messages?limit=20&state=waiting&person=Bob": { messages: [waiting], names },
    [`GET /messages/${reference.slice(0, 8)}`]: { ...shown, standing: "failed", names: { ...names, U2: "Bob Carter" } },
  });
  const one = await runCli(zone.url, ["find", "--state", "failed", "--since", "today"]);
  expect([one.code, one.err]).toEqual([0, ""]);
  expect(one.out).toMatch(/ failed +Alice Berger +#general +Unknown agent +f8a53243\n$/);
  const who = await runCli(zone.url, ["find", "Bob", "--state", "waiting"]);
  expect(who.out).toMatch(
    / waiting +Alice Berger +direct message +100 EUR to Acme +counter.* +waits for Bob Carter +f8a53243\n$/,
  );
  const way = await runCli(zone.url, ["find", reference.slice(0, 8)]);
  expect(way.out).toMatch(
    /from Alice Berger in #general,[^]*asks Bob Carter, S1, the requester[^]*denied by Bob Carter[^]*\+9\.1s +failed /,
  );
  expect((await runCli(zone.url, ["find", "--state", "lost"])).err).toContain(
    "--state must be one of open, waiting, answered, failed",
  );
  expect((await runCli(zone.url, ["find"])).code).toBe(2);
});

test("an unknown reference gets the nearest one as a suggestion, and a run without a message its command", async () => {
  const [near, run] = [reference.replace("f8a5", "f8b5"), "0198c0de-7a11-7000-8000-000000000001"];
  const zone = await startFakeZone({
    [`GET /messages/${near}`]: refusing("message-not-found"),
    [`GET /runs/${near}`]: refusing("run-not-found"),
    "GET /tasks?limit=200": { tasks: [task], total: 1 },
    [`GET /messages/${run}`]: refusing("message-not-found"),
    [`GET /runs/${run}`]: endedRun,
  });
  expect(await runCli(zone.url, ["find", near])).toEqual({
    code: 3,
    out: "",
    err: `No message and no task has the reference or id "${near}". Did you mean ${reference}?\n`,
  });
  expect((await runCli(zone.url, ["find", run])).err).toBe(
    `No message started the run ${run}. Show it: crosszone runs show ${run}\n`,
  );
});

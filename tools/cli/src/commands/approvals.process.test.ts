// suite: rest
import type { InputRequest, TaskRecord } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { problem, runCli, startFakeZone, type FakeAnswer } from "../testing/fake-zone.ts";
import { endedRun } from "../testing/run-fixture.ts";

const id = "inp_3f2a5c6d7e8f90123f2a5c6d7e8f9012";
const digest = "ab".repeat(32);
const refund: InputRequest = {
  request_id: id,
  task_id: "bc81fc9b-e33d-4ef0-9c4a-a27cc023bd3b",
  kind: "approve",
  state: "open",
  version: 2,
  seq: 7,
  title: "Refund 100 EUR?\u001b[2J",
  body: "Order 17\nwas broken.\u001b[2J",
  action: { agent: "shop", tool: "refund", arguments: { order: 17, note: "long ".repeat(100) }, digest },
  decide: { people: ["U1", "token:ci"], groups: ["S1"], requester: true, approve: 2, deny: 1 },
  escalate: ["U5"],
  visibility: "thread",
  agent: "shop",
  requester: "U9",
  channel: "C1",
  thread_ts: "1764000000.000100",
  created_at: "2026-11-25T10:00:00.000Z",
  expires_at: "2026-11-26T10:00:00.000Z",
  remind_at: "2026-11-25T18:00:00.000Z",
  votes: [{ user_id: "U1", verdict: "approve", via: "slack", reason: "seen", at: "2026-11-25T11:00:00.000Z" }],
};

const listOf = (...input_requests: readonly InputRequest[]) => ({
  input_requests,
  ...(input_requests.length > 0 && { next_cursor: "7" }),
});
const notFound: FakeAnswer = (response) => problem(response, { kind: "input-request-not-found", status: 404 });

/** A zone with this request, whose answers have an outcome. */
const zoneWith = (request: InputRequest, outcome = "decided", after: Partial<InputRequest> = {}) =>
  startFakeZone({
    [`GET /input-requests/${id}`]: request,
    [`POST /input-requests/${id}/answer`]: { outcome, input_request: { ...request, ...after } },
  });

test("approvals are listed with the people who can decide them, filtered by state and task", async () => {
  const zone = await startFakeZone({
    "GET /input-requests?limit=20": listOf(refund),
    "GET /input-requests?limit=1&cursor=7&state=open&task_id=t-1": listOf(),
  });
  const { out, err, code } = await runCli(zone.url, ["approvals"]).done;
  expect(code).toBe(0);
  expect(out).toMatch(/^APPROVAL +STATE +AGE +TITLE +DECIDES\ninp_\S{32} +open +\S+ \S+ +Refund 100 EUR\?\\u001b/);
  expect(out).toMatch(/ U1, token:ci, members of S1, the requester \(U9\), U5 after the first reminder\n$/);
  expect(err).toBe("There are older ones: --cursor 7 shows them.\n");
  const open = ["--state", "open", "--task", "t-1", "--limit", "1", "--cursor", "7"];
  const none = await runCli(zone.url, ["approvals", "list", ...open]).done;
  expect(none.out).toBe("No approvals.\n");
  const wrong = await runCli(zone.url, ["approvals", "--state", "opn"]).done;
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("Did you mean open?")]);
});

test("a request is shown whole: the arguments uncut, who decides, the votes and the digest", async () => {
  const zone = await zoneWith(refund);
  const { out, code } = await runCli(zone.url, ["approvals", "show", id]).done;
  expect(code).toBe(0);
  expect(out).toContain("state       open, 1 of 2 approvals\n");
  expect(out).toContain("decides     U1, token:ci, members of S1, the requester (U9), U5 after the first reminder\n");
  expect(out).toContain("\n  Order 17\n  was broken.\\u001b[2J\n");
  expect(out).toContain(`digest  ${digest}\narguments: {\n  "order": 17,\n  "note": "${"long ".repeat(100)}"\n}\n`);
  expect(out).toMatch(/\nU1 +approve +slack +2026-11-25T11:00:00.000Z +seen\n$/);
  expect(out).not.toContain("\u001b");
  const json = await runCli(zone.url, ["approvals", "show", id, "--json"]).done;
  expect(JSON.parse(json.out)).toEqual(refund);
});

test("an approval carries the digest of the action that the command has shown, and counts or decides", async () => {
  const zone = await zoneWith(refund, "counted");
  const { out, err, code } = await runCli(zone.url, ["approvals", "decide", id, "approve", "--reason", "ok"]).done;
  expect([code, out]).toEqual([0, "Counted. The request is open, 1 of 2 approvals.\n"]);
  expect(err).toContain('"order": 17');
  expect(zone.requestsFor(`POST /input-requests/${id}/answer`)).toMatchObject([
    { body: { answer: { verdict: "approve", reason: "ok" }, digest } },
  ]);
});

test("an answer that came too late exits 1 and says why", async () => {
  const vote = { user_id: "U2", verdict: "deny", via: "slack", at: "2026-11-25T11:00:00.000Z" } as const;
  const zone = await zoneWith(refund, "already_decided", {
    state: "denied",
    votes: [vote],
    answer: { verdict: "deny" },
  });
  const { out, code } = await runCli(zone.url, ["approvals", "decide", id, "approve"]).done;
  expect([code, out]).toEqual([1, "Not counted: already decided. The request is denied (U2).\n"]);
});

test("a token that the deciders don't name gets the zone's reason, and exits 3", async () => {
  const detail = "Only U1 and token:ci decide this request.";
  const zone = await startFakeZone({
    [`GET /input-requests/${id}`]: refund,
    [`POST /input-requests/${id}/answer`]: (response) =>
      problem(response, { kind: "not-a-decider", status: 403, detail }),
  });
  const { err, code } = await runCli(zone.url, ["approvals", "decide", id, "approve"]).done;
  expect([code, err]).toEqual([3, expect.stringContaining(detail)]);
});

test("an answer that does not fit is not sent", async () => {
  const zone = await zoneWith(refund);
  const { err, code } = await runCli(zone.url, ["approvals", "decide", id, "aprove"]).done;
  expect([code, err]).toEqual([2, expect.stringContaining("with approve or deny. Did you mean approve?")]);
  expect(zone.requests).toHaveLength(1);
});

test("a request is withdrawn by the beginning of its id; an unknown one gets the nearest", async () => {
  const zone = await startFakeZone({
    "GET /input-requests/inp_3f2a": notFound,
    "GET /input-requests/inq": notFound,
    "GET /input-requests?limit=200": listOf(refund),
    [`POST /input-requests/${id}/withdraw`]: {
      ...refund,
      state: "withdrawn",
      closed_because: "Withdrawn by ci.",
      withdraw_reason: "asked twice",
    },
  });
  const { out, code } = await runCli(zone.url, ["approvals", "withdraw", "inp_3f2a", "--reason", "asked twice"]).done;
  expect([code, out]).toEqual([0, "Refund 100 EUR?\\u001b[2J: withdrawn: Withdrawn by ci. asked twice\n"]);
  expect(zone.requestsFor(`POST /input-requests/${id}/withdraw`)).toMatchObject([{ body: { reason: "asked twice" } }]);
  const unknown = await runCli(zone.url, ["approvals", "show", "inq"]).done;
  expect(unknown).toMatchObject({ code: 3, err: 'No approval has the id "inq". crosszone approvals lists them.\n' });
});

test("a task and a run show what they wait for, and how to see more", async () => {
  const task: TaskRecord = {
    task_id: "t-1",
    state: "input_required",
    caller: "verification",
    agent: "shop",
    correlation_id: "c-1",
    attempts: 1,
    created_at: "2026-11-25T10:00:00.000Z",
    deadline: "2026-11-25T10:10:00.000Z",
  };
  const step = { path: "ok", step_id: "ok", type: "human", state: "running", attempt: 1 } as const;
  const zone = await startFakeZone({
    "GET /messages/t-1": {
      reference: "c-1",
      reported: false,
      tasks: [{ task, model_calls: [], input_requests: [], steps: [] }],
    },
    "GET /input-requests?task_id=t-1&state=open&limit=20": listOf(refund),
    "GET /runs/run-1": { ...endedRun, state: "running", steps: [step] },
    "GET /input-requests?run_id=run-1&state=open&limit=20": listOf(refund),
  });
  const shownTask = await runCli(zone.url, ["find", "task", "t-1"]).done;
  const shownRun = await runCli(zone.url, ["runs", "show", "run-1"]).done;
  for (const { out } of [shownTask, shownRun]) {
    expect(out).toContain("\nwaits for  U1, token:ci, members of S1, the requester (U9)");
    expect(out).toContain(`approval   ${id} (crosszone approvals show ${id})\n`);
  }
});

import type { InputRequest, TaskRecord } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { UsageError } from "../program/session.ts";
import { type FakeAnswers, refusing } from "../testing/fake-zone.ts";
import { task } from "../testing/records.ts";
import { testCommands } from "../testing/run-cli.ts";
import { endedRun } from "../testing/run-fixture.ts";
import { readAnswer } from "./approvals.ts";

const id = "inp_3f2a5c6d7e8f90123f2a5c6d7e8f9012";
const other = "inp_3f2a5c6d000000003f2a5c6d00000000";
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

const older = { input_requests: [refund], next_cursor: "7" };
const answers = `POST /input-requests/${id}/answer`;
const shownAction = ['"order": 17', digest];
const running: TaskRecord = { ...task, task_id: "t-1", state: "input_required" };
const step = { path: "ok", step_id: "ok", type: "human", state: "running", attempt: 1 } as const;
const waits = [
  "\nwaits for  U1, token:ci, members of S1, the requester U9",
  `approval   inp_3f2a5c6d (crosszone approvals show inp_3f2a5c6d)\n`,
];

/** Answers with this outcome. */
const zoneOf = (outcome: string, after: Partial<InputRequest> = {}): FakeAnswers => ({
  [answers]: { outcome, input_request: { ...refund, ...after } },
});
const vote = { user_id: "U2", verdict: "deny", via: "slack", at: "2026-11-25T11:00:00.000Z" } as const;
const late = zoneOf("already_decided", { state: "denied", votes: [vote], answer: { verdict: "deny" } });
const whoDecides =
  "Only U1, members of S1, the requester U9 or U5 after a reminder, in Slack, or token:ci, through the API, can decide this. 2 approvals are needed.";
const detail = `${whoDecides} You are token:other.`;
const withdrawn = { state: "withdrawn", closed_because: "Withdrawn by ci.", withdraw_reason: "asked twice" };

const zone: FakeAnswers = {
  [`GET /input-requests/${id}`]: refund,
  "GET /input-requests?limit=20": older,
  "GET /input-requests?limit=200": older,
  "GET /input-requests?limit=1&cursor=7&state=open&task_id=t-1": { input_requests: [] },
  "GET /input-requests?id=inp_3f2a&limit=3": older,
  "GET /input-requests?id=inp_3&limit=3": { input_requests: [refund, { ...refund, request_id: other }] },
  "GET /input-requests?id=inp_ffff&limit=3": { input_requests: [] },
  "GET /input-requests/inp_ffff": refusing("input-request-not-found"),
  "GET /input-requests/inq": refusing("input-request-not-found"),
  [`POST /input-requests/${id}/withdraw`]: { ...refund, ...withdrawn },
  "GET /messages/t-1": {
    reference: "c-1",
    reported: false,
    tasks: [{ task: running, model_calls: [], input_requests: [], steps: [] }],
  },
  "GET /input-requests?task_id=t-1&state=open&limit=20": older,
  "GET /runs/run-1": { ...endedRun, ended_at: undefined, state: "running", remaining_ms: 3_360_000, steps: [step] },
  "GET /input-requests?run_id=run-1&state=open&limit=20": older,
};

testCommands(zone, [
  [
    "approvals are listed with the people who can decide them",
    "approvals",
    {
      out: [
        /^APPROVAL +STATE +AGE +TITLE +DECIDES\ninp_3f2a5c6d +open +\S+ \S+ +Refund 100 EUR\?\\u001b/,
        / U1, token:ci, members of S1, the requester U9, U5 after a reminder \(2 approvals needed\)\n$/,
      ],
      err: "There are more: --cursor 7 shows the next page, --all shows all.\n",
    },
  ],
  [
    "approvals are filtered by state and task",
    "approvals list --state open --task t-1 --limit 1 --cursor 7",
    { out: "No approvals.\n" },
  ],
  [
    "a request is shown whole: the arguments uncut, who decides, the votes and the digest",
    `approvals show ${id}`,
    {
      out: [
        "state       open, 1 of 2 approvals\n",
        `decides     ${whoDecides}\n`,
        "\n  Order 17\n  was broken.\\u001b[2J\n",
        `digest  ${digest}\narguments: {\n  "order": 17,\n  "note": "${"long ".repeat(100)}"\n}\n`,
        /^\P{Cc}*(?:\n\P{Cc}*)*\nU1 +approve +slack +2026-11-25T11:00:00.000Z +seen\n$/u,
      ],
    },
  ],
  [
    "an approval carries the digest of the action that the command has shown, and counts or decides",
    `approvals decide ${id} approve --reason ok`,
    {
      zone: zoneOf("counted"),
      out: "Counted. The request is open, 1 of 2 approvals.\n",
      err: shownAction,
      sends: [[answers, { answer: { verdict: "approve", reason: "ok" }, digest }]],
    },
  ],
  [
    "an answer that came too late exits 1 and says why",
    `approvals decide ${id} approve`,
    {
      zone: late,
      code: 1,
      out: "Not counted: already decided. The request is denied (U2).\n",
      err: shownAction,
      sends: [[answers, { answer: { verdict: "approve" }, digest }]],
    },
  ],
  [
    "Q31: a token that the deciders don't name reads one sentence, and exits 3",
    `approvals decide ${id} approve`,
    {
      zone: { [answers]: refusing("not-a-decider", 403, { detail }) },
      code: 3,
      err: `${detail}\n`,
      sends: [[answers, { answer: { verdict: "approve" }, digest }]],
    },
  ],
  [
    "an answer that does not fit is not sent",
    `approvals decide ${id} aprove`,
    { code: 2, err: ["with approve or deny. Did you mean approve?"] },
  ],
  [
    "a request is withdrawn by the beginning of its id",
    'approvals withdraw inp_3f2a --reason "asked twice"',
    {
      out: "Refund 100 EUR?\\u001b[2J: withdrawn: Withdrawn by ci. asked twice\n",
      sends: [[`POST /input-requests/${id}/withdraw`, { reason: "asked twice" }]],
    },
  ],
  [
    "Q32: a beginning that two have names both",
    "approvals show inp_3",
    { code: 2, err: [`Several begin with "inp_3": ${id}, ${other}. Type more of the one that you mean.`] },
  ],
  [
    "Q32: a beginning that none has gets the nearest ones",
    "approvals show inp_ffff",
    { code: 3, err: 'It is refused: "inp_ffff". crosszone approvals lists them.\n' },
  ],
  [
    "an unknown request gets the list",
    "approvals show inq",
    { code: 3, err: 'It is refused: "inq". crosszone approvals lists them.\n' },
  ],
  [
    "a task shows what it waits for, and how to see more",
    "find task t-1",
    { out: waits, err: /^Verification has not/ },
  ],
  [
    "Q26: a run shows that it waits, for what, and that its deadline is paused",
    "runs show run-1",
    { out: [...waits, /^state +waiting$/m, /^deadline +paused, 56m 00s left$/m] },
  ],
]);

const text: InputRequest = { ...refund, kind: "text" };
const options = [
  { value: "staging", label: "Staging" },
  { value: "deny", label: "None of them" },
];
const choice: InputRequest = { ...refund, kind: "choose", options };
const form: InputRequest = {
  ...refund,
  kind: "form",
  schema: {
    type: "object",
    properties: { days: { type: "integer" }, note: { type: "string" }, paid: { type: "boolean" } },
    required: ["days"],
  },
};

test("an answer fits the kind of its request, and a form's values have the types of their fields", () => {
  expect(readAnswer(refund, { given: "approve", reason: "seen" })).toEqual({ verdict: "approve", reason: "seen" });
  expect(readAnswer(text, { given: "approve" })).toEqual({ verdict: "answer", value: "approve" });
  expect(readAnswer(choice, { given: "staging" })).toEqual({ verdict: "answer", value: "staging" });
  const value = ["days=3", "note=7=x", "paid=true"];
  expect(readAnswer(form, { value: ["note=3", "days=many"] })).toMatchObject({ values: { note: "3", days: "many" } });
  expect(readAnswer(form, { value })).toEqual({ verdict: "answer", values: { days: 3, note: "7=x", paid: true } });
});

test("deny declines any kind of request, unless an option has this value", () => {
  for (const request of [refund, text, form])
    expect(readAnswer(request, { given: "deny" })).toEqual({ verdict: "deny" });
  expect(readAnswer(choice, { given: "deny" })).toEqual({ verdict: "answer", value: "deny" });
});

test.each<[string, InputRequest, Parameters<typeof readAnswer>[1], string]>([
  ["a missing verdict", refund, {}, 'Answer "Refund 100 EUR?\\u001b[2J" with approve or deny.'],
  ["a field of no form", refund, { given: "approve", value: ["a=1"] }, "--value fills in forms."],
  ["an unknown option", choice, { given: "stagin" }, "with staging or deny. Did you mean staging?"],
  ["an empty text", text, { given: "" }, "with a text, or deny."],
  ["a field without a value", form, { value: ["days"] }, '--value must be name=value, got "days".'],
  [
    "a value and a word",
    form,
    { given: "x", value: ["days=1"] },
    "with --value name=value for each of days, note, paid",
  ],
  ["a reason for a value", text, { given: "x", reason: "y" }, "--reason goes with approve or deny."],
])("%s is an error that says what fits", (...[, request, given, sentence]) => {
  expect(() => readAnswer(request, given)).toThrow(UsageError);
  expect(() => readAnswer(request, given)).toThrow(sentence);
});

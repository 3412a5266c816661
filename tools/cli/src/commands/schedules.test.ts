import type { Fire, Schedule } from "@crosszone/contracts";
import { tempFile } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { deleted, type FakeAnswer, type FakeAnswers, problem, refusing, startFakeZone } from "../testing/fake-zone.ts";
import { runCli, testCommands } from "../testing/run-cli.ts";

const at = "2026-11-30T08:30:00.000Z";
const settings = {
  owner: { team_id: "T1", user_id: "U1" },
  cron: "30 9 * * 1-5",
  zone: "Europe/Berlin",
  agent: "reporter",
  text: "What changed?",
  cap: { fires: 1, tokens: 5_000 },
};
const fire: Fire = {
  fire_id: "0b9c7a52-5f3e-4d0a-9c55-0f6f3f3a1b01",
  source: "schedule",
  name: "daily",
  state: "skipped",
  reason: "The fire before has not ended.",
  owner: settings.owner,
  agent: "reporter",
  scheduled_at: at,
  created_at: at,
};
const schedule: Schedule = {
  name: "daily",
  settings,
  state: "active",
  source: "api",
  next_at: [at],
  last_fire: fire,
  used: { fires: 1, tokens: 900, usd: 0.02 },
  changed_at: at,
  changed_by: "token:ops",
};

const waiting: Schedule = {
  ...schedule,
  name: "nightly",
  state: "paused",
  paused_reason: "Waits for U1 to allow it in Slack.",
  request_id: "consent_0b9c7a52",
  written_by: "token:ops",
};

const withTimes = '--owner T1/U1 --cron "30 9 * * 1-5" --zone Europe/Berlin --tokens 5000';
const zone: FakeAnswers = {
  "POST /schedules": schedule,
  "PATCH /schedules/daily": schedule,
  "GET /schedules/daily": schedule,
  "GET /schedules/nightly": { ...waiting, names: { U1: "Ann Lee" } },
  "GET /schedules?limit=20": { schedules: [schedule, waiting], next_cursor: "daily", names: { U1: "Ann Lee" } },
  "GET /fires?limit=20&name=daily": { fires: [fire] },
  "POST /schedules/daily/pause": { ...schedule, state: "paused", next_at: [] },
  "POST /schedules/daily/resume": schedule,
  "POST /schedules/daily/fire": fire,
  "DELETE /schedules/daily": deleted,
  "GET /schedules/dialy": refusing("schedule-not-found"),
  "GET /schedules/other": refusing("schedule-not-found"),
  "GET /schedules?limit=200": { schedules: [schedule] },
};

testCommands(zone, [
  [
    "Q21: the owner of one is shown by name and id",
    "schedules show nightly",
    { out: [/^state +paused: Waits for Ann Lee to allow/m, /^owner +Ann Lee, T1\/U1$/m] },
  ],
  [
    "a schedule is added by options, and shown with its next times and what it used",
    `schedules add daily ${withTimes} --agent reporter --text "What changed?" --fires 1`,
    {
      out: [/^when +30 9 \* \* 1-5 Europe\/Berlin$/m, /^used today +1 of 1 fires, 900 of 5000 tokens, 0.02 usd$/m],
      sends: [["POST /schedules", { name: "daily", settings }]],
    },
  ],
  [
    "with --json, the settings that are sent are the same",
    `schedules add daily ${withTimes} --agent reporter --text "What changed?" --fires 1 --json`,
    { json: schedule, sends: [["POST /schedules", { name: "daily", settings }]] },
  ],
  ["Q23: a near name is named", "schedules show dialy", { code: 3, err: ["Did you mean daily?"] }],
  ["Q23: no near name", "schedules show other", { code: 3, err: ["crosszone schedules lists them."] }],
  ["a schedule is shown with its question", "schedules show daily", { out: ["What changed?"] }],
  [
    "O26: schedules are listed with the use of their caps",
    "schedules",
    {
      out: /^daily +30 9 \S+ \S+ 1-5 Europe\/Berlin +active +Ann Lee +reporter +1 of 1 fires, 900 of 5000 tokens, 0.02 usd +2026-11-30/m,
      err: ["--cursor daily"],
    },
  ],
  [
    "X18, Q21: a list names whom a schedule waits for",
    "schedules",
    { out: /^nightly +\S.* paused: Waits for Ann Lee to allow it in Slack\. +Ann Lee /m, err: ["--cursor"] },
  ],
  [
    "X18: a schedule is shown with who wrote it and the approval that it waits for",
    "schedules show nightly",
    { out: [/^approval +consent_0b9c7a52$/m, /^written by +token:ops$/m] },
  ],
  [
    "fires are listed",
    "schedules fires daily",
    { out: /^schedule daily +2026-11-30T08:30:00.000Z +skipped The fire before/m },
  ],
  [
    "a schedule is paused",
    "schedules pause daily",
    { out: /^state +paused$/m, sends: ["POST /schedules/daily/pause"] },
  ],
  [
    "a schedule is resumed",
    "schedules resume daily",
    { out: /^state +active$/m, sends: ["POST /schedules/daily/resume"] },
  ],
  [
    "a fire that was skipped exits 1",
    "schedules fire daily",
    { code: 1, out: ["has not ended"], sends: ["POST /schedules/daily/fire"] },
  ],
  ["a schedule is removed", "schedules remove daily", { out: "Removed: daily.\n", sends: ["DELETE /schedules/daily"] }],
]);

test("a schedule is changed by a file and options, and a broken file is named with its line", async () => {
  const { url, requests } = await startFakeZone(zone);
  const add = (file: string, ...more: string[]) => runCli(url, ["schedules", "add", "daily", "--file", file, ...more]);
  const yaml = "name: daily\nagent: triage\nevery_ms: 60000\ninput: {queue: new}\ncap: {fires: 2}\n";
  const changed = await add(tempFile("daily.yaml", yaml), "--every", "30m", "--replace", "--json");
  expect(JSON.parse(changed.out)).toEqual(schedule);
  const body = { agent: "triage", every_ms: 1_800_000, input: { queue: "new" }, cap: { fires: 2 } };
  expect(requests).toMatchObject([{ line: "PATCH /schedules/daily", body }]);
  const { code, err } = await add(tempFile("broken.yaml", "agent: [\n"));
  expect([code, err]).toEqual([2, expect.stringMatching(/broken\.yaml:\d+:\d+/)]);
});

test("Q30: everything that is wrong with a schedule is told at once, by the options that people typed", async () => {
  const problems = [
    { pointer: "/settings/owner", message: "must be object" },
    { pointer: "/settings/cap", message: "is missing" },
    { pointer: "/settings/every_ms", message: "must be integer" },
    { pointer: "/settings/cron", message: "has 61 as minute: write 0 to 59" },
    { pointer: "/settings/text", message: "is needed, or input, but not both" },
    { pointer: "/settings/agent", message: "is no agent or workflow: did you mean reporter?" },
  ];
  const invalid: FakeAnswer = (response) =>
    problem(response, { kind: "invalid-body", status: 422, title: "What was sent is not valid", problems });
  const { url } = await startFakeZone({ "POST /schedules": invalid });
  const file = tempFile("bad.yaml", "agent: reportr\n");
  const line = ["schedules", "add", "x", "--file", file, "--owner", "U1", "--every", "soon", "--cron", "61 9 * * *"];
  const { code, err } = await runCli(url, line);
  expect([code, err.split("\n").map((one) => one.trim())]).toEqual([
    2,
    [
      "What was sent is not valid.",
      '--owner must be TEAM/USER, such as T024BE7LD/U024BE7LH, got "U1"',
      "--fires, --tokens or --usd is missing",
      '--every must be a duration from 100ms to 168h, such as 30s, 5m or 1h, got "soon"',
      "--cron has 61 as minute: write 0 to 59",
      "--text is needed, or input in --file, but not both",
      `agent of ${file} is no agent or workflow: did you mean reporter?`,
      "For help: crosszone schedules add --help",
      "",
    ],
  ]);
});

test("a preview needs no zone: the next times, and the days on which the clock moves them", async () => {
  const preview = (...line: string[]) => runCli("http://127.0.0.1:9", ["schedules", "preview", ...line]);
  const { out, code } = await preview("30 2 * * *", "--zone", "Europe/Berlin");
  expect(code).toBe(0);
  expect(out.split("\n").slice(0, 5)).toEqual(Array(5).fill(expect.stringMatching(/^\w{3} \S+ 02:30 .*Z$|03:00/)));
  expect(out).toMatch(/When the clock changes:\n20\d\d-03-\d\d: 03:00 instead of 02:30\n$/);
  expect(JSON.parse((await preview("0 9 * * *", "--json")).out)).toMatchObject({ clock_changes: [] });
  const wrong = [await preview("30 9 * *"), await preview("@daily"), await preview("0 9 * * *", "--zone", "Mars")];
  expect(wrong.map(({ code: end }) => end)).toEqual([2, 2, 2]);
  expect(wrong.map(({ err }) => err).join("")).toMatch(
    /write five[^]*0 0 \* \* \* instead of @daily[^]*Europe\/Berlin or UTC/,
  );
});

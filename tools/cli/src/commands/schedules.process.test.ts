// suite: rest
import type { Fire, Schedule } from "@crosszone/contracts";
import { tempFile } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { runCli, startFakeZone } from "../testing/fake-zone.ts";

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

test("a schedule is added by options and a file, and shown with its next times and what it used", async () => {
  const zone = await startFakeZone({
    "POST /schedules": schedule,
    "PATCH /schedules/daily": schedule,
    "GET /schedules/daily": schedule,
  });
  const times = ["--owner", "T1/U1", "--cron", "30 9 * * 1-5", "--zone", "Europe/Berlin", "--tokens", "5000"];
  const asked = ["--agent", "reporter", "--text", "What changed?", "--fires", "1"];
  const { code, out } = await runCli(zone.url, ["schedules", "add", "daily", ...times, ...asked]).done;
  expect(code).toBe(0);
  expect(out).toMatch(/^when +30 9 \* \* 1-5 Europe\/Berlin$/m);
  expect(out).toMatch(/^used today +1 of 1 fires, 900 of 5000 tokens$/m);
  expect(zone.requests).toMatchObject([{ line: "POST /schedules", body: { name: "daily", settings } }]);
  const yaml = "name: daily\nagent: triage\nevery_ms: 60000\ninput: {queue: new}\ncap: {fires: 2}\n";
  const file = tempFile("daily.yaml", yaml);
  const changed = ["schedules", "add", "daily", "--file", file, "--every", "30m", "--replace", "--json"];
  expect(JSON.parse((await runCli(zone.url, changed).done).out)).toEqual(schedule);
  const body = { agent: "triage", every_ms: 1_800_000, input: { queue: "new" }, cap: { fires: 2 } };
  expect(zone.requests.at(-1)).toMatchObject({ line: "PATCH /schedules/daily", body });
  expect((await runCli(zone.url, ["schedules", "show", "daily"]).done).out).toContain("What changed?");
  const wrong = await runCli(zone.url, ["schedules", "add", "daily", "--owner", "U1"]).done;
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("such as T024BE7LD/U024BE7LH")]);
  const broken = ["schedules", "add", "daily", "--file", tempFile("broken.yaml", "agent: [\n")];
  const { code: refused, err } = await runCli(zone.url, broken).done;
  expect([refused, err]).toEqual([2, expect.stringMatching(/broken\.yaml:\d+:\d+/)]);
});

test("schedules and fires are listed, and each act is one request", async () => {
  const zone = await startFakeZone({
    "GET /schedules?limit=20": { schedules: [schedule], next_cursor: "daily" },
    "GET /fires?limit=20&name=daily": { fires: [fire] },
    "POST /schedules/daily/pause": { ...schedule, state: "paused", next_at: [] },
    "POST /schedules/daily/resume": schedule,
    "POST /schedules/daily/fire": fire,
    "DELETE /schedules/daily": (response) => void response.writeHead(204).end(),
  });
  const run = (...line: string[]) => runCli(zone.url, ["schedules", ...line]).done;
  const list = await run();
  expect(list.out).toMatch(/^daily +30 9 \S+ \S+ 1-5 Europe\/Berlin +active +U1 +reporter +2026-11-30/m);
  expect(list.err).toContain("--cursor daily");
  expect((await run("fires", "daily")).out).toMatch(
    /^schedule daily +2026-11-30T08:30:00.000Z +skipped The fire before/m,
  );
  expect((await run("pause", "daily")).out).toMatch(/^state +paused$/m);
  expect((await run("resume", "daily")).out).toMatch(/^state +active$/m);
  const fired = await run("fire", "daily");
  expect([fired.code, fired.out]).toEqual([1, expect.stringContaining("has not ended")]);
  expect(await run("remove", "daily")).toMatchObject({ code: 0, out: "Removed: daily.\n" });
});

test("a preview needs no zone: the next times, and the days on which the clock moves them", async () => {
  const preview = (...line: string[]) => runCli("http://127.0.0.1:9", ["schedules", "preview", ...line]).done;
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

// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import {
  appendEveryMs,
  placeMs,
  restMs,
  type StreamPlace,
  streamPlaces,
  createStreamPace,
  type StreamPace,
  createStreamStarts,
  createStreamRefusals,
} from "./streams.ts";
import { createStreamDisplay } from "./stream-display.ts";
import { SlackCallError, type SlackCallFailure } from "../../slack/slack-call-error.ts";
import { createFakeSlack } from "../../testing/fake-slack.ts";
import { openTestDatabase, questionRecord } from "../../testing/test-inbox.ts";
import { createVirtualClock } from "../../testing/working-zone.ts";

const minuteMs = 60_000;

const limits = { startStream: 20, appendStream: 100, stopStream: 20 } as const;

/** The most calls of any minute. */
function mostInAMinute(times: readonly number[]): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + minuteMs).length));
}

test("T4: 60 concurrent answers in two processes stay below Slack's limits, and each stream grows", async () => {
  const database = await openTestDatabase();
  const clock = createVirtualClock();
  onTestFinished(clock.stop);
  const times = { startStream: [] as number[], appendStream: [] as number[], stopStream: [] as number[] };
  const fake = createFakeSlack();
  const timed =
    <Given extends unknown[], Result>(method: keyof typeof times, call: (...given: Given) => Promise<Result>) =>
    (...given: Given): Promise<Result> => {
      times[method].push(clock.now());
      return call(...given);
    };
  const slack = {
    ...fake,
    startStream: timed("startStream", fake.startStream),
    appendStream: timed("appendStream", fake.appendStream),
    stopStream: timed("stopStream", fake.stopStream),
  };
  const processes = [1, 2].map(() =>
    createStreamStarts({ slack, clock, pace: createStreamPace(database, clock.now), team_id: "T1" }),
  );
  const until = new AbortController().signal;

  const answer = async (number: number): Promise<number> => {
    await clock.sleep(number * 200);
    const started = await processes[number % 2]?.start(questionRecord({ ts: `${number}.0` }), until);
    if (started?.stream === undefined) return 0;
    const { stream } = started;
    const work = { text: "", people: new Set<string>(), progress: undefined };
    const display = createStreamDisplay({
      clock,
      stream,
      work: () => work,
      mark: { request_id: `${number}`, correlation_id: "c", state: "working" },
      until,
      onStopped: () => undefined,
      onTrouble: (error) => expect(error).toBeUndefined(),
      onLeft: () => expect.unreachable(),
    });
    for (let words = 0; words < 300; words += 1) {
      work.text += `word${words} `;
      display.changed();
      await clock.sleep(200);
    }
    await display.end();
    const { text } = work;
    const grown = fake.messages.find(({ ts }) => ts === stream.ts)?.streamed?.length ?? 0;
    const mark = { request_id: `${number}`, correlation_id: "c", state: "done" } as const;
    expect(await display.finish({ state: "done", text, title: "Answered" }, mark)).toBe(true);
    expect(fake.messages.find(({ ts }) => ts === stream.ts)?.text).toBe(text);
    return grown;
  };

  const rounds = [0, 1].map((round) => Array.from({ length: 30 }, (_none, index) => round * 700 + index));
  const grown = await Promise.all(rounds.flat().map(answer));
  for (const [method, limit] of Object.entries(limits))
    expect([method, mostInAMinute(times[method as keyof typeof times]) <= limit]).toEqual([method, true]);
  expect(grown.filter((calls) => calls > 0)).toHaveLength(40);
  expect(Math.min(...grown.filter((calls) => calls > 0))).toBeGreaterThan(3);
  expect(times.appendStream.length).toBeGreaterThan(100);
  expect(times.stopStream).toHaveLength(times.startStream.length);
});

test.each<[string, SlackCallFailure, { readonly here: boolean; readonly elsewhere: boolean; readonly ms: number }]>([
  ["missing_recipient_user_id", "refused", { here: true, elsewhere: true, ms: 600_000 }],
  ["feature_disabled", "refused", { here: true, elsewhere: true, ms: 600_000 }],
  ["channel_type_not_supported", "refused", { here: true, elsewhere: false, ms: 600_000 }],
  ["restricted_action", "refused", { here: true, elsewhere: false, ms: 600_000 }],
  ["ratelimited", "rate_limited", { here: true, elsewhere: true, ms: 7_000 }],
  ["invalid_thread_ts", "refused", { here: false, elsewhere: false, ms: 0 }],
  ["restricted_action_thread_locked", "refused", { here: false, elsewhere: false, ms: 0 }],
  ["cannot_reply_to_message", "refused", { here: false, elsewhere: false, ms: 0 }],
  ["http_500", "unavailable", { here: false, elsewhere: false, ms: 0 }],
])(
  "after %s (%s), no stream is started for a while where it would fail again",
  (code, failure, { here, elsewhere, ms }) => {
    let now = 1_000;
    const refusals = createStreamRefusals({ now: () => now, sleep: async () => undefined });
    const limit = failure === "rate_limited" && { retryAfterMs: 7_000 };
    refusals.add("C1", new SlackCallError("chat.startStream", { failure, code, ...limit }));
    expect([refusals.has("C1"), refusals.has("C2")]).toEqual([here, elsewhere]);
    now += ms - 1;
    expect([refusals.has("C1"), refusals.has("C2")]).toEqual([here, elsewhere]);
    now += 1;
    expect([refusals.has("C1"), refusals.has("C2")]).toEqual([false, false]);
  },
);

onBothEngines("the pace of streams", (newDatabase) => {
  const start = async () => {
    const database = await openTestDatabase(await newDatabase());
    let now = 1_000_000;
    const pace = createStreamPace(database, () => now);
    const pass = (ms: number): void => void (now += ms);
    return { database, pace, pass };
  };
  const beginAll = async (pace: StreamPace, team: string, count: number): Promise<StreamPlace[]> =>
    (await Promise.all(Array.from({ length: count }, () => pace.begin(team)))).filter((place) => place !== undefined);

  test("T4: a workspace has 20 stream slots, each used once, even under concurrent requests", async () => {
    const { pace } = await start();
    const places = await beginAll(pace, "T1", 2 * streamPlaces);
    expect(places.map(({ place }) => place).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: streamPlaces }, (_none, index) => index + 1),
    );
    expect(await pace.begin("T2")).toMatchObject({ team_id: "T2", place: 1 });
  });

  test("a slot becomes free a minute after its stream ended, and some time after its process crashed", async () => {
    const { pace, pass } = await start();
    const [place, ...others] = await beginAll(pace, "T1", streamPlaces);
    await pace.end(place as StreamPlace);
    pass(restMs - 1);
    expect(await pace.begin("T1")).toBeUndefined();
    pass(1);
    const again = await pace.begin("T1");
    expect(again?.place).toBe(place?.place);
    expect(await pace.begin("T1")).toBeUndefined();
    pass(placeMs - restMs);
    const next = await beginAll(pace, "T1", streamPlaces);
    expect(new Set(next.map(({ place: one }) => one))).toEqual(new Set(others.map(({ place: one }) => one)));
  });

  test("a process that returns late ends no stream of another process", async () => {
    const { pace, pass } = await start();
    const [late] = await beginAll(pace, "T1", streamPlaces);
    pass(placeMs);
    expect(await beginAll(pace, "T1", streamPlaces)).toHaveLength(streamPlaces);
    await pace.end(late as StreamPlace);
    pass(restMs);
    expect(await pace.begin("T1")).toBeUndefined();
  });

  test("T4: turns of a workspace are 600 ms apart across processes; a pause delays all later turns", async () => {
    const { pace, pass } = await start();
    expect(await Promise.all([1, 2, 3].map(() => pace.turn("T1")))).toEqual(expect.arrayContaining([0, 600, 1_200]));
    expect(await pace.turn("T2")).toBe(0);
    pass(10_000);
    expect(await pace.turn("T1")).toBe(0);
    await pace.pause("T1", 30_000);
    expect(await pace.turn("T1")).toBe(appendEveryMs + 30_000);
  });

  test("uses the clock of the database by default", async () => {
    const { database } = await start();
    const pace = createStreamPace(database);
    expect(await pace.turn("T1")).toBe(0);
    const wait = await pace.turn("T1");
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(appendEveryMs);
    const place = await pace.begin("T1");
    expect(Math.abs((place?.free_at ?? 0) - Date.now() - placeMs)).toBeLessThan(60_000);
  });
});

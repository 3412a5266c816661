// suite: rest
import type { DevSlack } from "@crosszone/dev-slack";
import { tune } from "@crosszone/testkit/tune";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { overSocket, startCrosszone } from "../harness/start-crosszone.ts";

const start = (env: Readonly<Record<string, string>> = {}, more: Parameters<typeof startCrosszone>[0] = {}) =>
  startCrosszone({ ...overSocket, env: { ...overSocket.env, ...env }, ...more });
type Zones = Awaited<ReturnType<typeof start>>;

const opened = ({ control }: DevSlack): number =>
  control.traffic().filter(({ name, status }) => name === "apps.connections.open" && status === 200).length;
const answers = async ({ answerTo, write }: Zones, text = "2+2"): Promise<void> =>
  expect((await answerTo(write({ text }))).text).toContain("4");
const oddities = ({ log }: Zones): unknown[] =>
  log.flatMap(({ event, reason }) => (event === "slack_frame_left_out" ? [reason] : []));
const events = (payload: unknown): string => JSON.stringify({ type: "events_api", envelope_id: "e1", payload });
const callback = (event: unknown): string => events({ type: "event_callback", event });

test("W21: an odd frame is one line of the log, and the next event is answered", async () => {
  const zones = await start();
  const frames: readonly (readonly [frame: string, reason: string])[] = [
    ["null", "no_object"],
    ["[]", "no_object"],
    ["5", "no_object"],
    ["no JSON", "no_json"],
    ["{}", "no_type"],
    ['{"type":null,"envelope_id":"e1","payload":{}}', "no_type"],
    ['{"type":"events_api"}', "no_envelope_id"],
    ['{"type":"events_api","envelope_id":"e1"}', "no_payload"],
    [events(null), "no_payload"],
    [events({}), "no_event"],
    [callback(null), "no_event"],
    [callback({}), "no_event"],
    [callback({ type: "message", channel: null }), "malformed"],
    [callback({ type: "reaction_added", item: null }), "malformed"],
    ['{"type":"interactive","envelope_id":"e1","payload":null}', "no_payload"],
    ['{"type":"slash_commands","envelope_id":"e1","payload":null}', "no_payload"],
  ];
  for (const [at, [frame, reason]] of frames.entries()) {
    zones.slack.control.sendFrame(frame);
    await vi.waitFor(() => expect(oddities(zones)).toHaveLength(at + 1));
    expect([frame, oddities(zones).at(-1)]).toEqual([frame, reason]);
  }
  await answers(zones);
  expect([opened(zones.slack), oddities(zones).length]).toEqual([1, frames.length]);
});

test("W21: no JSON value ends the process, wherever a frame has it", async () => {
  const zones = await start();
  const values = fc.sample(fc.jsonValue({ maxDepth: 2 }), 60);
  const places = [
    (value: unknown) => value,
    (type: unknown) => ({ type, envelope_id: "e1", payload: {} }),
    (payload: unknown) => ({ type: "events_api", envelope_id: "e1", payload }),
    (payload: unknown) => ({ type: "interactive", envelope_id: "e1", payload }),
    (event: unknown) => ({ type: "events_api", envelope_id: "e1", payload: { type: "event_callback", event } }),
    (user: unknown) => JSON.parse(callback({ type: "message", channel: "D1", ts: "1.1", text: "x", user })) as unknown,
  ];
  for (const value of values) for (const put of places) zones.slack.control.sendFrame(JSON.stringify(put(value)));
  await answers(zones);
  expect(opened(zones.slack)).toBe(1);
});

test("W21: Slack's notice that it drops events, which has no event, is taken over a socket as well", async () => {
  const zones = await start();
  const limit = { team_id: "T0CROSSZONE", api_app_id: "A0CROSSZONE", minute_rate_limited: 1_518_467_820 };
  zones.slack.control.sendFrame(events({ type: "app_rate_limited", ...limit }));
  await vi.waitFor(() => expect(zones.log.filter(({ event }) => event === "events_limited")).toHaveLength(1));
  expect(oddities(zones)).toEqual([]);
});

test("W22: a socket without a hello is closed, and opened anew until one has it; liveness tells if that takes long", async () => {
  let laterMs = 0;
  const zones = await start(tune({ SOCKET_HELLO_MS: 200 }), {
    verification: ({ clock }) => ({ clock: { ...clock, now: () => Date.now() + laterMs } }),
  });
  const { control } = zones.slack;
  const probe = async (path: string) => (await fetch(zones.verification.url + path)).status;
  control.setSocketMode({ hello: false });
  control.disconnectSockets("refresh_requested");
  const failures = () => zones.log.filter(({ event, code }) => event === "slack_not_identified" && code === "no_hello");
  await vi.waitFor(() => expect(failures().length).toBeGreaterThan(1));
  expect([await probe("/healthz"), await probe("/readyz")]).toEqual([200, 503]);
  laterMs = 61_000;
  expect(await probe("/healthz")).toBe(503);
  control.setSocketMode({ hello: true });
  await vi.waitFor(async () => expect([await probe("/healthz"), await probe("/readyz")]).toEqual([200, 200]));
  await answers(zones);
});

test.each(["warning", "refresh_requested", "too_many_websockets"] as const)(
  "W22: after %s the app opens another socket, and what was written meanwhile is answered",
  async (reason) => {
    const zones = await start(tune({ SWEEP_PACE_MS: 20, HEARTBEAT_MS: 200 }));
    await answers(zones);
    zones.slack.control.disconnectSockets(reason);
    await answers(zones, "1+3");
    expect(opened(zones.slack)).toBe(2);
  },
);

test("W22: where no further socket is allowed, or Socket Mode is off, the app tries again until it is", async () => {
  const zones = await start();
  const { control } = zones.slack;
  const refused = () =>
    zones.log.filter(({ event, code }) => event === "slack_not_identified" && code === "socket_closed");
  control.disconnectSockets("link_disabled");
  await vi.waitFor(() => expect(refused().length).toBeGreaterThan(0));
  control.setSocketMode({ enabled: true });
  await vi.waitFor(() => expect(opened(zones.slack)).toBeGreaterThan(2));
  await answers(zones);
});

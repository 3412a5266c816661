import { describe, expect, test } from "vitest";
import {
  answerWith,
  type FakeAnswer,
  type FakeAnswers,
  problem,
  startFakeZone,
  stream,
  testToken,
} from "../testing/fake-zone.ts";
import { endedRun, endEvent, stepEvent, summary } from "../testing/run-fixture.ts";
import { type ApiClient, createApiClient } from "./api-client.ts";
import { RefusedError, UnreachableError } from "./send.ts";

async function zoneWith(answers: FakeAnswers) {
  const zone = await startFakeZone(answers);
  const api = createApiClient({ url: zone.url, token: testToken, hint: "Start one." });
  return { ...zone, api };
}

async function watched(
  api: ApiClient,
  timeouts: { reconnectTimeoutMs?: number; silenceMs?: number } = {},
): Promise<unknown[]> {
  const events: unknown[] = [];
  const { signal } = new AbortController();
  for await (const event of api.events("run-1", { signal, ...timeouts })) events.push(event);
  return events;
}

const events = "GET /runs/run-1/events";
const run = { run_id: "run-1" };

describe("a request", () => {
  test("that got no response or a transient error is retried with the same key", async () => {
    const { api, requestsFor } = await zoneWith({
      "POST /runs": (response, _asked, count) => {
        if (count === 0) response.destroy();
        else if (count === 1) problem(response, { kind: "too-many", status: 429, retryAfter: "0" });
        else answerWith(response, 201, summary);
      },
    });
    expect(
      await api.call("startRun", { "idempotency-key": "key-1", body: { workflow_id: "w", input: { a: 1 } } }),
    ).toEqual(summary);
    const keys = requestsFor("POST /runs").map(({ headers, body }) => [headers["idempotency-key"], body]);
    const same = ["key-1", { workflow_id: "w", input: { a: 1 } }];
    expect(keys).toEqual([same, same, same]);
  });

  test("to retry a run is sent once: another attempt could retry a later failure", async () => {
    const { api, requestsFor } = await zoneWith({ "POST /runs/run-1/retry": (response) => response.destroy() });
    await expect(api.call("retryRun", run)).rejects.toThrow(UnreachableError);
    expect(requestsFor("POST /runs/run-1/retry")).toHaveLength(1);
  });

  test("that is refused permanently or for long is not retried, and reports the zone's reason", async () => {
    const problems = [{ pointer: "/input/text", message: "is missing" }];
    const { api, requests } = await zoneWith({
      "POST /runs": (response) =>
        problem(response, { kind: "invalid-input", status: 422, detail: "Fix `problems`", problems }),
      "GET /runs/run-1": (response) =>
        problem(response, { kind: "too-many", status: 429, detail: "Wait", retryAfter: "3600" }),
    });
    const refused = await api.call("startRun", { body: { workflow_id: "w" } }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RefusedError);
    expect(refused).toMatchObject({ message: "It is refused.", kind: "invalid-input", problems });
    await expect(api.call("getRun", run)).rejects.toThrow("It is refused. Wait.");
    expect(requests).toHaveLength(2);
  });

  test.each<[string, FakeAnswer, RegExp]>([
    ["no JSON", (response) => response.writeHead(200).end("<html>"), /can.t read: the body is not JSON/],
    ["another shape", (response) => answerWith(response, 200, { ...endedRun, state: 1 }), /can.t read: \/state/],
    [
      "an error of no zone",
      (response) => response.writeHead(418).end("teapot"),
      /HTTP 418; it does not look like an execution zone/,
    ],
    [
      "a redirect",
      (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      /HTTP 302; it does not/,
    ],
  ])("reports a response with %s", async (_what, answer, sentence) => {
    const { api, requests } = await zoneWith({ "GET /runs/run-1": answer });
    const error = await api.call("getRun", run).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnreachableError);
    expect((error as Error).message).toMatch(sentence);
    expect(requests).toHaveLength(1);
  });

  test("encodes names in its path", async () => {
    const { api, requests } = await zoneWith({});
    await api.call("getWorkflowVersion", { workflow_id: "a/b", version: "1?x" }).catch(() => undefined);
    await api.call("listRuns", { limit: 5, workflow_id: "a&b" }).catch(() => undefined);
    expect(requests.map(({ line }) => line)).toEqual([
      "GET /workflows/a%2Fb/versions/1%3Fx",
      "GET /runs?limit=5&workflow_id=a%26b",
    ]);
  });
});

describe("the events of a run", () => {
  test("continue after a lost connection from the last complete event", async () => {
    const { api, requestsFor } = await zoneWith({
      [events]: (response, _asked, count) => {
        if (count === 0) {
          stream(response, [[stepEvent(1, "running"), 1], [stepEvent(2, "succeeded")]]);
          setImmediate(() => response.destroy());
        } else if (count === 1) problem(response, { kind: "too-many-watchers", status: 503, retryAfter: "0" });
        else {
          stream(response, [[stepEvent(2, "succeeded")], [endEvent, 3]]);
        }
      },
    });
    expect(await watched(api)).toEqual(
      expect.arrayContaining([stepEvent(1, "running"), stepEvent(2, "succeeded"), endEvent]),
    );
    expect(requestsFor(events).map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "1", "1"]);
  });

  test("end with the zone's last event, and unknown types are skipped", async () => {
    const { api } = await zoneWith({
      [events]: (response, _asked, count) => {
        if (count === 0)
          stream(response, [
            [{ type: "weather", is: "fine" }, 1],
            [stepEvent(2, "running"), 2],
          ]);
        else response.writeHead(204);
        response.end();
      },
    });
    expect(await watched(api)).toEqual([stepEvent(2, "running")]);
  });

  test("end with an error when the zone stays unreachable, refuses, or sends invalid events", async () => {
    const away = await zoneWith({ [events]: (response) => response.destroy() });
    await expect(watched(away.api, { reconnectTimeoutMs: 0 })).rejects.toThrow(UnreachableError);
    const empty = await zoneWith({ [events]: (response) => (stream(response, []), response.end()) });
    await expect(watched(empty.api, { reconnectTimeoutMs: 0 })).rejects.toThrow("before the run ended");
    const gone = await zoneWith({ [events]: (response) => problem(response, { kind: "run-not-found", status: 404 }) });
    await expect(watched(gone.api)).rejects.toThrow(RefusedError);
    const odd = await zoneWith({ [events]: (response) => stream(response, [[{ type: "run", state: "great" }, 1]]) });
    await expect(watched(odd.api)).rejects.toThrow("that this version of crosszone can't read");
  });
});

import { type Problem, ZoneError } from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import { problemOf } from "./api-problem.ts";
import {
  startAdminApi,
  viewToken,
  watchEvents,
  type StartOptions,
  notesPart,
  type NotesOptions,
} from "./testing/start-admin-api.ts";

const start = ({ notes, ...options }: Partial<StartOptions> & { readonly notes?: NotesOptions } = {}) =>
  startAdminApi({ parts: [notesPart(notes)], ...options });

test("429 with Retry-After, counted per token across all parts", async () => {
  const { ask } = await start({ limit: { perMinute: 1, burst: 2 } });
  const statuses = [await ask("GET /notes"), await ask("GET /nowhere")].map(({ status }) => status);
  expect(statuses).toEqual([200, 404]);
  const { status, headers } = await ask("GET /notes/a");
  expect(status).toBe(429);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await ask("GET /notes", undefined, { authorization: `Bearer ${viewToken}` })).status).toBe(200);
});

test("429 with Retry-After when too many requests wait for the same work", () => {
  const busy = problemOf(new ZoneError("rate_limited", { retry_after_ms: 1_500 }));
  expect(busy).toMatchObject({ kind: "busy", status: 429, headers: { "retry-after": "2" } });
});

describe("a token without every scope", () => {
  const viewing = { authorization: `Bearer ${viewToken}` };

  test("turns the API on without ADMIN_TOKENS, and a token is then required", async () => {
    const { ask } = await start({ tokens: () => [] });
    expect((await ask("GET /notes", undefined, viewing)).status).toBe(200);
    expect((await ask("GET /notes")).status).toBe(401);
  });

  test("gets no content in an event", async () => {
    const watch = () => ({
      events: async function* () {
        yield [{ event: "note", data: { name: "a", text: "planted" } }];
      },
    });
    const { url } = await start({ notes: { watch } });
    const { blocks } = await watchEvents(`${url}/notes/a/events`, viewing);
    expect((await Array.fromAsync(blocks)).map(({ data }) => data)).toEqual([undefined, '{"name":"a"}']);
  });
});

test("a token allows bursts of sixty, enough for several pages of runs and a command line", async () => {
  const { ask } = await start({ limit: "default" });
  const statuses = await Promise.all(Array.from({ length: 60 }, async () => (await ask("GET /notes")).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
});

describe("requests that HTTP refuses get a problem of RFC 9457 too", () => {
  test("405 names the allowed methods if no other matching path serves the request", async () => {
    const { ask } = await start();
    for (const [line, allow] of [
      ["PUT /notes", "GET, POST"],
      ["OPTIONS /notes/a", "GET"],
      ["POST /notes/a", "GET"],
      ["POST /openapi.json", "GET"],
    ]) {
      const { status, headers } = await ask(line as string);
      expect([line, status, headers.get("allow")]).toEqual([line, 405, allow]);
    }
    expect((await ask("POST /notes/latest")).status).toBe(201);
    expect((await ask("GET /notes/latest")).body).toEqual({ name: "latest" });
  });

  test("404 for every other path, 400 for a broken encoding", async () => {
    const { ask } = await start();
    for (const line of ["GET /", "GET /notes/", "GET /Notes", "GET /notes/a/b", "POST /openapi.json/a"])
      expect([line, (await ask(line)).status]).toEqual([line, 404]);
    const broken = await ask("GET /notes/%ZZ");
    expect(broken).toMatchObject({ status: 400, body: { detail: expect.stringContaining("encodeURIComponent") } });
  });

  test("400 for nesting that would overflow the stack", async () => {
    const { ask } = await start({ notes: { maxBytes: 100_000 } });
    const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    expect((await ask("POST /notes", nested(64))).status).toBe(201);
    const { status, body } = await ask("POST /notes", nested(20_000));
    expect([status, body?.["detail"]]).toEqual([400, "The body is nested in more than 64 levels."]);
  });

  test.each([
    ['{"a":{"b":12345678901234567890}}', 422, "/a/b", /12345678901234567890, which would become 12345678901234567000/],
    ["[-1e400]", 422, "/0", /-1e400, which would become null/],
    ["-0", 422, "", /-0, which would become 0/],
    ['{"a":{"text":"x","te\\u0078t":"y"}}', 400, "/a/text", /is there twice/],
    ['{"a":1,"a":1e400}', 400, "/a", /is there twice/],
  ])("O1: %s changed on its way in", async (...[body, status, pointer, message]) => {
    const { ask } = await start();
    const refused = await ask("POST /notes", body);
    expect(refused).toMatchObject({ status, body: { detail: expect.stringMatching(message) } });
    expect((refused.body as unknown as Problem).problems?.[0]).toEqual({
      pointer,
      message: expect.stringMatching(message),
    });
    expect((await ask("POST /notes", '{"a":[1e308,"1e999",9007199254740991,1.10]}')).status).toBe(201);
  });
});

describe("internal errors are not shown to the sender", () => {
  const failing = (cause: Error) => start({ notes: { list: () => Promise.reject(cause) } });

  test("500 has a fixed text and the correlation id; the operator's log has the cause", async () => {
    const cause = new Error("no such table: note");
    const { ask, refusals } = await failing(cause);
    const { status, body } = await ask("GET /notes", undefined, { "x-correlation-id": "c-1" });
    expect(status).toBe(500);
    expect(body).toMatchObject({ detail: "Look for the correlation id in the log.", correlation_id: "c-1" });
    expect(JSON.stringify(body)).not.toContain("table");
    const act = { actor: "bootstrap", status: 500, correlationId: "c-1" };
    expect(refusals).toMatchObject([{ kind: "internal", method: "GET", cause, act }]);
  });

  test("503 with Retry-After while the database is unreachable", async () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED 10.1.2.3"), { code: "ECONNREFUSED" });
    const { ask, refusals } = await failing(cause);
    const { status, headers, body } = await ask("GET /notes");
    expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    expect(JSON.stringify(body)).not.toContain("10.1.2.3");
    expect(refusals).toMatchObject([{ kind: "unavailable", cause }]);
  });
});

test("X15: a query of thousands of names has at most 20 problems", async () => {
  const { ask } = await start();
  const query = Array.from({ length: 2_000 }, (_, at) => `n${at}`).join("&");
  const { problems = [] } = (await ask(`GET /notes?${query}`)).body as unknown as Problem;
  expect(problems).toHaveLength(20);
  expect(problems[0]).toEqual({ pointer: "/n0", message: "is not known: use limit, q" });
});

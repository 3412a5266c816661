// suite: both
import { ByteBudget } from "@crosszone/service-kit";
import { someOf } from "@crosszone/testkit/cpu";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { atOnce, type Json, messageOf, programOf, startAskedZone } from "../testing/start-asked-zone.ts";
import { agentThat, echo } from "../testing/start-zone.ts";

const large = agentThat(async ({ text }) => ({ response_text: "a".repeat(Number(text)) }), "large");
const stuck = agentThat(() => new Promise<never>(() => undefined), "stuck");
const mb = 1_000_000;

onBothEngines("what a program reads", (newDatabase) => {
  const start = async () => {
    const { a2a: url, zone } = await startAskedZone([echo, large, stuck], {
      database: await newDatabase(),
      maxRunning: 50,
    });
    return { zone, url, ci: programOf(url, "large"), call: programOf(url, "large").call };
  };

  test("X1: a list read the question and the answer of every task, whatever it was asked for", async () => {
    const { ci, call } = await start();
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    const sent = await Promise.all(Array.from({ length: 5 }, () => ci.send(String(mb))));
    expect(sent.map(({ status }) => status.state)).toEqual(Array(5).fill("TASK_STATE_COMPLETED"));
    parse.mockClear();
    const { result } = await call("ListTasks", { pageSize: 100, includeArtifacts: false });
    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
    expect(result.tasks).toHaveLength(5);
    for (const task of result.tasks) expect(Object.keys(task).toSorted()).toEqual(["contextId", "id", "status"]);
    expect(longest).toBeLessThan(10_000);
  });

  test("X1: a page had as many megabytes as its tasks; now it ends early, and the next one goes on", async () => {
    const { ci, call } = await start();
    for (let count = 0; count < 6; count += 1) await ci.send(String(1.5 * mb));
    for (const wanted of someOf([{ includeArtifacts: true }, { historyLength: 1 }], 1)) {
      const pages: Json[] = [];
      let pageToken = "";
      do {
        const { result } = await call("ListTasks", { pageSize: 100, ...wanted, ...(pageToken && { pageToken }) });
        pages.push(result);
        pageToken = result.nextPageToken;
      } while (pageToken !== "");
      expect(pages.map(({ tasks, totalSize }) => [tasks.length, totalSize])).toEqual(
        Array.from({ length: 3 }, () => [2, 6]),
      );
      expect(new Set(pages.flatMap(({ tasks }) => tasks.map(({ id }: Json) => id))).size).toBe(6);
    }
  });

  test("X1: a task larger than a page has a page of its own", async () => {
    const { ci, call } = await start();
    for (const size of [10, 5 * mb, 10]) await ci.send(String(size));
    const first = (await call("ListTasks", { includeArtifacts: true })).result;
    const second = (await call("ListTasks", { includeArtifacts: true, pageToken: first.nextPageToken })).result;
    expect([first.tasks.length, second.tasks.length, second.nextPageToken]).toEqual([1, 1, expect.stringMatching(/./)]);
    expect(second.tasks[0].artifacts[0].parts[0].text).toHaveLength(5 * mb);
  });

  test("X1: the states in a list are those of the tasks", async () => {
    const { url, call } = await start();
    await call("SendMessage", { message: messageOf("10") });
    const waits = programOf(url, "stuck");
    const { id } = await waits.send("wait", {}, atOnce);
    expect((await call("ListTasks", {})).result.tasks[0].status.state).toBe("TASK_STATE_COMPLETED");
    const listed = (await waits.call("ListTasks", { historyLength: 1 })).result.tasks;
    expect(listed).toMatchObject([
      { id, status: { state: "TASK_STATE_WORKING" }, history: [{ parts: [{ text: "wait" }] }] },
    ]);
    await waits.call("CancelTask", { id });
    expect((await waits.call("ListTasks", {})).result.tasks[0].status.state).toBe("TASK_STATE_CANCELED");
  });
});

describe("what a program holds", () => {
  const readAll = async (response: Response): Promise<number> => (
    (await response.arrayBuffer()).byteLength,
    response.status
  );

  test("X1: many large answers were read at once; over A2A the rest wait, then get 429 with Retry-After", async () => {
    const { a2a: url } = await startAskedZone([large]);
    const [ci, other] = [programOf(url, "large"), programOf(url, "large", { token: "other" })];
    const { id } = await ci.send(String(6 * mb));
    const get = { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id } };
    // They don't read their answers, so each keeps its room.
    const [slow, refused] = [await ci.open(get), await ci.open(get)];
    expect([slow.status, refused.status, refused.headers.get("retry-after")]).toEqual([200, 429, "1"]);
    expect(await refused.json()).toMatchObject({ id: 1, error: { message: expect.stringMatching(/\S/) } });
    expect((await other.send("10")).status.state).toBe("TASK_STATE_COMPLETED");
    expect(await readAll(slow)).toBe(200);
    expect(await readAll(await ci.open(get))).toBe(200);
  });

  test("X1: a client that leaves gives its room back", async () => {
    const { a2a: url } = await startAskedZone([large]);
    const ci = programOf(url, "large");
    const { id } = await ci.send(String(6 * mb));
    const get = { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id } };
    const leaving = new AbortController();
    await ci.open(get, {}, { signal: leaving.signal });
    leaving.abort();
    expect(await readAll(await ci.open(get))).toBe(200);
  });

  test("X1: an open stream keeps no room for the message that it began with", async () => {
    const { a2a: url } = await startAskedZone([stuck], { maxRunning: 50 });
    const ci = programOf(url, "stuck");
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    // The same message is the same task: together they would hold more than a program may.
    const message = messageOf("x".repeat(90_000));
    const open = { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: { message } };
    const streams = await Promise.all(Array.from({ length: 120 }, () => ci.open(open, {}, { signal: leaving.signal })));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await ci.call("ListTasks", { historyLength: 1 })).result.tasks).toHaveLength(1);
  });

  // It needs seconds.
  test.each(someOf(["MCP"], 0))(
    "X1: over %s a read without room is a failed tool that says how long to wait",
    async () => {
      const mcp = await startAskedZone([large]);
      const call = (name: string, given: object) =>
        mcp.post("ci", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } });
      const read = async (response: Response): Promise<Json> =>
        JSON.parse(/^data: (\{.*)$/m.exec(await response.text())?.[1] ?? "");
      const { task_id } = (await read(await call("ask_large", { message: String(6 * mb) }))).result.structuredContent;
      const get = () => call("get_task", { task_id, wait_seconds: 0 });
      const [slow, refused] = [await get(), await get()];
      expect(await read(refused)).toMatchObject({
        result: {
          isError: true,
          structuredContent: { error: "rate_limited", text: expect.stringContaining("Wait 1 seconds") },
        },
      });
      expect(await readAll(slow)).toBe(200);
    },
  );
});

test("X1: a budget gives room in order, and no program waits for another's", async () => {
  const budget = new ByteBudget({ all: 20, each: 10, waitMs: 50 });
  const [a, b, c, other] = [budget.open("a"), budget.open("a"), budget.open("a"), budget.open("other")];
  expect(await a.take(8)).toBe(true);
  const order: string[] = [];
  const waiting = [b.take(5).then((has) => order.push(`b ${has}`)), c.take(1).then((has) => order.push(`c ${has}`))];
  expect(await other.take(10)).toBe(true);
  expect(order).toEqual([]);
  a.release();
  await Promise.all(waiting);
  expect(order).toEqual(["b true", "c true"]);
  expect(await a.take(8)).toBe(false);
  b.close();
  expect([await b.take(1), await a.take(8)]).toEqual([false, true]);
  // Larger than a program's limit: alone.
  const huge = budget.open("huge");
  expect(await huge.take(30)).toBe(false);
  for (const one of [a, c, other]) one.close();
  expect(await huge.take(30)).toBe(true);
  huge.close();
});

// suite: rest
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { adminToken } from "@crosszone/admin-api/testing";
import { expect, test } from "vitest";
import { issuer, startAsk } from "../testing/start-ask.ts";
import { agentThat, startZone } from "../testing/start-zone.ts";

let begun = 0;
/** Works until it is stopped. */
const endless = agentThat((_input, { signal }) => {
  begun += 1;
  return new Promise((_, reject) => signal.addEventListener("abort", reject));
}, "endless");
const other = agentThat(async () => ({ response_text: "other" }), "other");

const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });
const message = (configuration: object = {}) => ({
  message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text: "go" }] },
  configuration,
});
const a2a = "/a2a/endless/";
const call = { name: "ask_endless", arguments: { message: "go" }, _meta: { progressToken: 1 } };

/** The answers that a program holds. */
const surfaces: Readonly<Record<string, readonly [path: string, body: (taskId: string) => object]>> = {
  "A2A blocking send": [a2a, () => rpc("SendMessage", message())],
  "A2A stream": [a2a, () => rpc("SendStreamingMessage", message())],
  "A2A subscription": [a2a, (id) => rpc("SubscribeToTask", { id })],
  "MCP call with progress": ["/mcp", () => rpc("tools/call", call)],
  "MCP get_task": ["/mcp", (task_id) => rpc("tools/call", { name: "get_task", arguments: { task_id } })],
};
const invalid = { "/mcp": /"isError":true/, [a2a]: /"error":\{"code":-32000/, says: /no longer valid|not valid/ };
const narrowed = { "/mcp": /"isError":true/, [a2a]: /"error":\{"code":-32001/, says: /does not exist|no such agent/ };
const losses = { revoked: invalid, expired: invalid, "JWT expired": invalid, narrowed, "subject removed": narrowed };

const askerOf = (who: object, agents: readonly string[]): string =>
  JSON.stringify({ ...who, agents, per_minute: 100, open_tasks: 50 });
const subjectOf = (sub: string) => ({ subject: { issuer, sub } });

test("X3: a program that lost its grant kept its answers: each ends within 5 seconds and says why; those of others go on", async () => {
  const { app } = await startZone([endless, other], { taskDeadlineMs: 60_000, maxRunning: 100 });
  const zone = await startAsk("sqlite::memory:", undefined, app.ask);
  const kept = [
    ...["revoked", "expired", "kept"].map((token) => askerOf({ token }, ["endless"])),
    askerOf(subjectOf("ends"), ["endless"]),
  ];
  const lost = [askerOf({ token: "narrowed" }, ["*"]), askerOf(subjectOf("robot"), ["endless"])];
  zone.edit(`askers: [${[...kept, ...lost].join(", ")}]`);
  // The clock of an issuer may differ by 30 seconds.
  const soon = Math.ceil(Date.now() / 1_000) + 4;
  const tokens = {
    revoked: await zone.create("revoked", ["ask"]),
    expired: await zone.create("expired", ["ask"], { expires_in: 4 }),
    "JWT expired": await zone.mint({ sub: "ends", exp: soon - 30 }),
    narrowed: await zone.create("narrowed", ["ask"]),
    "subject removed": await zone.mint(),
    kept: await zone.create("kept", ["ask"]),
  };
  const over = new AbortController();
  const post = async (path: string, token: string, body: object): Promise<string> => {
    const accept = "application/json, text/event-stream";
    const headers = {
      "content-type": "application/json",
      "a2a-version": "1.0",
      accept,
      authorization: `Bearer ${token}`,
    };
    const response = await fetch(zone.at + path, {
      method: "POST",
      body: JSON.stringify(body),
      headers,
      signal: over.signal,
    });
    return response.text();
  };
  const begin = async (token: string): Promise<string | undefined> => {
    const sent = rpc("SendMessage", message({ returnImmediately: true }));
    return (JSON.parse(await post(a2a, token, sent)) as { result?: { task: { id: string } } }).result?.task.id;
  };
  // The file of askers is read again within a second.
  await expect.poll(() => begin(tokens.kept)).toBeDefined();
  const before = begun;
  const hold = async (token: string, surface: string) => {
    const [path = "", bodyOf] = surfaces[surface] ?? [];
    const text = await post(path, token, bodyOf?.((await begin(token)) ?? "") ?? {});
    return { path, text, at: Date.now() };
  };
  const held = (Object.keys(losses) as (keyof typeof losses)[]).flatMap((loss) =>
    Object.keys(surfaces).map(async (surface) => {
      const { path, text, at } = await hold(tokens[loss], surface);
      const ends = losses[loss];
      const isRight = ends[path as "/mcp"].test(text) && ends.says.test(text);
      return { loss, surface, at, text: isRight ? "right" : text };
    }),
  );
  const others = Object.keys(surfaces).map((surface) => hold(tokens.kept, surface));
  // Each begins a task, and all but two surfaces another one.
  const tasks = Object.keys(surfaces).length * 2 - 2;
  await expect.poll(() => begun - before).toBe((Object.keys(losses).length + 1) * tasks);
  await delay(1_000);
  const lostAt = Date.now();
  expect((await zone.ask("DELETE /tokens/revoked", undefined, zone.as(adminToken))).status).toBe(204);
  zone.edit(`askers: [${[...kept, askerOf({ token: "narrowed" }, ["other"])].join(", ")}]`);
  const ends = await Promise.all(held);
  const ofItself = Math.max(lostAt, soon * 1_000);
  const lostWhen = {
    revoked: lostAt,
    narrowed: lostAt,
    "subject removed": lostAt,
    expired: ofItself,
    "JWT expired": ofItself,
  };
  expect(ends.filter(({ loss, text, at }) => text !== "right" || at - lostWhen[loss] > 5_000)).toEqual([]);
  expect(await Promise.race([...others, Promise.resolve("held")])).toBe("held");
  over.abort();
  await Promise.allSettled(others);
});

// suite: rest
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { cpuMsOf } from "@crosszone/testkit/cpu";
import { checkInputOnThread } from "@crosszone/workflow";
import { expect, onTestFinished, test } from "vitest";
import { startAskedZone } from "../testing/start-asked-zone.ts";
import { hookSecret, type HookZone, startHooks } from "../testing/start-hooks.ts";
import { agentThat, echo, startZone, task } from "../testing/start-zone.ts";

const hook = (name: string, more: string): string => `  - name: ${name}
    owner: {team_id: T1, user_id: U1}
    sign: {kind: ${name === "be" ? "bearer" : "github"}}
    secrets: [env:AGENT_SECRET_GITHUB]
    agent: echo
    cap: {fires: 1000}
    ${more}
`;
const pattern = "^([a-z]+ ?)+$";
const file = `hooks:
${hook("slow", `schema: {type: object, properties: {title: {type: string, pattern: "${pattern}"}}}\n    text: "\${body.title}"`)}
${hook("good", 'schema: {type: object}\n    text: "\${body.title}"')}
${hook("be", 'text: "\${body}"')}`;
const evil = `${"a".repeat(40)}!`;

/** Returns the CPU time of all threads that work takes, milliseconds. */
async function allCpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

test("X16: a stranger's title that a hook's pattern tries for seconds takes none of the zone's thread", async () => {
  const zone = await startHooks(file, [echo]);
  await zone.deliver("good", { title: "first" });
  const order: string[] = [];
  let ownMs = 0;
  const allMs = await allCpuMsOf(async () => {
    ownMs = await cpuMsOf(async () => {
      const slow = [1, 2, 3, 4].map(async (n) => {
        const { status, body } = await zone.deliver("slow", { title: evil, n });
        order.push(`slow ${status}`);
        expect(body).toMatchObject({ error: { reason: "schema_mismatch" } });
      });
      const { status } = await zone.deliver("good", { title: "x" });
      order.push(`good ${status}`);
      await Promise.all(slow);
    });
  });
  // It waits for one that is being checked, and for the next one in turn.
  expect(order.slice(0, 3)).toContain("good 202");
  expect(order.filter((one) => one === "slow 422")).toHaveLength(4);
  expect(ownMs).toBeLessThan(allMs / 2);
});

test("X16: a hook that has its share of the thread answers 503 with Retry-After, and loses nothing that is sent again", async () => {
  const zone = await startHooks(file, [echo]);
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const { signal } = gone;
  const fill = (schema: object, caller: string): void =>
    void checkInputOnThread(schema, evil, { caller, signal }).catch(() => undefined);
  for (const caller of ["token:a", "token:b", "token:c"]) fill({ pattern }, caller);
  for (let count = 0; count < 200; count += 1) fill({ type: "string" }, "hook:good");
  const refused = await zone.deliver("good", { title: "again" });
  expect(refused).toMatchObject({ status: 503, body: { error: { reason: "busy" } }, headers: { "retry-after": "5" } });
  expect(await zone.fires()).toEqual([]);
  gone.abort();
  expect((await zone.deliver("good", { title: "again" })).status).toBe(202);
  expect(await zone.fires()).toMatchObject([{ text: "again" }]);
});

test("X16: the input of a workflow over MCP is checked on the other thread", async () => {
  const flow = {
    ...agentThat(async ({ text }) => ({ response_text: text }), "flow"),
    kind: "workflow" as const,
    inputSchema: { type: "object", properties: { title: { type: "string", pattern } } },
  };
  const client = await (await startAskedZone([flow])).connect("ci");
  const run = async (title: string) =>
    (await client.callTool({ name: "run_flow", arguments: { title } })).structuredContent;
  expect(await run("fine")).toMatchObject({ text: '{"title":"fine"}' });
  let ownMs = 0;
  const allMs = await allCpuMsOf(async () => {
    ownMs = await cpuMsOf(async () => expect(await run(evil)).toMatchObject({ error: "invalid_params" }));
  });
  expect(ownMs).toBeLessThan(allMs / 2);
});

const form = "application/x-www-form-urlencoded";
const beside = ["authorization", `Bearer ${hookSecret}`];

test("X15: a form has at most 1,000 fields, and its problems are the first 20", async () => {
  const zone = await startHooks(file, [echo]);
  const send = (fields: readonly string[]) =>
    zone.send("be", { body: fields.join("&"), headers: [...beside, "content-type", form] });
  const named = (count: number) => Array.from({ length: count }, (_, at) => `${at}`);
  expect((await send(named(1_000))).status).toBe(202);
  const ownMs = await cpuMsOf(async () => {
    for (const fields of [named(1_001), named(120_000), Array<string>(400_000).fill("a")])
      expect(await send(fields)).toMatchObject({
        status: 422,
        body: { error: { reason: "body_invalid", problems: [{ message: "has more than 1000 fields" }] } },
      });
  });
  expect(ownMs).toBeLessThan(2_000);
  const { body } = await send([...named(400), ...named(400)]);
  expect((body["error"] as { readonly problems: unknown[] }).problems).toHaveLength(20);
});

test("X15: the time for a type of content grew with the square of its blanks, before anything was proven", async () => {
  const zone = await startHooks(file, [echo]);
  const typed = (blanks: number) => async () => {
    for (let count = 0; count < 20; count += 1) {
      const type = `application/json; charset=${" ".repeat(blanks)}x`;
      expect((await zone.send("be", { headers: ["content-type", type] })).status).toBe(415);
    }
  };
  const usualMs = await cpuMsOf(typed(10));
  expect(await cpuMsOf(typed(15_000))).toBeLessThan(10 * usualMs + 500);
  for (const type of ["application/json; charset=UTF-8", 'application/json;charset = "utf-8"', "text/json", ""])
    expect((await zone.send("be", { headers: [...beside, "content-type", type] })).status, type).toBe(202);
  for (const type of ["application/json; charset=latin1", "application/json; x=y; charset=utf-16", "text/plain"])
    expect((await zone.send("be", { headers: [...beside, "content-type", type] })).status, type).toBe(415);
});

/** Opens a connection of a stranger at an address, which announces a megabyte and sends this much of it. Then it sends a byte each second. */
async function openSlow(url: string, bytes: number, address = "127.0.0.1"): Promise<void> {
  const { port, pathname } = new URL(url);
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress: address });
  const more = setInterval(() => socket.writable && socket.write("x"), 1_000);
  onTestFinished(() => (clearInterval(more), void socket.destroy()));
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const signature = `x-hub-signature-256: sha256=${"0".repeat(64)}`;
  const lines = [`POST ${pathname} HTTP/1.1`, "host: localhost", "content-type: application/json", signature];
  const head = [...lines, "content-length: 1000000", "", ""].join("\r\n");
  await new Promise((resolve) => socket.write(head + "x".repeat(bytes), resolve));
}

const good = async (zone: HookZone): Promise<Record<number, number>> => {
  const sent = await Promise.all(Array.from({ length: 30 }, (_, n) => zone.deliver("good", { title: `n ${n}` })));
  const counts = Object.entries(Object.groupBy(sent, ({ status }) => status));
  return Object.fromEntries(counts.map(([status, all]) => [status, all?.length ?? 0]));
};

test.each([
  ["which send a byte a second", 1, ["2", "3", "4", "5"]],
  ["which send all but a few bytes", 999_900, ["2", "3", "4", "5"]],
  ["of one address, as behind a balancer, which send all but a few bytes", 999_900, ["1"]],
])("X22: 32 slow connections %s closed the hooks for good deliveries", async (_what, bytes, addresses) => {
  const zone = await startHooks(file, [echo]);
  await zone.deliver("good", { title: "first" });
  const slow = Array.from({ length: 32 }, (_, n) =>
    openSlow(`${zone.at}/hooks/good`, bytes, `127.0.0.${addresses[n % addresses.length]}`),
  );
  await Promise.all(slow);
  await delay(100);
  expect(await good(zone)).toEqual({ 202: 30 });
});

test("X22: the zone link read what strangers sent without a bound; a call has its turn among them", async () => {
  const zone = await startZone([echo], { maxBytes: 1_000_000 });
  await Promise.all(Array.from({ length: 20 }, () => openSlow(`${zone.url}/rpc`, 999_900)));
  expect(await zone.call("execute_task", task({ text: "hi" }))).toMatchObject({ result: { response_text: "hi" } });
  const refused = () => zone.log.filter(({ event, reason }) => event === "http_refused" && reason === "too_many");
  await expect.poll(() => refused().length, { timeout: 30_000 }).toBeGreaterThan(0);
});

// suite: rest
// @module-tag judge
import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { cpuMsOf } from "@crosszone/testkit/cpu";
import { checkInputOnThread } from "@crosszone/workflow";
import { expect, onTestFinished, test } from "vitest";
import { startAskedZone } from "../testing/start-asked-zone.ts";
import { hookSecret, startHooks } from "../testing/start-hooks.ts";
import { agentThat, echo, startZone, task } from "../testing/start-zone.ts";

const hook = (name: string, kind: string, more: string): string =>
  `  - {name: ${name}, owner: {team_id: T1, user_id: U1}, sign: {kind: ${kind}}, secrets: [env:AGENT_SECRET_GITHUB], agent: echo, cap: {fires: 1000}, ${more}}\n`;
const title = { type: "string", pattern: "^([a-z]+ ?)+$" };
const file = `hooks:
${hook("slow", "github", `schema: {properties: {title: ${JSON.stringify(title)}}}, text: "\${body.title}"`)}
${hook("good", "github", 'schema: {type: object}, text: "${body.title}"')}
${hook("be", "bearer", 'text: "${body}"')}`;
const evil = `${"a".repeat(40)}!`;

/** Returns which part of the CPU time of work is this thread's. */
async function shareOfThread(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  const ownMs = await cpuMsOf(work);
  const { user, system } = process.cpuUsage(before);
  return (1_000 * ownMs) / (user + system);
}

test("X16: a stranger's title that a hook's pattern tries for seconds takes none of the zone's thread", async () => {
  const zone = await startHooks(file, [echo]);
  await zone.deliver("good", { title: "first" });
  const order: string[] = [];
  const send = async (name: string, body: object) => order.push(`${name} ${(await zone.deliver(name, body)).status}`);
  const share = await shareOfThread(async () => {
    const slow = [1, 2, 3, 4].map((n) => send("slow", { title: evil, n }));
    await Promise.all([...slow, send("good", { title: "x" })]);
  });
  expect(share).toBeLessThan(0.5);
  // It waits for one that is being checked, and for the next one in turn.
  expect(order.slice(0, 3)).toContain("good 202");
  // On a slow machine, the first ones use up the share of their hook, which promises 503 then.
  expect(order.filter((one) => /^slow (422|503)$/.test(one))).toHaveLength(4);
  expect(order).toContain("slow 422");
});

test("X16: a hook that has its share of the thread answers 503 with Retry-After, and loses nothing that is sent again", async () => {
  const zone = await startHooks(file, [echo]);
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const check = (schema: object, caller: string) =>
    // What took too long before is known, and waits no more.
    checkInputOnThread(schema, `${evil} of ${caller}`, { caller, signal: gone.signal }).catch(() => setImmediate());
  for (const caller of ["token:a", "token:b", "token:c"]) void check(title, caller);
  // A place that becomes free is taken again, however slow the machine is.
  const fill = async (): Promise<void> => {
    while (!gone.signal.aborted) await check({ type: "string" }, "hook:good");
  };
  for (let count = 0; count < 250; count += 1) void fill();
  const refused = await zone.deliver("good", { title: "again" });
  expect(refused).toMatchObject({ status: 503, body: { error: { reason: "busy" } }, headers: { "retry-after": "5" } });
  gone.abort();
  expect((await zone.deliver("good", { title: "again" })).status).toBe(202);
  expect(await zone.fires()).toMatchObject([{ text: "again" }]);
});

test("X16: the input of a workflow over MCP is checked on the other thread", async () => {
  const flow = {
    ...agentThat(async ({ text }) => ({ response_text: text }), "flow"),
    kind: "workflow" as const,
    inputSchema: { properties: { title } },
  };
  const client = await (await startAskedZone([flow])).connect("ci");
  const run = async (given: string) =>
    (await client.callTool({ name: "run_flow", arguments: { title: given } })).structuredContent;
  expect(await run("fine")).toMatchObject({ text: '{"title":"fine"}' });
  const tried = async () => expect(await run(evil)).toMatchObject({ error: "invalid_params" });
  expect(await shareOfThread(tried)).toBeLessThan(0.5);
});

test("X15: a form has at most 1,000 fields; a type of content is read in linear time, before anything is proven", async () => {
  const zone = await startHooks(file, [echo]);
  const headers = ["authorization", `Bearer ${hookSecret}`, "content-type"];
  const typed = (type: string, body?: string) => zone.send("be", { body, headers: [...headers, type] });
  const send = (...names: readonly unknown[]) => typed("application/x-www-form-urlencoded", names.join("&"));
  expect((await send(...Array(1_000).keys())).status).toBe(202);
  const problems = [{ pointer: "", message: "has more than 1000 fields" }];
  const many = { status: 422, body: { error: { reason: "body_invalid", problems } } };
  const ownMs = await cpuMsOf(async () => expect(await send(...Array(100_000).keys())).toMatchObject(many));
  expect(ownMs).toBeLessThan(2_000);
  const { body } = await send(...Array(400).keys(), ...Array(400).keys());
  expect((body["error"] as { readonly problems: unknown[] }).problems).toHaveLength(20);

  const blanks = async (count: number): Promise<void> => {
    for (let times = 0; times < 20; times += 1)
      expect((await typed(`application/json; charset=${" ".repeat(count)}x`)).status).toBe(415);
  };
  const usualMs = await cpuMsOf(() => blanks(10));
  expect(await cpuMsOf(() => blanks(15_000))).toBeLessThan(10 * usualMs + 500);
  for (const type of ["application/json; charset=UTF-8", 'application/json;charset = "utf-8"', "text/json", ""])
    expect([type, (await typed(type)).status]).toEqual([type, 202]);
  for (const type of ["application/json; charset=latin1", "application/json; x=y; charset=utf-16", "text/plain"])
    expect([type, (await typed(type)).status]).toEqual([type, 415]);
});

/** Opens a connection of a stranger at an address, which announces a megabyte and sends this much of it. Then it sends a byte each second. */
async function openSlow(url: string, bytes: number, address = "127.0.0.1"): Promise<void> {
  const { port, pathname } = new URL(url);
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress: address });
  const more = setInterval(() => socket.writable && socket.write("x"), 1_000);
  onTestFinished(() => (clearInterval(more), void socket.destroy()));
  await once(
    socket.on("error", () => undefined),
    "connect",
  );
  const signature = `x-hub-signature-256: sha256=${"0".repeat(64)}`;
  const lines = [`POST ${pathname} HTTP/1.1`, "host: localhost", "content-type: application/json", signature];
  const head = [...lines, "content-length: 1000000", "", ""].join("\r\n");
  await new Promise((resolve) => socket.write(head + "x".repeat(bytes), resolve));
}

test.each([
  ["which send a byte a second", 1, ["2", "3", "4", "5"]],
  ["which send all but a few bytes", 999_900, ["2", "3", "4", "5"]],
  ["of one address, as behind a balancer, which send all but a few bytes", 999_900, ["1"]],
])("X22: 32 slow connections %s closed the hooks for good deliveries", async (_what, bytes, addresses) => {
  const zone = await startHooks(file, [echo]);
  await zone.deliver("good", { title: "first" });
  const from = (n: number): string => `127.0.0.${addresses[n % addresses.length]}`;
  await Promise.all(Array.from({ length: 32 }, (_, n) => openSlow(`${zone.at}/hooks/good`, bytes, from(n))));
  const sent = await Promise.all(Array.from({ length: 30 }, (_, n) => zone.deliver("good", { title: `n ${n}` })));
  expect(sent.map(({ status }) => status)).toEqual(Array(30).fill(202));
});

test("X22: the zone link read what strangers sent without a bound; a call has its turn among them", async () => {
  const zone = await startZone([echo], { maxBytes: 1_000_000 });
  await Promise.all(Array.from({ length: 20 }, () => openSlow(`${zone.url}/rpc`, 999_900)));
  expect(await zone.call("execute_task", task({ text: "hi" }))).toMatchObject({ result: { response_text: "hi" } });
  const refused = () => zone.log.filter(({ event, reason }) => event === "http_refused" && reason === "busy");
  await expect.poll(() => refused().length, { timeout: 30_000 }).toBeGreaterThan(0);
});

test("a flood of one address fills no log, and is refused before its bodies are read", async () => {
  const zone = await startHooks(file, [echo]);
  const flood = await Promise.all(Array.from({ length: 1_000 }, () => zone.send("none")));
  const statuses = flood.map(({ status }) => status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(100);
  await expect.poll(async () => (await zone.refusals()).audited.length).toBeGreaterThan(50);
  expect((await zone.refusals()).audited.length).toBeLessThan(120);
});

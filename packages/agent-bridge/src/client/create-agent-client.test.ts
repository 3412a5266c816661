import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { ByteBudget } from "@crosszone/service-kit";
import { describe, expect, test } from "vitest";
import { agentOf } from "../testing/agent-record.ts";
import { clientOf, requestTo, textOf } from "../testing/start-call.ts";
import { startAgent, startServer } from "../testing/http-agents.ts";

/** An agent that answers with this body. */
async function answering(body: string) {
  const agent = await startAgent(() => ({ body }));
  return { ...agent, client: clientOf({ origins: [agent.url] }) };
}

test("R5.1, R5.2, R5.3, R5.4, R5.5: requests are JSON by POST with the caller's headers", async () => {
  const { url, asked, client } = await answering('{"ok":true}');
  const body = '{"jsonrpc":"2.0","text":"日本"}';
  const headers = { "X-Correlation-ID": "c1", traceparent: "00-1", "Content-Type": "text/plain" };
  const reply = await client.send(requestTo(`${url}a2a`, { body, headers }));
  expect(reply.status).toBe(200);
  expect(reply.headers["content-type"]).toBe("application/json");
  expect(textOf(reply)).toBe('{"ok":true}');
  expect(asked[0]).toMatchObject({ method: "POST", text: body });
  expect(asked[0]?.headers).toMatchObject({
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": "identity",
    "x-correlation-id": "c1",
    traceparent: "00-1",
    "content-length": String(Buffer.byteLength(body)),
  });
  expect(asked[0]?.headers.authorization).toBeUndefined();
});

test("X1: a hundred large answers were received at once; now each waits at its agent until there is room", async () => {
  const [large, small] = [await answering(JSON.stringify("a".repeat(2_000_000))), await answering("{}")];
  const budget = new ByteBudget({ all: 3_000_000, each: 3_000_000, waitMs: 2_000 });
  const [other, held] = [budget.open("other"), budget.open("agent")];
  await other.take(3_000_000);
  let hasCome = false;
  const waiting = large.client.send(requestTo(large.url, { held })).finally(() => (hasCome = true));
  expect(textOf(await small.client.send(requestTo(small.url, { held: budget.open("agent") })))).toBe("{}");
  await delay(300);
  expect(hasCome).toBe(false);
  other.close();
  expect(textOf(await waiting)).toHaveLength(2_000_002);
  expect(await other.take(1)).toBe(false);
  expect(await budget.open("other").take(1_500_000)).toBe(false);
});

test("B17: an agent's URL is used exactly as written, including & and ?", async () => {
  const { url, asked, client } = await answering("{}");
  const path = "/agents/R%26D%3F%20x/run?name=a%26b&c=%E2%9C%93";
  await client.send(requestTo(url + path.slice(1)));
  expect(asked[0]?.path).toBe(path);
});

describe("I3: the card of an agent", () => {
  const rest = { timeoutMs: 60_000, signal: new AbortController().signal };
  /** Starts a server that answers the given paths, and others with 404. Returns a function that fetches an agent's card there. */
  async function serving(answers: Readonly<Record<string, readonly [status: number, body: string]>>) {
    const asked: string[] = [];
    const origin = await startServer((request, response) => {
      asked.push(request.url ?? "");
      const [status, body] = answers[request.url ?? ""] ?? [404, "no"];
      response.writeHead(status).end(body);
    });
    const { fetchCard } = clientOf({ origins: [origin] });
    return { asked, fetchCard: (path: string) => fetchCard({ agent: agentOf({ url: origin + path }), ...rest }) };
  }
  const [card, former] = ["/.well-known/agent-card.json", "/.well-known/agent.json"];

  test("is fetched below the agent's URL, at the root of its host, and from the former path", async () => {
    const atRoot = await serving({ [`${card}?q=1`]: [200, "{}"] });
    expect((await atRoot.fetchCard("/agents/R%26D/?q=1")).status).toBe(200);
    expect(atRoot.asked).toEqual(["/agents/R%26D/?q=1", `/agents/R%26D${card}?q=1`, `${card}?q=1`]);
    const old = await serving({ [former]: [200, "{}"] });
    expect((await old.fetchCard("")).status).toBe(200);
    expect(old.asked).toEqual(["/", card, former]);
  });

  test.each([
    ["an answer that is no card", 200, "<html>"],
    ["a method that is not allowed", 405, ""],
    ["a method that is not known", 501, ""],
  ])("is fetched from the next URL after %s", async (_, status, body) => {
    const { asked, fetchCard } = await serving({ [`/a${card}`]: [status, body], [card]: [200, '{"name":"A"}'] });
    expect(textOf(await fetchCard("/a"))).toBe('{"name":"A"}');
    expect(asked).toHaveLength(3);
  });

  test("that is missing returns the response of the first URL; a server that is down gets one request", async () => {
    const nowhere = await serving({ [`/a${card}`]: [200, "<html>"] });
    expect(await nowhere.fetchCard("/a").then(textOf)).toBe("<html>");
    expect(nowhere.asked).toEqual(["/a", `/a${card}`, card, former]);
    const down = await serving({ [`/a${card}`]: [503, "later"] });
    expect((await down.fetchCard("/a")).status).toBe(503);
    expect(down.asked).toEqual(["/a", `/a${card}`]);
  });

  test.each([`/a${former}`, "/odd/agent.json", "/api/.well-known/weather/agent-card.json", "/card?agent=weather"])(
    "I10: a card whose registered URL is %s is found by asking that URL first",
    async (path) => {
      const body = JSON.stringify({ name: "A", url: "/", protocolVersion: "0.3.0" });
      const { asked, fetchCard } = await serving({ [path]: [200, body] });
      expect(textOf(await fetchCard(path))).toBe(body);
      expect(asked).toEqual([path]);
    },
  );

  test("other JSON at the agent's own URL does not hide the card at the well-known path", async () => {
    const { fetchCard } = await serving({ "/a": [200, '{"status":"ok"}'], [`/a${card}`]: [200, '{"name":"A"}'] });
    expect(textOf(await fetchCard("/a"))).toBe('{"name":"A"}');
  });

  test("an agent whose own URL opens an endless stream is found by its well-known card", async () => {
    const origin = await startServer((request, response) => {
      if (request.url === card) return response.end('{"name":"A"}');
      return response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    });
    const reply = await clientOf({ origins: [origin] }).fetchCard({ agent: agentOf({ url: origin }), ...rest });
    expect(textOf(reply)).toBe('{"name":"A"}');
  });
});

test("T5: an aborted call ends at once with the given reason, and the agent's connection is closed", async () => {
  const asked = Promise.withResolvers<IncomingMessage>();
  const origin = await startServer((request) => asked.resolve(request));
  const cancel = new AbortController();
  const reason = new Error("canceled by the user");
  const call = clientOf({ origins: [origin] }).send(requestTo(origin, { signal: cancel.signal }));
  const { socket } = await asked.promise;
  const closed = once(socket, "close");
  cancel.abort(reason);
  await expect(call).rejects.toBe(reason);
  await closed;
});

test("a closed client sends nothing and rejects with the reason", async () => {
  const { url, asked, client } = await answering("{}");
  await client.send(requestTo(url));
  const unused = clientOf({ origins: [url] });
  for (const closed of [client, unused]) {
    await closed.close();
    await expect(closed.send(requestTo(url))).rejects.toMatchObject({
      kind: "unreachable",
      message: expect.stringMatching(/this process is stopping/) as string,
    });
  }
  expect(asked).toHaveLength(1);
});

test.each([
  ["/a2a/?key=secret", "the same URL with a slash at its end"],
  ["/a2a?key=secret", "the same URL"],
  ["https:", "the same host with https:"],
  ["/other/secret", "another path of the same host"],
  ["http://secret.example/a2a", "another host"],
  ["http://[", "no valid URL"],
])("J12: a redirect to %s is described without its URL, and with what to correct", async (location, where) => {
  const url: string = await startServer((request, response) => {
    const target = location === "https:" ? `https://${request.headers.host}/a2a` : location;
    response.writeHead(307, { location: target }).end();
  });
  const failure = await clientOf({ origins: [url] })
    .send(requestTo(`${url}/a2a`))
    .catch((error: unknown) => error);
  const message = `The agent "scout" answered with a redirect (HTTP 307) to ${where}, which is not followed. Correct the URL where it is written: in the registration or in the agent's card.`;
  expect(failure).toMatchObject({ kind: "redirect_refused", message });
});

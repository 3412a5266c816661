import { createServer, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { listen } from "@crosszone/service-kit";
import { expect, onTestFinished, test } from "vitest";
import { createResponseUrls, type ResponseUrls } from "./response-urls.ts";

async function start(
  answer: (response: ServerResponse, count: number) => void,
): Promise<{ origin: string; urls: ResponseUrls; seen: { url: string; body: unknown }[] }> {
  const seen: { url: string; body: unknown }[] = [];
  const server = createServer((request, response) => {
    const receive = async (): Promise<void> => {
      seen.push({ url: request.url ?? "", body: await json(request) });
      answer(response, seen.length);
    };
    void receive();
  });
  const { url: origin } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin, seen, urls: createResponseUrls({ origin, sleep: async () => undefined, timeoutMs: 500 }) };
}

test("S21: an answer is visible only to the command's author, and unfolds no link", async () => {
  const { origin, urls, seen } = await start((response) => response.end("ok"));
  await urls.answer(`${origin}/commands/T1/2/3`, "**hi**");
  expect(seen).toEqual([
    {
      url: "/commands/T1/2/3",
      body: {
        response_type: "ephemeral",
        text: "**hi**",
        blocks: [{ type: "markdown", text: "**hi**" }],
        unfurl_links: false,
        unfurl_media: false,
      },
    },
  ]);
});

test.each(["https://evil.example/commands/1", "http://127.0.0.1:1/", "not a url", "http://127.0.0.1@evil.example/"])(
  "S21: nothing is sent to %s, which is not Slack",
  async (url) => {
    const { urls, seen } = await start((response) => response.end("ok"));
    await expect(urls.answer(url, "hi")).rejects.toMatchObject({ code: "not_slack" });
    expect(seen).toEqual([]);
  },
);

test.each<[string, (response: ServerResponse) => void, string, number]>([
  ["that is used up", (response) => response.writeHead(404).end(), "http_404", 1],
  ["that redirects", (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(), "http_302", 1],
  ["with a server error", (response) => response.writeHead(503).end(), "http_503", 3],
  ["with a broken connection", (response) => void response.destroy(), "unreachable", 3],
  ["that never answers", () => undefined, "unreachable", 3],
])("a URL %s fails with a reason that does not contain it", async (...[, answer, code, tries]) => {
  const { origin, urls, seen } = await start(answer);
  const failure: unknown = await urls.answer(`${origin}/commands/T1/secret`, "hi").catch((error: unknown) => error);
  expect(failure).toMatchObject({ code });
  expect(String(failure)).not.toContain("secret");
  expect(seen).toHaveLength(tries);
});

test("a transient failure is retried", async () => {
  const { origin, urls, seen } = await start((response, count) => response.writeHead(count === 1 ? 500 : 200).end());
  await urls.answer(`${origin}/commands/1`, "hi");
  expect(seen).toHaveLength(2);
});

import { writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { serve, tempFolder } from "@crosszone/testkit/temporary";
import { describe, expect, test } from "vitest";
import { type BotToken, createBotToken, createTokenClients } from "./token-clients.ts";
import { createResponseUrls } from "./response-urls.ts";
import { SlackCallError } from "./slack-call-error.ts";
import { isSlackApi } from "./slack-variables.ts";

function tokenInFile() {
  const path = join(tempFolder(), "token");
  const remarks: string[] = [];
  const token = createBotToken({
    token: "xoxb-first",
    path,
    onRenewed: () => remarks.push("renewed"),
    onNotRenewed: (why) => remarks.push(why),
  });
  return { token, write: (text: string): void => writeFileSync(path, text), remarks };
}

async function start(answer: (response: ServerResponse, count: number) => void) {
  const seen: { url: string; body: unknown }[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    seen.push({ url: request.url ?? "", body: await json(request) });
    answer(response, seen.length);
  };
  const origin = await serve(receive);
  return { origin, seen, urls: createResponseUrls(origin, async () => undefined, 500) };
}

const away = new Error("the database is away");

const gone = new SlackCallError("oauth.v2.access", { failure: "refused", code: "not_installed" });

const revoked = new SlackCallError("chat.update", { failure: "refused", code: "token_revoked" });

/** Makes a call whose token Slack refuses; resolves with its error. */
const failureWith = async (token: Partial<BotToken>): Promise<unknown> =>
  createTokenClients({ current: () => "xoxb-1", renew: () => true, ...token }, {})("chat.update", async () =>
    Promise.reject(revoked),
  ).catch((error: unknown) => error);

describe("bot token", () => {
  test("S15: a replaced token is read from its file", () => {
    const { token, write, remarks } = tokenInFile();
    write("xoxb-second\n");
    expect(token.current()).toBe("xoxb-first");
    expect(token.renew("xoxb-first")).toBe(true);
    expect(token.current()).toBe("xoxb-second");
    expect(token.renew("xoxb-first")).toBe(true);
    expect(remarks).toEqual(["renewed"]);
  });

  test("S15: a file without a different bot token changes nothing, and its contents are not reported", () => {
    const { token, write, remarks } = tokenInFile();
    expect(token.renew("xoxb-first")).toBe(false);
    for (const text of ["xoxb-first", "xoxp-a-persons-token", ""]) {
      write(text);
      expect(token.renew("xoxb-first")).toBe(false);
    }
    expect(token.current()).toBe("xoxb-first");
    expect(remarks).toEqual([
      "the file cannot be read (ENOENT)",
      "the file still contains the refused token",
      "the file contains no bot token",
      "the file contains no bot token",
    ]);
  });
});

describe("response urls", () => {
  test("S21: an answer is visible only to the command's author, and unfolds no link", async () => {
    const { origin, urls, seen } = await start((response) => response.end("ok"));
    await urls.answer(`${origin}/commands/T1/2/3`, "**hi**");
    expect(seen).toEqual([
      {
        url: "/commands/T1/2/3",
        body: {
          response_type: "ephemeral",
          replace_original: false,
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
});

describe("slack origins", () => {
  test("the bot token is sent only to Slack's own hosts and to this machine, not to similar names", () => {
    for (const url of ["https://slack.com/api/", "https://slack-gov.com/api/", "http://localhost:3100/api/"])
      expect(isSlackApi(url)).toBe(true);
    for (const url of [
      "http://slack.com/api/",
      "https://slack.com:8443/api/",
      "https://slack.com.example.com/api/",
      "https://slack.com@example.com/api/",
      "https://example.com",
      "http://10.0.0.1",
    ])
      expect(isSlackApi(url)).toBe(false);
  });
});

describe("token clients", () => {
  test.each<[string, Partial<BotToken>]>([
    ["be read", { current: async () => Promise.reject(away) }],
    ["be renewed", { renew: async () => Promise.reject(away) }],
  ])("Y6: a token that can't %s is an outage of the call that needed it", async (_what, token) => {
    const failure = await failureWith(token);
    expect(failure).toBeInstanceOf(SlackCallError);
    expect(failure).toMatchObject({ method: "chat.update", failure: "unavailable", code: "failed", cause: away });
  });

  test("Y3: the call fails with the reason why no other token exists", async () => {
    expect(await failureWith({ renew: async () => Promise.reject(gone) })).toBe(gone);
    expect(await failureWith({ renew: () => false })).toBe(revoked);
  });
});

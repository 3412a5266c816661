import { expect, test } from "vitest";
import type { BotToken } from "./bot-token.ts";
import { SlackCallError } from "./slack-call-error.ts";
import { createTokenClients } from "./token-clients.ts";

const away = new Error("the database is away");
const gone = new SlackCallError("oauth.v2.access", { failure: "refused", code: "not_installed" });
const revoked = new SlackCallError("chat.update", { failure: "refused", code: "token_revoked" });

/** Makes a call whose token Slack refuses; resolves with its error. */
const failureWith = async (token: Partial<BotToken>): Promise<unknown> =>
  createTokenClients({ current: () => "xoxb-1", renew: () => true, ...token }, {})("chat.update", async () =>
    Promise.reject(revoked),
  ).catch((error: unknown) => error);

test.each<[string, Partial<BotToken>]>([
  ["be read", { current: async () => Promise.reject(away) }],
  ["be renewed", { renew: async () => Promise.reject(away) }],
])("W6: a token that can't %s is an outage of the call that needed it", async (_what, token) => {
  const failure = await failureWith(token);
  expect(failure).toBeInstanceOf(SlackCallError);
  expect(failure).toMatchObject({ method: "chat.update", failure: "unavailable", code: "failed", cause: away });
});

test("W3: the call fails with the reason why no other token exists", async () => {
  expect(await failureWith({ renew: async () => Promise.reject(gone) })).toBe(gone);
  expect(await failureWith({ renew: () => false })).toBe(revoked);
});

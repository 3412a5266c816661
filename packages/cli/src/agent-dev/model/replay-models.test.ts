import { expect, onTestFinished, test } from "vitest";
import { createCleaner, type ModelExchange, secretsIn } from "./model-exchange.ts";
import { replayModels, type ModelReplayer } from "./replay-models.ts";

const recorded = (content: string, answer: string): ModelExchange => ({
  provider: "openai",
  path: "/chat/completions",
  at: "2026-03-01T10:00:00Z",
  status: 200,
  request: { messages: [{ role: "user", content }], id: "0f8fad5b-d9cb-469f-a165-70867728950e" },
  content_type: "application/json",
  response: { answer },
});

async function start(): Promise<ModelReplayer & { readonly ask: (content: string) => Promise<unknown> }> {
  const replayer = await replayModels();
  onTestFinished(() => replayer.close());
  const ask = async (content: string): Promise<unknown> => {
    const response = await fetch(`${replayer.url}/openai/v1/chat/completions?key=x`, {
      method: "POST",
      body: JSON.stringify({ id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", messages: [{ content, role: "user" }] }),
    });
    return response.json();
  };
  return { ...replayer, ask };
}

test("a request gets its recorded response, whatever the order of members, the ids and the day", async () => {
  const { join, leave, ask } = await start();
  const one = join([recorded("hi on 2026-03-01", "first"), recorded("hi on 2026-03-01", "second")]);
  const today = new Date().toISOString().slice(0, 10);
  const answers = [await ask(`hi on ${today}`), await ask(`hi on ${today}`), await ask(`hi on ${today}`)];
  expect(answers).toEqual([{ answer: "first" }, { answer: "second" }, { answer: "second" }]);
  expect(one).toMatchObject({ unmatched: [], isUnsure: false });
  leave(one);
  expect(await ask("hi")).toMatchObject({ error: { type: "not_recorded" } });
});

test("an unknown request is reported with its difference to the nearest one; with several cases, each has to run alone", async () => {
  const { join, leave, ask } = await start();
  const one = join([recorded("far away", "x"), recorded("hello\nthere", "y")]);
  await ask("hello\nyou");
  expect(one.unmatched.flat().join("\n")).toMatch(/-\s+there",\n\+\s+you",/);
  const other = join([]);
  await ask("hello\nyou");
  expect([one.unmatched.length, one.isUnsure, other.isUnsure]).toEqual([1, true, true]);
  leave(other);
});

test("the same request of two cases with different answers makes both run alone", async () => {
  const { join, ask } = await start();
  const cases = [join([recorded("same", "a")]), join([recorded("same", "b")]), join([recorded("other", "c")])];
  await ask("same");
  expect(cases.map(({ isUnsure }) => isUnsure)).toEqual([true, true, false]);
});

test("secrets are removed from a recording, also in a stream, and texts about tokens stay", () => {
  const clean = createCleaner(["my-own-secret-value"]);
  const body = {
    key: "my-own-secret-value",
    text: "Bearer abcdefghijklmnop",
    max_tokens: 5,
    usage: { total_tokens: 7 },
  };
  expect(JSON.parse(clean(JSON.stringify(body)))).toEqual({
    key: "[hidden]",
    text: expect.not.stringContaining("abcdefgh") as string,
    max_tokens: 5,
    usage: { total_tokens: 7 },
  });
  const stream = 'data: {"token":"Hello","n":"my-own-secret-value"}\n\ndata: {"token":"wor';
  expect(clean(stream)).toBe('data: {"token":"Hello","n":"[hidden]"}\n\ndata: {"token":"wor');
});

test("a secret with quotes, backslashes or a tab is removed wherever it stands: in text, in a stream, in JSON within a text", () => {
  const secret = 'pa"ss\\wo\trd';
  const clean = createCleaner([secret]);
  const body = { text: `it is ${secret}`, call: { arguments: JSON.stringify({ key: secret }) }, [secret]: 1 };
  expect(JSON.parse(clean(JSON.stringify(body)))).toEqual({
    text: "it is [hidden]",
    call: { arguments: '{"key":"[hidden]"}' },
    "[hidden]": 1,
  });
  const stream = `data: ${JSON.stringify({ text: secret })}\n\ndata: {"cut":"${JSON.stringify(secret).slice(1, -1)}`;
  expect(clean(stream)).toBe('data: {"text":"[hidden]"}\n\ndata: {"cut":"[hidden]');
  expect(clean(`https://a.example/?key=${encodeURIComponent(secret)}`)).toBe("https://a.example/?key=[hidden]");
});

test("the credentials of the environment are found by their names, not by their form", () => {
  const env = {
    ADMIN_TOKENS: "first-token, second-token",
    API_KEY_2: "api-key-two",
    DB_PASS: "db-pass",
    DB_PWD: "db-pwd",
    GIT_CREDENTIALS: "git-credentials",
    MY_PAT: "ghpat_1",
    SENTRY_DSN: "https://key@sentry.example/1",
    password: "lower-case",
  };
  const others = { PWD: "/home/me", PATH: "/bin", COMPASS: "north", SSH_AUTH_SOCK: "/tmp/s", TLS_KEY_FILE: "/k.pem" };
  const found = secretsIn({ ...env, ...others });
  expect(new Set(found)).toEqual(new Set([...Object.values(env), "first-token", "second-token"]));
});

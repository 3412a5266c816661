import { expect, test } from "vitest";
import { callWebApi, devSlackForTest } from "../testing/dev-slack-for-test.ts";

test("arguments come as a form, as JSON, as multipart or in a query", async () => {
  const dev = await devSlackForTest();
  const authorization = `Bearer ${dev.botToken}`;
  const url = `${dev.apiUrl}users.info`;
  const form = new FormData();
  form.set("user", "U0BOB000001");
  const requests: RequestInit[] = [
    { method: "POST", body: new URLSearchParams({ user: "U0BOB000001" }) },
    { method: "POST", body: form },
    {
      method: "POST",
      body: JSON.stringify({ user: "U0BOB000001" }),
      headers: { "content-type": "application/json; charset=utf-8" },
    },
  ];
  for (const init of requests) {
    const headers = new Headers(init.headers);
    headers.set("authorization", authorization);
    expect(await (await fetch(url, { ...init, headers })).json()).toMatchObject({ ok: true, user: { name: "bob" } });
  }
  const got = await fetch(`${url}?user=U0BOB000001`, { headers: { authorization } });
  expect(await got.json()).toMatchObject({ ok: true, user: { name: "bob" } });
});

test.each([
  ["application/json", "{", "invalid_json"],
  ["application/json", "[1]", "json_not_object"],
  ["text/csv", "a,b", "invalid_post_type"],
  ["", "user=U0BOB000001", "missing_post_type"],
  ["multipart/form-data; boundary=x", "nothing of the kind", "invalid_form_data"],
])("a body of type %j that cannot be read: %s → %s", async (type, body, error) => {
  const dev = await devSlackForTest();
  const headers = { authorization: `Bearer ${dev.botToken}`, "content-type": type };
  const response = await fetch(`${dev.apiUrl}users.info`, { method: "POST", headers, body: Buffer.from(body) });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ ok: false, error });
});

test("a token counts in the header and in a form, not in the query and not in JSON", async () => {
  const dev = await devSlackForTest();
  expect(await callWebApi(dev, "auth.test")).toMatchObject({ ok: true });
  const inQuery = await fetch(`${dev.apiUrl}auth.test?token=${dev.botToken}`);
  expect(await inQuery.json()).toEqual({ ok: false, error: "not_authed" });
  const inJson = await fetch(`${dev.apiUrl}auth.test`, {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({ token: dev.botToken }),
  });
  expect(await inJson.json()).toEqual({ ok: false, error: "not_authed" });
});

test("a scope that the token lacks is named, with what it has", async () => {
  const dev = await devSlackForTest({ scopes: ["chat:write", "im:read"] });
  expect(await callWebApi(dev, "users.info", { user: "U0BOB000001" })).toEqual({
    ok: false,
    error: "missing_scope",
    needed: "users:read",
    provided: "chat:write,im:read",
  });
  expect(await callWebApi(dev, "conversations.info", { channel: "D0BOB000001" })).toMatchObject({ ok: true });
  expect(await callWebApi(dev, "conversations.info", { channel: "C0GENERAL01" })).toMatchObject({
    needed: "channels:read",
  });
  expect(await callWebApi(dev, "chat.postMessage", { channel: "C0GENERAL01", text: "hi" })).toMatchObject({ ok: true });
});

test("a method that is called too often responds with 429 until its minute ends", async () => {
  const dev = await devSlackForTest({ rateLimits: { tier_4: { burst: 1, per_minute: 100 } } });
  expect(await callWebApi(dev, "users.info", { user: "U0BOB000001" })).toMatchObject({ ok: true });
  const headers = { authorization: `Bearer ${dev.botToken}` };
  const refused = await fetch(`${dev.apiUrl}users.info?user=U0BOB000001`, { headers });
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toEqual({ ok: false, error: "ratelimited" });
  expect(await callWebApi(dev, "auth.test")).toMatchObject({ ok: true });
});

test("every call is recorded without its token", async () => {
  const dev = await devSlackForTest();
  await callWebApi(dev, "chat.postMessage", { channel: "C0GENERAL01", text: `my token is ${dev.botToken}` });
  const record = dev.control.traffic().find(({ kind }) => kind === "web_api");
  expect(record).toMatchObject({
    name: "chat.postMessage",
    status: 200,
    verdict: "ok",
    request: { channel: "C0GENERAL01", text: "my token is [redacted]" },
  });
  expect(JSON.stringify(dev.control.traffic())).not.toContain(dev.botToken);
});

import { expect, test } from "vitest";
import { callWebApi, devSlackForTest } from "../testing/dev-slack-for-test.ts";

test("api.test answers its arguments, or the error that is asked for, without a token", async () => {
  const dev = await devSlackForTest();
  expect(await callWebApi(dev, "api.test", { token: "", foo: "bar" })).toEqual({ ok: true, args: { foo: "bar" } });
  expect(await callWebApi(dev, "api.test", { error: "my_error" })).toMatchObject({ ok: false, error: "my_error" });
});

test("auth.test knows both tokens", async () => {
  const dev = await devSlackForTest();
  expect(await callWebApi(dev, "auth.test")).toEqual({
    ok: true,
    url: `${dev.url}/`,
    team: "Crosszone Dev",
    user: "crosszone",
    team_id: "T0CROSSZONE",
    user_id: "U0CROSSZONE",
    bot_id: "B0CROSSZONE",
    is_enterprise_install: false,
  });
  expect(await callWebApi(dev, "auth.test", { token: dev.appToken })).toMatchObject({ app_id: "A0CROSSZONE" });
});

test("apps.connections.open is for the app token, by POST", async () => {
  const dev = await devSlackForTest();
  const opened = await callWebApi(dev, "apps.connections.open", { token: dev.appToken });
  expect(opened["url"]).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/link\/\?ticket=/);
  expect(await callWebApi(dev, "apps.connections.open")).toMatchObject({ error: "not_allowed_token_type" });
  expect(await callWebApi(dev, "users.list", { token: dev.appToken })).toMatchObject({
    error: "not_allowed_token_type",
  });
  const byGet = await fetch(`${dev.apiUrl}apps.connections.open`, {
    headers: { authorization: `Bearer ${dev.appToken}` },
  });
  expect(await byGet.json()).toMatchObject({ error: "insecure_request" });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signed, launchTestApp, type TestApp } from "../testing/start-test-app.ts";
import { readSlashCommand } from "./interaction.ts";

const form = {
  token: "t",
  team_id: "T1",
  channel_id: "C1",
  user_id: "U1",
  command: "/agents",
  text: "",
  api_app_id: "A1",
  is_enterprise_install: "false",
  response_url: "https://hooks.slack.com/commands/T1/1/abc",
  trigger_id: "1.2",
};
const encoded = (members: Record<string, string> = {}): string =>
  new URLSearchParams({ ...form, ...members }).toString();

let app: TestApp;
beforeAll(async () => {
  app = await launchTestApp();
  await app.started;
});
afterAll(() => app.close());

const reasons = (): unknown[] => app.logged("slack_request_refused").map(({ reason }) => reason);

async function send(
  body: string,
  type = "application/x-www-form-urlencoded",
  secret?: string,
): Promise<[number, string]> {
  const headers = { ...signed(body, secret === undefined ? {} : { secret }), "content-type": type };
  const response = await fetch(`${app.url}/slack/events`, { method: "POST", headers, body });
  return [response.status, await response.text()];
}

describe("a form at the events URL", () => {
  test.each<[string, string, number, string]>([
    ["JSON that replaces the form", `payload=null&${encoded()}`, 400, "no_command"],
    ["the same, percent-encoded", `p%61yload=null&${encoded()}`, 400, "no_command"],
    ["an interaction of no type", "payload=%7B%7D", 404, "unhandled"],
    ["an interaction that is no object", "payload=null", 400, "no_object"],
    ["an interaction that is nested too deep", `payload=${encodeURIComponent('{"a":'.repeat(100))}`, 400, "too_deep"],
    ["an interaction with more members", `payload=%7B%7D&ssl_check=1`, 400, "no_command"],
    ["a repeated command", `${encoded()}&command=/agents`, 400, "no_command"],
    ["JSON with the content type of a form", JSON.stringify(form), 400, "no_command"],
    ["an unknown command", encoded({ command: "/weather" }), 404, "unhandled"],
    ["a command without a person", encoded({ user_id: "" }), 400, "malformed"],
    ["a repeated person", `${encoded()}&user_id=U2`, 400, "malformed"],
    ["an invalid response URL", encoded({ response_url: "javascript:1" }), 400, "malformed"],
  ])("%s is refused", async (...[, body, status, reason]) => {
    expect((await send(body))[0]).toBe(status);
    expect(reasons().at(-1)).toBe(reason);
  });

  test("S1, S21: with a wrong signature is refused", async () => {
    expect((await send(encoded(), undefined, "another-secret-that-is-long-enough"))[0]).toBe(401);
  });

  test("S21: a command for another app is refused without a reply", async () => {
    const before = app.commandReplies.length;
    expect((await send(encoded({ api_app_id: "A2" })))[0]).toBe(403);
    expect(app.logged("command_refused").at(-1)).toMatchObject({ reason: "wrong_app" });
    expect(app.commandReplies).toHaveLength(before);
  });
});

test("a command of an organization-wide installation names workspace and organization", () => {
  const read = (members: object): unknown => readSlashCommand({ ...form, ...members })?.workspace;
  expect(read({ enterprise_id: "E1", is_enterprise_install: "true" })).toEqual({ team_id: "T1", org_id: "E1" });
  expect(read({ enterprise_id: "E1", is_enterprise_install: true })).toEqual({ team_id: "T1", org_id: "E1" });
  expect(read({ enterprise_id: "E1" })).toEqual({ team_id: "T1" });
  expect(read({ is_enterprise_install: "true" })).toEqual({ team_id: "T1", org_id: "" });
});

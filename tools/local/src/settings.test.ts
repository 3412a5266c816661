import { expect, test } from "vitest";
import { localSettings, SettingsError } from "./settings.ts";

const secrets = {
  ANTHROPIC_API_KEY: "sk-ant-1",
  ADMIN_TOKENS: "admin-token-of-thirty-two-letters",
  CROSSZONE_TOKEN: "admin-token-of-thirty-two-letters",
  EXECUTION_TOKEN: "link-token-of-thirty-two-letters",
};

test("each zone gets only its own secrets", () => {
  const real = { SLACK_BOT_TOKEN: "xoxb-1", SLACK_APP_TOKEN: "xapp-1" };
  const { execution, verification, slack, localSlack } = localSettings({ ...secrets, ...real }, "/team");
  expect(localSlack).toBe(false);
  expect(Object.keys(execution).filter((name) => name.startsWith("SLACK_"))).toEqual([]);
  expect(execution).toMatchObject({ ANTHROPIC_API_KEY: "sk-ant-1", EXECUTION_FILE: "/team/execution.yaml" });
  expect(verification).toMatchObject({ ...real, EXECUTION_TOKEN: secrets.EXECUTION_TOKEN });
  const read = JSON.stringify([verification, slack]);
  expect(read).not.toContain(secrets.ADMIN_TOKENS);
  expect(read).not.toContain("sk-ant-1");
});

test("without a workspace the local Slack runs, and both ends of each link have the same secret", () => {
  const { execution, verification, slack, localSlack, ports } = localSettings({ DEV_SLACK_PORT: "3101" }, "/team");
  expect([localSlack, ports.slack]).toEqual([true, 3101]);
  expect(execution["EXECUTION_TOKEN"]).toBe(verification["EXECUTION_TOKEN"]);
  expect(slack["SLACK_BOT_TOKEN"]).toBe(verification["SLACK_BOT_TOKEN"]);
  expect(slack).not.toHaveProperty("EXECUTION_TOKEN");
  expect(verification["EXECUTION_URL"]).toBe("http://127.0.0.1:3101/tap/rpc");
  expect(execution["AGENT_ORIGINS"]).toBe("https://*,http://127.0.0.1:*,http://localhost:*,http://[::1]:*");
});

test("Q16b: the secret of the local Slack is the same in each start, so that the doctor has it, and execution never does", () => {
  const env = { DEV_SLACK_SECRET: "a-secret-of-thirty-two-characters" };
  const [first, second, other] = [env, env, {}].map((one) => localSettings(one, "/team"));
  expect(first?.verification).toMatchObject({
    SLACK_BOT_TOKEN: /^xoxb-local-\w{32}$/.exec(String(second?.slack["SLACK_BOT_TOKEN"]))?.[0],
  });
  expect(first?.slack["SLACK_SIGNING_SECRET"]).toBe(second?.verification["SLACK_SIGNING_SECRET"]);
  expect(other?.slack["SLACK_BOT_TOKEN"]).not.toBe(first?.slack["SLACK_BOT_TOKEN"]);
  expect(JSON.stringify(first?.execution)).not.toMatch(/a-secret|xoxb/);
});

test.each([
  [{ SLACK_BOT_TOKEN: "xoxb-1" }, /neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET is/],
  [{ SLACK_APP_TOKEN: "xapp-1" }, /SLACK_BOT_TOKEN is not/],
  [{ EXECUTION_PORT: "x" }, /Expected a port from 1 to 65535 in EXECUTION_PORT, got "x"/],
])("%o is refused with what to do", (env, words) => {
  expect(() => localSettings(env, "/team")).toThrow(SettingsError);
  expect(() => localSettings(env, "/team")).toThrow(words);
});

import { expect, test } from "vitest";
import { createIsForApp } from "./workspaces.ts";

const workspace = { team_id: "T1" };
const once = async <T>(ask: () => Promise<T>): Promise<T> => ask();
const workspacesWith = (appId: () => Promise<string | undefined>) => ({ find: async () => ({ appId }) });

test.each([
  ["A1", true],
  ["A2", false],
  [undefined, false],
])("without a configured app, a request that names the app %s is for the bot's app: %s", async (api_app_id, isOurs) => {
  const isForApp = createIsForApp({ workspaces: workspacesWith(async () => "A1"), appId: undefined });
  expect(await isForApp({ workspace, api_app_id }, once)).toBe(isOurs);
});

test("a configured app is compared without a call to Slack", async () => {
  const isForApp = createIsForApp({ workspaces: { find: async () => expect.unreachable() }, appId: "A1" });
  expect(await isForApp({ workspace, api_app_id: "A1" }, once)).toBe(true);
  expect(await isForApp({ workspace, api_app_id: "A2" }, once)).toBe(false);
});

test("requests of a workspace without the app pass, and all requests pass when Slack refuses the app id", async () => {
  for (const workspaces of [{ find: async () => undefined }, workspacesWith(async () => undefined)])
    expect(await createIsForApp({ workspaces, appId: undefined })({ workspace, api_app_id: "A2" }, once)).toBe(true);
});

test("no request passes while the app id cannot be fetched", async () => {
  const isForApp = createIsForApp({
    workspaces: workspacesWith(() => Promise.reject(new Error("away"))),
    appId: undefined,
  });
  await expect(isForApp({ workspace, api_app_id: "A1" }, once)).rejects.toThrow("away");
});

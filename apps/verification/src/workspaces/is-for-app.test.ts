import { describe, expect, test } from "vitest";
import { createFakeSlack } from "../testing/fake-slack.ts";
import { createSessionStatus } from "./session-status.ts";
import { createIsForApp } from "./workspaces.ts";

const workspace = { team_id: "T1" };

const once = async <T>(ask: () => Promise<T>): Promise<T> => ask();

const workspacesWith = (appId: () => Promise<string | undefined>) => ({ find: async () => ({ appId }) });

const thread = { channel: "C1", thread_ts: "1.0" };

describe("is for app", () => {
  test.each([
    ["A1", true],
    ["A2", false],
    [undefined, false],
  ])(
    "without a configured app, a request that names the app %s is for the bot's app: %s",
    async (api_app_id, isOurs) => {
      const isForApp = createIsForApp({ workspaces: workspacesWith(async () => "A1"), appId: undefined });
      expect(await isForApp({ workspace, api_app_id }, once)).toBe(isOurs);
    },
  );

  test("no request passes while the app id cannot be fetched", async () => {
    const isForApp = createIsForApp({
      workspaces: workspacesWith(() => Promise.reject(new Error("away"))),
      appId: undefined,
    });
    await expect(isForApp({ workspace, api_app_id: "A1" }, once)).rejects.toThrow("away");
  });
});

test("the statuses of one thread arrive in order, however long a call takes; other threads do not wait", async () => {
  const slack = createFakeSlack();
  const first = Promise.withResolvers<void>();
  const said: string[] = [];
  const session = createSessionStatus(
    {
      ...slack,
      setSessionStatus: async ({ thread_ts }, status) => {
        said.push(`${thread_ts} ${status}`);
        if (said.length === 1) await first.promise;
      },
    },
    () => undefined,
  );
  const calls = [session.working(thread), session.idle(thread), session.working({ ...thread, thread_ts: "2.0" })];
  await calls[2];
  expect(said).toEqual(["1.0 processing", "2.0 processing"]);
  first.resolve();
  await Promise.all(calls);
  expect(said).toEqual(["1.0 processing", "2.0 processing", "1.0 active"]);
});

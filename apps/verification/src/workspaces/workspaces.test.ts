import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { SlackApi, SlackIdentity } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { createFakeSlack } from "../testing/fake-slack.ts";
import { directMessage, startTestApp } from "../testing/start-test-app.ts";
import type { Installation, InstallationStore, InstallId } from "./installation-store.ts";
import {
  createAppId,
  createInstalledWorkspaces,
  createIsForApp,
  type SlackLink,
  type WorkspaceContext,
  createSessionStatus,
} from "./workspaces.ts";

function start(slackOf = ({ id, install }: InstallId): unknown => `${id} ${install}`) {
  const installed = new Map<string, Installation>();
  const made: SlackIdentity[] = [];
  const asked: string[] = [];
  const find: InstallationStore["find"] = async (id) => {
    asked.push(id);
    return installed.get(id);
  };
  const workspaces = createInstalledWorkspaces(
    { find, ids: async () => [...installed.keys()] },
    (one) => ({ slack: slackOf(one) }) as SlackLink,
    (link, identity) => {
      made.push(identity);
      return { ...link, identity } as unknown as WorkspaceContext;
    },
  );
  const install = (id: string, more: Partial<Installation> = {}): void => {
    const scopes = ["chat:write"];
    const bot = { bot_user_id: `UBOT${id}`, bot_id: `B${id}` };
    installed.set(id, { id, install: "1", ...bot, scopes, installed_by: "U1", installed_at: 1, ...more });
  };
  return { installed, install, workspaces, made, asked };
}

test("Y1: a context is created when its workspace is first used, once, with the tokens of its installation", async () => {
  const { install, workspaces, made } = start();
  install("T1");
  install("T2", { enterprise_id: "E1" });
  const [one, again, two] = [
    await workspaces.find({ team_id: "T1" }),
    await workspaces.find({ team_id: "T1" }),
    await workspaces.find({ team_id: "T2" }),
  ];
  expect(one).toBe(again);
  expect([one?.slack, two?.slack]).toEqual(["T1 1", "T2 1"]);
  expect(made).toEqual([
    { team_id: "T1", bot_user_id: "UBOTT1", bot_id: "BT1" },
    { team_id: "T2", bot_user_id: "UBOTT2", bot_id: "BT2", enterprise_id: "E1" },
  ]);
});

test("Y1: each workspace of an organization-wide installation has its own context", async () => {
  const { install, workspaces, made } = start();
  install("E1", { enterprise_id: "E1" });
  const [one, two] = [
    await workspaces.find({ team_id: "T1", org_id: "E1" }),
    await workspaces.find({ team_id: "T2", org_id: "E1" }),
  ];
  expect(one).not.toBe(two);
  expect(made.map(({ team_id, enterprise_id }) => [team_id, enterprise_id])).toEqual([
    ["T1", "E1"],
    ["T2", "E1"],
  ]);
  expect(await workspaces.find({ team_id: "T1" })).toBeUndefined();
});

test("all workspaces are those of installations, and of organizations: as Slack says, or said last", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const pages: (SlackCallError | readonly string[])[] = [["T2"], ["T3"]];
  const teams = async (cursor?: string) => {
    const page = pages.shift() ?? [];
    if (page instanceof SlackCallError) throw page;
    return { ids: page, next_cursor: cursor === undefined ? "more" : undefined };
  };
  const { installed, install, workspaces } = start(() => ({ teams }));
  install("T1");
  install("E1", { enterprise_id: "E1" });
  const found = async () => (await workspaces.all()).map(({ identity }) => [identity.org_id, identity.team_id]);
  const expected = [[undefined, "T1"], ...["T2", "T3"].map((team) => ["E1", team])];
  expect([await found(), await found()]).toEqual([expected, expected]);
  vi.advanceTimersByTime(600_000);
  pages.push(new SlackCallError("auth.teams.list", { failure: "unavailable", code: "x" }), ["T3"], ["T4"]);
  expect([await found(), (await found()).slice(1)]).toEqual([expected, ["T3", "T4"].map((team) => ["E1", team])]);
  installed.delete("E1");
  expect(await found()).toEqual([[undefined, "T1"]]);
});

test("Y3, Y5: a context ends with its installation, and the next installation gets another", async () => {
  const { installed, install, workspaces } = start();
  install("T1");
  const before = await workspaces.find({ team_id: "T1" });
  installed.delete("T1");
  expect(await workspaces.find({ team_id: "T1" })).toBeUndefined();
  install("T1", { install: "2" });
  const after = await workspaces.find({ team_id: "T1" });
  expect([before?.slack, after?.slack]).toEqual(["T1 1", "T1 2"]);
  install("T1", { install: "3" });
  expect((await workspaces.find({ team_id: "T1" }))?.slack).toBe("T1 3");
});

test.each([
  { team_id: "" },
  { team_id: "t1" },
  { team_id: "T1\u0000" },
  { team_id: "\ud800" },
  { team_id: "T1", org_id: "" },
  { team_id: "", org_id: "E1" },
  { team_id: `T${"1".repeat(1_000_000)}` },
])("the database is not queried for a malformed id", async (workspace) => {
  const { workspaces, asked } = start();
  expect(await workspaces.find(workspace)).toBeUndefined();
  expect(asked).toEqual([]);
});

const workspace = { team_id: "T1" };

const once = async <T>(ask: () => Promise<T>): Promise<T> => ask();

const finding = (appId: () => Promise<string | undefined>) => async () =>
  ({ appId }) as Partial<WorkspaceContext> as WorkspaceContext;

const thread = { channel: "C1", thread_ts: "1.0" };

describe("is for app", () => {
  test.each([
    ["A1", true],
    ["A2", false],
    [undefined, false],
  ])(
    "without a configured app, a request that names the app %s is for the bot's app: %s",
    async (api_app_id, isOurs) => {
      const isForApp = createIsForApp(
        finding(async () => "A1"),
        undefined,
      );
      expect(await isForApp({ workspace, api_app_id }, once)).toBe(isOurs);
    },
  );

  test("no request passes while the app id cannot be fetched", async () => {
    const isForApp = createIsForApp(
      finding(() => Promise.reject(new Error("away"))),
      undefined,
    );
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

test("W3: a refused status of a deleted thread does not end the status of other threads; a refusal of the app does", async () => {
  const said: string[] = [];
  const reported = vi.fn<(error: SlackCallError) => void>();
  const codes = [
    "thread_not_found",
    "invalid_thread_ts",
    "is_archived",
    "restricted_action_thread_locked",
    "not_allowed",
  ];
  const setSessionStatus: SlackApi["setSessionStatus"] = async ({ thread_ts }) => {
    said.push(thread_ts);
    throw new SlackCallError("agents.sessions.setStatus", { failure: "refused", code: codes[said.length - 1] ?? "" });
  };
  const session = createSessionStatus({ setSessionStatus } as Partial<SlackApi> as SlackApi, reported);
  for (let at = 1; at <= codes.length + 1; at += 1) await session.working({ channel: "C1", thread_ts: `${at}.0` });
  expect(said).toEqual(codes.map((_, at) => `${at + 1}.0`));
  expect(reported.mock.calls.map(([{ code }]) => code)).toEqual(["not_allowed"]);
});

const refused = new SlackCallError("bots.info", { failure: "refused", code: "missing_scope" });
const unavailable = new SlackCallError("bots.info", { failure: "unavailable", code: "http_502" });

describe("the app id", () => {
  test("stays unknown when Slack refuses to return it, and the refusal is reported once", async () => {
    const ask = vi.fn<() => Promise<string>>(async () => Promise.reject(refused));
    const onUnknown = vi.fn<(error: unknown) => void>();
    const appId = createAppId(ask, onUnknown);
    expect([await appId(), await appId()]).toEqual([undefined, undefined]);
    expect(onUnknown).toHaveBeenCalledExactlyOnceWith(refused);
  });

  test("is fetched again after Slack was unreachable", async () => {
    const ask = vi.fn<() => Promise<string>>(async () => "A1").mockRejectedValueOnce(unavailable);
    const appId = createAppId(ask, () => expect.unreachable());
    await expect(appId()).rejects.toBe(unavailable);
    expect(await appId()).toBe("A1");
  });
});

test("without SLACK_APP_ID, a start waits for the app id while Slack is unreachable", async () => {
  const slack = createFakeSlack();
  slack.failNext("appOf", "unavailable");
  const app = await startTestApp({ slack, appId: undefined });
  expect(app.logged("slack_not_identified")[0]).toMatchObject({ attempt: 1 });
  expect(await app.deliver(directMessage("hi"), { api_app_id: "A2" })).toBe(403);
});

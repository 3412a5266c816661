import { expect, onTestFinished, test, vi } from "vitest";
import type { WorkspaceId } from "../slack/slack-api.ts";
import { readEnvelope, type SlackEnvelope } from "./slack-event.ts";
import { createIsForApp, type WorkspaceContext } from "../workspaces/workspaces.ts";
import type { InstallationStore } from "../workspaces/installation-store.ts";
import type { EventIntake } from "./event-intake.ts";
import { routeEvent } from "./slack-connection.ts";

const second = 1_800_000_000;

function start({
  several = true,
  trouble = async () => undefined,
}: { several?: boolean; trouble?: () => Promise<void> } = {}) {
  const asked: WorkspaceId[] = [];
  const removals: [string, number][] = [];
  const removed = vi.fn<(id: string) => void>();
  const intake = vi.fn<EventIntake>(async () => ({ verdict: "accepted" }));
  const findWorkspace = async (workspace: WorkspaceId): Promise<WorkspaceContext | undefined> => {
    asked.push(workspace);
    await trouble();
    return workspace.team_id === "T1" ? ({} as WorkspaceContext) : undefined;
  };
  const installations = {
    remove: async (id: string, before: number) => {
      removals.push([id, before]);
      await trouble();
      return id === "T1" || id === "E1";
    },
  };
  const routes: Parameters<typeof routeEvent>[0] = {
    findWorkspace,
    receive: intake,
    isForApp: createIsForApp(findWorkspace, "A1"),
    installations: several ? (installations as Partial<InstallationStore> as InstallationStore) : undefined,
    clock: { now: () => 1, sleep: async () => undefined },
    emit: (_event, ...[fields]) => removed(String((fields as { installation?: unknown }).installation)),
  };
  const sort = (envelope: SlackEnvelope) => routeEvent(routes, envelope);
  const send = async (event: object, members: object = {}): Promise<string> => {
    const body = { type: "event_callback", api_app_id: "A1", team_id: "T1", event_time: second, event, ...members };
    const envelope = readEnvelope(body);
    if (envelope === undefined) throw new Error("that is no envelope");
    return (await sort(envelope)).verdict;
  };
  return { asked, removals, removed, intake, send };
}

const message = { type: "message", channel: "C1", user: "U1", ts: "1.0", text: "hi" };

test("Y1: an event belongs to the workspace of its authorization, not to the workspace where it was written", async () => {
  const { asked, send } = start();
  await send(message, { team_id: "T9", context_team_id: "T8", authorizations: [{ team_id: "T1" }, { team_id: "T2" }] });
  await send(message, { team_id: "T9", context_team_id: "T1" });
  await send(message, { team_id: "T1", context_team_id: undefined, authorizations: [] });
  await send(message, { authorizations: [{ team_id: "T1", enterprise_id: "E1", is_enterprise_install: false }] });
  expect(asked).toEqual([{ team_id: "T1" }, { team_id: "T1" }, { team_id: "T1" }, { team_id: "T1" }]);
});

test("Y1: with an organization-wide installation, an event belongs to the workspace where it occurred", async () => {
  const { asked, send } = start();
  const authorizations = [{ enterprise_id: "E1", team_id: null, is_enterprise_install: true }];
  await send(message, { context_team_id: "T1", team_id: "T1", authorizations });
  await send(message, { context_team_id: "T1", authorizations: [{ is_enterprise_install: true }] });
  expect(asked).toEqual([
    { team_id: "T1", org_id: "E1" },
    { team_id: "T1", org_id: "" },
  ]);
});

test("Y3: an event for a workspace without an installation is ignored", async () => {
  const { intake, send } = start();
  expect(await send(message, { team_id: "T2" })).toBe("not_installed");
  expect(await send(message, { team_id: undefined })).toBe("not_installed");
  expect(intake).not.toHaveBeenCalled();
});

test("Y3: a removal ends the installation that it names, up to the second of the removal", async () => {
  const { removals, removed, intake, send } = start();
  expect(await send({ type: "app_uninstalled" })).toBe("installation_ended");
  expect(await send({ type: "tokens_revoked", tokens: { oauth: [], bot: ["UBOT"] } })).toBe("installation_ended");
  const organization = { enterprise_id: "E1", is_enterprise_install: true };
  await send({ type: "app_uninstalled" }, { authorizations: [organization], event_time: undefined });
  expect(removals).toEqual([
    ["T1", second * 1_000 + 999],
    ["T1", second * 1_000 + 999],
    ["E1", 1],
  ]);
  expect(removed.mock.calls).toEqual([["T1"], ["T1"], ["E1"]]);
  expect(await send({ type: "app_uninstalled" }, { team_id: "T2" })).toBe("installation_ended");
  expect(removed).toHaveBeenCalledTimes(3);
  expect(intake).not.toHaveBeenCalled();
});

test.each([
  ["tokens of people only", { type: "tokens_revoked", tokens: { oauth: ["U1"], bot: [] } }, {}],
  ["malformed tokens", { type: "tokens_revoked", tokens: "all" }, {}],
  ["another app", { type: "app_uninstalled" }, { api_app_id: "A2" }],
  ["a malformed id", { type: "app_uninstalled" }, { team_id: "T1\u0000" }],
  ["no workspace", { type: "app_uninstalled" }, { team_id: undefined }],
])("Y3: a removal that names %s ends nothing", async (_what, event, members) => {
  const { removed, send } = start();
  await send(event, members);
  expect(removed).not.toHaveBeenCalled();
});

test("with a single workspace, a removal is ignored like any other event", async () => {
  const { intake, removed, send } = start({ several: false });
  await send({ type: "app_uninstalled" });
  expect([intake.mock.calls.length, removed.mock.calls.length]).toEqual([1, 0]);
});

test.each([
  ["an event's workspace", message, "accepted"],
  ["a removal", { type: "app_uninstalled" }, "installation_ended"],
])("S5: after a short database failure, the query is retried for %s", async (_what, event, verdict) => {
  const trouble = vi.fn<() => Promise<void>>(async () => undefined).mockRejectedValueOnce(new Error("connection lost"));
  const { send, removed } = start({ trouble });
  expect(await send(event)).toBe(verdict);
  expect(trouble).toHaveBeenCalledTimes(2);
  expect(removed).toHaveBeenCalledTimes(verdict === "accepted" ? 0 : 1);
});

test.each([
  ["a removal during a database outage", 60_000, { type: "app_uninstalled" }],
  ["a workspace lookup during a database outage", 60_000, message],
  ["a record after a slow workspace lookup", 1_200, message],
])("S5, S7: %s fails before Slack's three seconds have passed", async (_what, slowMs, event) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { send, intake } = start({ trouble: () => new Promise((resolve) => void setTimeout(resolve, slowMs)) });
  intake.mockImplementation((_context, _envelope, { retryStore }) => retryStore(() => new Promise(() => undefined)));
  const failed = vi.fn<(error: Error) => void>();
  void send(event).catch(failed);
  await vi.advanceTimersByTimeAsync(2_999);
  expect(failed.mock.calls).toEqual([[expect.objectContaining({ message: expect.stringMatching(/not done within/) })]]);
  expect(intake).toHaveBeenCalledTimes(slowMs === 1_200 ? 1 : 0);
});

import { expect, test } from "vitest";
import type { Installation } from "./installations/installation-store.ts";
import type { SlackIdentity } from "../slack/slack-api.ts";
import type { SlackLink, WorkspaceContext } from "./workspace-context.ts";
import { createInstalledWorkspaces } from "./workspaces.ts";

function start() {
  const installed = new Map<string, Installation>();
  const made: SlackIdentity[] = [];
  const asked: string[] = [];
  const workspaces = createInstalledWorkspaces({
    installations: {
      find: async (id) => {
        asked.push(id);
        return installed.get(id);
      },
    },
    linkOf: ({ id, install }) => ({ slack: `${id} ${install}` }) as unknown as SlackLink,
    make: (link, identity) => {
      made.push(identity);
      return { ...link, identity } as unknown as WorkspaceContext;
    },
  });
  const install = (id: string, more: Partial<Installation> = {}): void => {
    const scopes = ["chat:write"];
    const bot = { bot_user_id: `UBOT${id}`, bot_id: `B${id}` };
    installed.set(id, { id, install: "1", ...bot, scopes, installed_by: "U1", installed_at: 1, ...more });
  };
  return { installed, install, workspaces, made, asked };
}

test("W1: a context is created when its workspace is first used, once, with the tokens of its installation", async () => {
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

test("W1: each workspace of an organization-wide installation has its own context", async () => {
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

test("W3, W5: a context ends with its installation, and the next installation gets another", async () => {
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

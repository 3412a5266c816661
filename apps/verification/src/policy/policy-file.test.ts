import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emit, JsonFileError } from "@crosszone/service-kit";
import type { VerificationEvent } from "@crosszone/telemetry";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test, vi } from "vitest";
import { followPolicyFile, readPolicyFile } from "./policy-file.ts";
import { closedPolicy } from "../testing/start-test-app.ts";

function policyFile(content: unknown): { path: string; write: (next: unknown) => void; remove: () => void } {
  const path = join(tempFolder(), "policy.json");
  const write = (next: unknown): void => {
    writeFileSync(`${path}.new`, typeof next === "string" ? next : JSON.stringify(next));
    renameSync(`${path}.new`, path);
  };
  write(content);
  return { path, write, remove: () => rmSync(path) };
}

const problemsOf = (path: string): readonly string[] => {
  try {
    readPolicyFile(path);
    return [];
  } catch (error) {
    if (!(error instanceof JsonFileError)) throw error;
    return error.problems;
  }
};

test("S10: a value that the file omits is not allowed", () => {
  expect(readPolicyFile(policyFile({}).path)).toEqual(closedPolicy);
});

test("a file is read completely", () => {
  const content = {
    allowed_teams: ["T2"],
    allowed_channels: ["C1", "dm"],
    allowed_users: ["U1", "U2"],
    allow_guests: true,
    channel_agents: { C1: "scout" },
    follow: "mentions",
    channel_follow: { C1: "everybody" },
    apps: ["A1", "U1"],
  };
  expect(readPolicyFile(policyFile(content).path)).toMatchObject({
    allowed_teams: new Set(["T2"]),
    allowed_channels: new Set(["C1", "dm"]),
    allowed_users: new Set(["U1", "U2"]),
    allow_guests: true,
    allow_shared_channels: false,
    channel_agents: new Map([["C1", "scout"]]),
    follow: "mentions",
    channel_follow: new Map([["C1", "everybody"]]),
    apps: new Set(["A1", "U1"]),
  });
  expect(readPolicyFile(undefined)).toMatchObject({ follow: "requester", channel_follow: new Map(), apps: new Set() });
});

test("all problems of a file are reported at once, by location, without its contents", () => {
  const { path } = policyFile({
    allowed_teams: ["T2", "anyone"],
    alowed_users: ["U1"],
    allowed_channels: "C1",
    allow_guests: "yes",
    follow: "all",
    channel_follow: { general: "mentions" },
    apps: ["B1"],
  });
  const problems = problemsOf(path);
  expect(problems).toHaveLength(7);
  expect(problems.join("\n")).toMatch(/at \/allowed_teams\/1: it is not a team id/);
  for (const place of ["/allowed_channels", "/allow_guests"]) expect(problems.join("\n")).toContain(`at ${place}:`);
  expect(problems.join("\n")).toContain("alowed_users");
  expect(problems.join("\n")).not.toContain("anyone");
});

test.each([
  ["S10: an empty file", "", "it is not JSON"],
  ["S10: null", "null", "at /:"],
  ["a wildcard", { allowed_users: ["*"] }, "at /allowed_users/0: it is not a user id"],
  ["a truncated file", '{"allowed_teams": [', "it is not JSON"],
])("%s is refused", (_what, content, problem) => {
  expect(problemsOf(policyFile(content).path).join()).toContain(problem);
});

test("S10: a missing file is refused", () => {
  expect(problemsOf("/nowhere/policy.json")).toEqual(["it cannot be read (ENOENT)"]);
});

test("S10: an empty, invalid or missing new version changes nothing and is refused once; a valid one is in force after its event", async () => {
  const acts: string[] = [];
  const refused: (readonly string[])[] = [];
  const file = policyFile({ allowed_users: ["U1"] });
  const emit: Emit<VerificationEvent> = (event, ...[fields]) => {
    const { problems, users: words } = fields as { problems?: readonly string[]; users?: string };
    if (event === "policy_refused") refused.push(problems ?? []);
    else acts.push(`${event}: ${words}`);
  };
  const source = await followPolicyFile(file.path, emit, async ({ action }) => void acts.push(action));
  onTestFinished(() => source.close());
  const users = (): string => [...source.current().allowed_users].join();
  expect(users()).toEqual("U1");

  file.write({ allowed_users: [], allowed_teams: ["nobody"] });
  await vi.waitFor(() => expect(refused).toHaveLength(1));
  file.remove();
  await vi.waitFor(() => expect(refused).toHaveLength(2));
  expect(refused[1]).toEqual(["it cannot be read (ENOENT)"]);
  expect(users()).toEqual("U1");

  file.write({ allowed_users: ["U2"] });
  await vi.waitFor(() => expect(users()).toEqual("U2"));
  expect(acts).toEqual(["policy.load", "policy.load", "policy_in_force: Only U2 can ask."]);
  expect(refused).toHaveLength(2);
});

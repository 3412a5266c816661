import { expect, test } from "vitest";
import { seedWorkspace } from "./seed-workspace.ts";

test("every id has Slack's form and every member exists", () => {
  const { team, app, users, channels } = seedWorkspace();
  const ids = [...users.map(({ id }) => id), ...channels.map(({ id }) => id)];
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of [team.id, app.app_id, app.bot_id, ...ids]) expect(id).toMatch(/^[TABUCDG][A-Z0-9]{10}$/);
  const known = new Set(users.map(({ id }) => id));
  for (const { members } of channels) expect(members.filter((id) => !known.has(id))).toEqual([]);
});

test("it has people and channels of every kind that policies distinguish", () => {
  const { users, channels, app } = seedWorkspace();
  const people = users.filter(({ is_bot }) => !is_bot);
  expect(new Set(people.slice(0, 3).map(({ tz }) => tz)).size).toBe(3);
  expect(people.filter(({ is_restricted }) => is_restricted)).toHaveLength(1);
  expect(people.filter(({ deleted }) => deleted)).toHaveLength(1);
  expect(people.filter(({ is_stranger }) => is_stranger)).toHaveLength(1);
  expect(people.filter(({ team_id, is_stranger }) => team_id !== undefined && !is_stranger)).toHaveLength(1);
  expect(users.filter(({ is_bot }) => is_bot)).toHaveLength(2);
  const names = channels.filter(({ members }) => members.includes(app.bot_user_id)).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["general", "leads", "old-project", "partners"]));
  expect(names).not.toContain("random");
  for (const { id } of people) {
    expect(channels.some(({ kind, members }) => kind === "im" && members.includes(id))).toBe(true);
  }
  expect(seedWorkspace().users).not.toBe(users);
});

import { expect, test, vi } from "vitest";
import type { LogLine } from "../harness/start-process.ts";
import { startSeveralWorkspaces } from "../harness/start-several-workspaces.ts";
import { startOverSocket } from "../harness/start-crosszone.ts";
import { shownText, typeCommand } from "../harness/slack-actions.ts";

test("S21: events and commands over a socket are answered the same", async () => {
  const slack = await startOverSocket();
  const root = slack.control.postMessage({ channel: "dm", text: "2+2 in words?" });
  const answer = await slack.control.waitForMessage(
    ({ thread_ts, metadata }) => thread_ts === root.ts && metadata?.event_payload["state"] === "done",
  );
  expect(answer.markdown_text).toContain("four");
  const { run, said } = await typeCommand(slack);
  expect(run.status).toBe(200);
  expect(shownText(await said())).toContain("Agents that you can ask");
});

test("S21, W1: a command is answered in its own workspace, while the app is installed there", async () => {
  const zones = await startSeveralWorkspaces();
  const [north, south] = zones.slack.slacks;
  if (north === undefined || south === undefined) throw new Error("there are not two workspaces");
  await zones.install(north.workspace.team.id);
  expect(shownText(await (await typeCommand(north)).said())).toContain("Agents that you can ask");
  // Slack knows no command of an app that is not installed.
  const unknown = await (await typeCommand(south)).said();
  expect(unknown).toMatchObject({ user: "USLACKBOT", text: expect.stringContaining("not a valid command") });
  const ended = (): LogLine[] => zones.log.filter(({ event }) => event === "command_ended");
  await vi.waitUntil(() => ended().length > 0, { timeout: 10_000 });
  expect(ended()).toMatchObject([{ verdict: "answered", team_id: north.workspace.team.id }]);
});

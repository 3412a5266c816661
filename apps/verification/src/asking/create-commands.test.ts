import type { ZoneMethods } from "@crosszone/contracts";
import type { Client } from "@crosszone/jsonrpc";
import { createMetrics } from "@crosszone/service-kit";
import { createTracer } from "@crosszone/service-kit/tracing";
import { systemClock } from "@crosszone/service-kit/timing";
import { expect, test, vi } from "vitest";
import { createZoneLink } from "../link/zone-link.ts";
import type { WorkspaceContext } from "../workspaces/workspaces.ts";
import { createAppEmit } from "../zone/create-emit.ts";
import { loggerInto } from "../testing/start-test-app.ts";
import { wideLimits } from "../testing/wide-limits.ts";
import { type CommandsDeps, createCommands } from "./commands.ts";

const command = {
  command: "/agents",
  text: "",
  api_app_id: "A1",
  workspace: { team_id: "T1" },
  user_id: "U1",
  channel_id: "C1",
  trigger_id: "12.34",
  response_url: "https://hooks.slack.com/commands/secret",
} as const;

function start(deps: { zone?: Client<ZoneMethods>; responseUrls?: CommandsDeps["responseUrls"] } = {}) {
  const replies: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const tell = vi.fn<WorkspaceContext["slack"]["tell"]>(async () => undefined);
  const metrics = createMetrics();
  const context = {
    policies: { ofCommand: async () => ({ verdicts: [], durationMs: 0 }) },
    slack: { tell },
  } as Partial<Record<keyof WorkspaceContext, unknown>> as WorkspaceContext;
  const hanging: Client<ZoneMethods> = {
    call: async (_method, _params, options) =>
      new Promise((_resolve, reject) => {
        options?.signal?.addEventListener("abort", () => reject(options.signal?.reason as Error));
      }),
  };
  const commands = createCommands({
    findWorkspace: async () => context,
    isForApp: async () => true,
    link: createZoneLink(deps.zone ?? hanging, { limits: wideLimits, clock: systemClock }),
    responseUrls: deps.responseUrls ?? { answer: async (_url, reply) => void replies.push(reply) },
    appId: "A1",
    tracer: createTracer(),
    emit: createAppEmit(loggerInto(lines), metrics.registry, createTracer()),
  });
  return { commands, replies, lines, tell, metrics: async () => (await metrics.render()).body };
}

test("commands that wait when the process stops, and later ones, are answered that the app restarts", async () => {
  const { commands, replies } = start();
  expect(commands.take(command, {})).toEqual({});
  await commands.stop(10);
  expect(replies).toEqual([expect.stringContaining("is being restarted")]);
  expect(commands.take(command, {})).toEqual({ say: expect.stringContaining("I am restarting") });
});

test("H2: commands beyond the rate are answered with a request to wait, and the zone is not called", async () => {
  const { commands, metrics } = start();
  const taken = Array.from({ length: 150 }, () => commands.take(command, {}));
  expect(taken.filter(({ say }) => say?.includes("too much"))).toHaveLength(50);
  expect(await metrics()).toMatch(/slack_commands_total\{.*verdict="busy".*\} 50/);
  await commands.stop(0);
});

test("a lost command answer is counted, and its URL is not logged", async () => {
  const zone: Client<ZoneMethods> = { call: async () => ({ agents: [] }) as never };
  const responseUrls = { answer: async () => Promise.reject(new Error("no")) };
  const { commands, tell, lines, metrics } = start({ zone, responseUrls });
  tell.mockRejectedValue(new Error("nor here"));
  commands.take(command, {});
  await vi.waitUntil(async () => /slack_command_answers_lost_total\S* 1/.test(await metrics()));
  expect(tell).toHaveBeenCalledWith(
    expect.objectContaining({ channel: "C1", user_id: "U1", in_thread: false }),
    expect.any(String),
    [expect.objectContaining({ type: "markdown" })],
  );
  expect(JSON.stringify(lines)).toContain("command_answer_lost");
  expect(JSON.stringify(lines)).not.toContain("hooks.slack.com");
});

import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { serve, tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { npmFolderOf } from "../harness/install-once.ts";
import { noteWorksWith } from "./works-with.ts";
import { agentThat, startAsked } from "../harness/start-called-zone.ts";

const echo = agentThat("echo", async ({ text: asked }) => ({ response_text: `${asked} ended` }));
const tools = ["ask_echo", "get_task", "cancel_task", "answer_input"];
const args = { message: "hello" };

/** Each is started as a script does, with a file of settings in its home folder, and a model that sends one item. */
const programs = [
  {
    name: "Codex CLI",
    npm: ["@openai/codex", "0.171.0"],
    command: ["codex", "exec", "--skip-git-repo-check", "Say hello"],
    file: ".codex/config.toml",
    settings: (mcp: string, model: string) => `
      model = "gpt-5.1"
      model_provider = "fake"
      check_for_update_on_startup = false
      features.plugins = false
      analytics.enabled = false
      model_providers.fake = { name = "fake", base_url = "${model}", env_key = "MODEL_KEY" }
      [mcp_servers.crosszone]
      url = "${mcp}"
      bearer_token_env_var = "ASK"
      default_tools_approval_mode = "approve"`,
    prefix: "",
    call: {
      type: "function_call",
      call_id: "1",
      namespace: "mcp__crosszone",
      name: "ask_echo",
      arguments: JSON.stringify(args),
    },
    done: { type: "message", role: "assistant", content: [{ type: "output_text", text: "I am done." }] },
    eventsOf: (item: object) => [
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id: "1", usage: null } },
    ],
  },
  {
    name: "Gemini CLI",
    npm: ["@google/gemini-cli", "0.61.0"],
    command: ["gemini", "--model", "gemini-2.5-pro", "--skip-trust", "--prompt", "Say hello"],
    file: ".gemini/settings.json",
    settings: (mcp: string) =>
      JSON.stringify({
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: "gemini-api-key" } },
        mcpServers: { crosszone: { httpUrl: mcp, headers: { Authorization: "Bearer ci" }, trust: true } },
      }),
    prefix: "mcp_crosszone_",
    call: { functionCall: { name: "mcp_crosszone_ask_echo", args } },
    done: { text: "I am done." },
    eventsOf: (part: object) => [{ candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP" }] }],
  },
] as const;

test.each(programs)("$name lists and calls the tools of a zone", async (program) => {
  const folder = await npmFolderOf(program.name, program.npm.join("@"));
  const { mcp } = await startAsked({ agents: [echo] });
  const asked: string[] = [];
  const answer = (body: string): string => {
    asked.push(body);
    const events = program.eventsOf(body.includes("hello ended") ? program.done : program.call);
    return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  };
  const model = await serve(async (request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(answer(await text(request)));
  });
  const home = tempFolder();
  mkdirSync(dirname(join(home, program.file)));
  writeFileSync(join(home, program.file), program.settings(mcp, model));
  const [command, ...words] = program.command;
  const keys = { MODEL_KEY: "none", ASK: "ci", GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: model };
  const env = { PATH: process.env["PATH"], HOME: home, ...keys };
  const options = { cwd: home, env, timeout: 60_000 };
  const running = promisify(execFile)(join(folder, "node_modules/.bin", command), words, options);
  // Both read their standard input to its end.
  running.child.stdin?.end();
  expect((await running).stdout).toBe("I am done.\n");
  const listed = tools.filter((tool) => asked[0]?.includes(`"name":"${program.prefix}${tool}"`));
  expect(listed).toEqual(tools);
  expect(asked).toEqual([expect.anything(), expect.stringContaining("hello ended")]);
  noteWorksWith({ name: program.name, version: program.npm[1], as: "MCP client", passed: 2, of: 2 });
});

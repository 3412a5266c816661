import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { ClientFactory, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import type { Agent } from "@crosszone/execution";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { askingAgent } from "../../harness/asking-agent.ts";
import { installTimeout, pythonEnv, pythonOf } from "../../harness/install-once.ts";
import { fetchWithToken as fetchImpl, request, textsOf } from "../../harness/sdk-messages.ts";
import { startAskedZone } from "../../harness/start-asked-zone.ts";

const run = promisify(execFile);
const agents = join(import.meta.dirname, "agents");
const clients = join(import.meta.dirname, "clients");

/** Takes longer than a held answer is silent. */
const echo: Agent = {
  name: "echo",
  description: "Echoes",
  skills: [],
  run: async ({ text }, { preview, signal }) => {
    if (text === "hold" || text === "wait") await delay(text === "hold" ? 17_000 : 60_000, undefined, { signal });
    if (text === "stream") {
      preview?.text("one ");
      await delay(300);
      return { response_text: "one two" };
    }
    return { response_text: `${text} ended` };
  },
};
const answers = {
  asked: "input-required",
  answered: "go because it rains",
  got: "completed",
  streamed: "one two",
  subscribed: "working canceled",
  canceled: "canceled",
  card: "Echoes",
  push: [-32_003],
  held: "hold ended",
};

/** Starts a zone and returns the URL below which its agents are. */
async function start(): Promise<string> {
  const zone = await startAskedZone({ agents: [echo, askingAgent], limits: { taskDeadlineMs: 60_000 } });
  return zone.urlOf("x").slice(0, -"x/".length);
}

test.each([
  ["03", answers],
  // Lists are new in 1.0.
  ["1", { ...answers, listed: [true] }],
])("A1, A2, A6: the official client for Python, %s, calls every operation", async (version, expected) => {
  const [url, python] = [await start(), await pythonOf(join(agents, `requirements-${version}.txt`))];
  const { stdout } = await run(python, [join(clients, `ask_${version}.py`), url], {
    env: { ...process.env, ...pythonEnv },
  });
  expect(JSON.parse(stdout)).toEqual(expected);
});

test("A2, A6: the official client for Go calls every operation", { timeout: installTimeout }, async () => {
  const url = await start();
  const program = join(tempFolder({}), "ask");
  await run("go", ["build", "-o", program, "."], { cwd: join(clients, "go") });
  expect(JSON.parse((await run(program, [url])).stdout)).toEqual(answers);
});

test("A1: the official client for JavaScript reads a held answer", async () => {
  const url = await start();
  const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] });
  const task = await (await factory.createFromUrl(`${url}echo/`)).sendMessage(request("hold"));
  expect("artifacts" in task && textsOf(task)).toEqual(["hold ended"]);
});

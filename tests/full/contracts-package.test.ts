import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { npmProgramFolder } from "../harness/npm-programs.ts";
import {
  compilerPath,
  createReleaseCopy,
  oldestCompiler,
  oldestNode,
  repoDir,
  type ReleaseCopy,
} from "./release-copy.ts";
import { run } from "./run-command.ts";

const testsDir = join(repoDir, "tests");
const schemasDir = join(repoDir, "schemas");
const readme = readFileSync(join(repoDir, "packages/contracts/README.md"), "utf8");
const compilers = { "5.9.3": oldestCompiler, "7.0.2": compilerPath(import.meta.url) };
const resolutions = { nodenext: { module: "nodenext" }, bundler: { module: "esnext", moduleResolution: "bundler" } };
const nodes = { 20: oldestNode(), 26: process.execPath };

let copy: ReleaseCopy;
let tarball: string;
let consumer: string;

beforeAll(async () => {
  copy = await createReleaseCopy();
  await run("pnpm", ["pack", "--out", join(copy.dir, "contracts.tgz")], { cwd: copy.contractsDir });
  tarball = join(copy.dir, "contracts.tgz");
  consumer = join(copy.dir, "consumer");
  await install(consumer);
});
afterAll(() => copy?.remove());

test("the tarball has exactly the documented files", async () => {
  const files = (await run("tar", ["-tzf", tarball], { cwd: copy.dir })).trim().split("\n");
  const modules = [
    "generated/agent-errors",
    "generated/channels",
    "generated/errors",
    "generated/methods",
    "generated/operations",
    "generated/types",
    "generated/validators",
  ];
  const ours = ["index", "json", "keywords", "openapi", "operation-request", "schema-graph", "validator", "zone-error"];
  const compiled = [...modules, ...ours].flatMap((name) => [`package/dist/${name}.d.ts`, `package/dist/${name}.js`]);
  const rest = ["LICENSE", "README.md", "openrpc.json", "package.json"].map((name) => `package/${name}`);
  const tables = ["agent-errors.json", "channels.json", "errors.json", "methods.json"];
  const schemas = [...globSync("**/{api,*.schema}.json", { cwd: schemasDir }), ...tables].map(
    (path) => `package/schemas/${path}`,
  );
  expect(files.toSorted(byCodeUnit)).toEqual([...compiled, ...rest, ...schemas].toSorted(byCodeUnit));
});

test("the packed schemas equal the repository's, and every reference resolves to one of them", () => {
  const packed = join(consumer, "node_modules/@crosszone/contracts/schemas");
  for (const path of globSync("**/*.json", { cwd: packed })) {
    const text = readFileSync(join(packed, path), "utf8");
    expect([path, text]).toEqual([path, readFileSync(join(schemasDir, path), "utf8")]);
    for (const [, ref = ""] of text.matchAll(/"\$ref": "([^"]+)"/g)) {
      const [file = "", pointer = ""] = ref.split("#");
      // The parts of the API share the components of the whole.
      if (ref.startsWith("#/components/") && path !== "api.json") continue;
      const target = JSON.parse(readFileSync(file ? join(packed, dirname(path), file) : join(packed, path), "utf8"));
      const keys = pointer.split("/").slice(1);
      expect([ref, keys.reduce((part, key) => part?.[key], target)]).toEqual([ref, expect.any(Object)]);
    }
  }
});

test("a program imports a schema by its path", async () => {
  const schema = "@crosszone/contracts/schemas/task/execute-task-params.schema.json";
  writeFileSync(
    join(consumer, "schema.js"),
    `import schema from "${schema}" with { type: "json" };\nconsole.log(schema.title);\n`,
  );
  expect(await run(process.execPath, ["schema.js"], { cwd: consumer })).toBe("ExecuteTaskParams\n");
});

test.each(["isTaskId", "isExecuteTaskParams"])(
  "a bundle with %s has less than a tenth of the package",
  async (name) => {
    const whole = await bundleSize(
      `import * as contracts from "@crosszone/contracts";\nconsole.log({ ...contracts });\n`,
    );
    const one = await bundleSize(`import { ${name} } from "@crosszone/contracts";\nconsole.log(${name}(0));\n`);
    expect(one).toBeLessThan(whole / 10);
  },
);

test("the license in the tarball is the repository's", async () => {
  const text = await run("tar", ["-xzOf", tarball, "package/LICENSE"], { cwd: copy.dir });
  expect(text).toBe(readFileSync(join(repoDir, "LICENSE"), "utf8"));
});

test("the published manifest has no dependencies and no source condition", async () => {
  const manifest = JSON.parse(await run("tar", ["-xzOf", tarball, "package/package.json"], { cwd: copy.dir }));
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest).not.toHaveProperty("peerDependencies");
  expect(JSON.stringify([manifest.exports, manifest.imports])).not.toContain("@crosszone/source");
  expect(JSON.stringify(manifest)).not.toMatch(/workspace:|catalog:|file:/);
});

test("publint reports nothing", async () => {
  expect(await run("pnpm", ["exec", "publint", tarball, "--strict"], { cwd: testsDir })).toContain("All good!");
});

test("are the types wrong? No, for ESM", async () => {
  const options = ["--profile", "esm-only", "--no-definitely-typed", "--format", "json"];
  const attw = await npmProgramFolder("attw");
  const report = await run(join(attw, "node_modules/.bin/attw"), [tarball, ...options], { cwd: testsDir });
  expect(JSON.parse(report).analysis.types.kind).toBe("included");
});

test("it installs from disk without a registry, and adds no other package", async () => {
  const tree = await run("npm", ["ls", "--all", "--parseable"], { cwd: consumer });
  expect(tree.trim().split("\n").slice(1)).toEqual([join(consumer, "node_modules/@crosszone/contracts")]);
});

describe.each(Object.entries(compilers))("for a user of TypeScript %s", (version, compiler) => {
  test("the compiler has that version", async () => {
    expect(await run(process.execPath, [compiler, "--version"], { cwd: consumer })).toBe(`Version ${version}\n`);
  });

  describe.each(Object.entries(resolutions))("with module resolution %s", (resolution, options) => {
    let output: Promise<string> | undefined;
    const compiled = (): Promise<string> => (output ??= compile(compiler, options, `${version}-${resolution}`));

    test("the example of the README and a whole program type-check, libraries included", async () => {
      await expect(compiled()).resolves.toMatch(version);
    });

    test.for(Object.entries(nodes))(
      "both run on Node %s and print the documented output",
      async ([major, node], { skip }) => {
        if (!node) {
          skip(`NOT TESTED: npm has no Node ${major} for ${process.platform}-${process.arch}`);
          return;
        }
        const dir = await compiled();
        expect(await run(node, ["--version"], { cwd: dir })).toMatch(`v${major}.`);
        expect(await run(node, ["readme.js"], { cwd: dir })).toBe(documentedOutput());
        expect(await run(node, ["consumer.js"], { cwd: dir })).toBe(
          "success\nfalse\n-32602\n/task_id\nexecute_task get_async_task_result get_run_change cancel_task answer_input get_input_request claim_input_request list_input_requests list_agents list_person_tasks read_task_file get_agent_card get_usage check_token report_messages list_fires take_fire list_schedules save_schedule change_schedule\nfalse 1\n",
        );
      },
    );
  });
});

/** Creates a project that has only the package. Its registry is a closed port. */
async function install(dir: string): Promise<void> {
  mkdirSync(dir);
  writeFileSync(join(dir, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  writeFileSync(join(dir, "npmrc"), "registry=http://127.0.0.1:9/\nfetch-retries=0\n");
  writeFileSync(join(dir, "readme.ts"), /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "the README has no example");
  copyFileSync(join(import.meta.dirname, "consumer/consumer.ts"), join(dir, "consumer.ts"));
  const env = { npm_config_userconfig: join(dir, "npmrc"), npm_config_cache: join(dir, "cache") };
  await run("npm", ["install", tarball, "--no-audit", "--no-fund"], { cwd: dir, env });
}

/** Compiles the consumer with the strictest options. Returns the output folder. */
async function compile(compiler: string, resolution: object, name: string): Promise<string> {
  const strictest = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  };
  const platform = { target: "es2022", lib: ["es2022", "dom"], types: [], resolveJsonModule: true };
  const compilerOptions = { ...strictest, ...platform, ...resolution, rootDir: ".", outDir: `out-${name}` };
  const project = join(consumer, `tsconfig.${name}.json`);
  writeFileSync(project, JSON.stringify({ compilerOptions, files: ["readme.ts", "consumer.ts"] }));
  await run(process.execPath, [compiler, "-p", project], { cwd: consumer });
  return join(consumer, `out-${name}`);
}

/** Returns the size of a minified bundle of a program that uses the package, characters. */
async function bundleSize(program: string): Promise<number> {
  const input = join(consumer, "bundled.js");
  writeFileSync(input, program);
  const { output } = await build({ input, write: false, output: { minify: true } });
  return output[0].code.length;
}

/** Returns the output that the example's comments document. */
function documentedOutput(): string {
  return [...readme.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => `${line}\n`).join("");
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : 1;
}

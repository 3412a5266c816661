import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLocalRegistry, type LocalRegistry } from "./local-registry.ts";
import { createReleaseCopy, repoDir, type ReleaseCopy } from "./release-copy.ts";
import { run } from "./run-command.ts";

const fromRoot = createRequire(join(repoDir, "package.json"));
const changesetCli = join(dirname(fromRoot.resolve("@changesets/cli/package.json")), "bin.js");

let copy: ReleaseCopy;
let registry: LocalRegistry;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  copy = await createReleaseCopy();
  registry = await startLocalRegistry();
  const userconfig = join(copy.dir, "npmrc");
  writeFileSync(userconfig, `registry=${registry.url}/\n${registry.url.slice("http:".length)}/:_authToken=dummy\n`);
  env = {
    npm_config_registry: registry.url,
    pnpm_config_registry: registry.url,
    npm_config_userconfig: userconfig,
    pnpm_config_userconfig: userconfig,
    npm_config_cache: join(copy.dir, "cache"),
  };
  addChangeset();
  await commit();
}, 120_000);
afterAll(async () => {
  await registry?.close();
  copy?.remove();
});

test("a change set becomes a version, a change log and a published package, which installs and runs", async () => {
  const before = version();
  await changeset("version");
  expect(version()).not.toBe(before);
  const changelog = readFileSync(join(copy.contractsDir, "CHANGELOG.md"), "utf8");
  expect(changelog).toContain(`## ${version()}`);
  expect(changelog).toContain("Makes the release test release something.");

  await commit();
  await changeset("publish");
  expect(registry.published).toEqual([`@crosszone/contracts@${version()}`]);
  expect([...registry.authorization]).toEqual(["Bearer dummy"]);
  expect(await git("tag")).toBe(`@crosszone/contracts@${version()}\n`);

  writeFileSync(
    join(copy.dir, "main.mjs"),
    'import { isTaskId } from "@crosszone/contracts";\nconsole.log(isTaskId("t1"));\n',
  );
  await run("npm", ["install", "--prefix", copy.dir, "@crosszone/contracts", "--no-audit", "--no-fund"], {
    cwd: copy.dir,
    env,
  });
  expect(await run(process.execPath, ["main.mjs"], { cwd: copy.dir })).toBe("true\n");
});

test("publishing again publishes nothing", async () => {
  const published = [...registry.published];
  await changeset("publish");
  expect(registry.published).toEqual(published);
});

async function changeset(command: string): Promise<void> {
  await run(process.execPath, [changesetCli, command], { cwd: copy.workspaceDir, env });
}

/** Adds a change set, so that a release is possible. The copy has no changelog writer. */
function addChangeset(): void {
  const folder = join(copy.workspaceDir, ".changeset");
  const text = '---\n"@crosszone/contracts": patch\n---\n\nMakes the release test release something.\n';
  writeFileSync(join(folder, "release-test.md"), text);
  const config = JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as { changelog: string };
  // The copy has the contract package alone.
  writeFileSync(
    join(folder, "config.json"),
    JSON.stringify({ ...config, fixed: [], changelog: fromRoot.resolve(config.changelog) }),
  );
}

/** Commits to the copy's git repository, which the release tool reads and tags. */
async function commit(): Promise<void> {
  await git("init", "--quiet", "--initial-branch", "main");
  // In the repository's settings, because the release tool tags as this user, and a machine may have none.
  await git("config", "user.name", "release test");
  await git("config", "user.email", "release-test@example.com");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "state");
}

async function git(...args: string[]): Promise<string> {
  const identity = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  return await run("git", args, { cwd: copy.workspaceDir, env: identity });
}

function version(): string {
  return (JSON.parse(readFileSync(join(copy.contractsDir, "package.json"), "utf8")) as { version: string }).version;
}

// inputs: dev/scripts/{image,packaging}/** dev/scripts/image.ts deploy/** {apps,packages,tools}/*/package.json
import { randomUUID } from "node:crypto";
import { chownSync, globSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startDevSlack } from "@crosszone/dev-slack";
import { converse, slackEnv } from "@crosszone/dev-slack/client";
import { tempFolder } from "@crosszone/testkit/temporary";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startProcess, type ZoneProcess } from "@crosszone/testkit/process";
import { run } from "./run-command.ts";

const root = resolve(import.meta.dirname, "../..");
const dir = mkdtempSync(join(tmpdir(), "crosszone-images-"));
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Returns why images cannot be built and run here, or undefined. */
async function lackOf(...programs: string[]): Promise<string | undefined> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "runc needs Linux and root";
  for (const program of programs)
    if (!(await run("sh", ["-c", `command -v ${program}`], { cwd: root }).catch(() => "")))
      return `${program} is not installed`;
  return undefined;
}

const lack = await lackOf("buildah", "runc", "umoci", "openssl");
const lackForArm = lack ?? (await lackOf("apt-get", "qemu-aarch64-static"));
for (const [what, why] of Object.entries({ images: lack, "the image for arm64": lackForArm }))
  if (why !== undefined) console.warn(`NOT TESTED: ${what}: ${why}.`);

const layoutOf = (name: string): string => join(dir, "layouts", name);
/** Builds an image, and returns what the command prints: the digest, and the size in MB. */
async function build(app: string, name: string, ...options: string[]) {
  const printed = await run(process.execPath, ["dev/scripts/image.ts", app, "--output", layoutOf(name), ...options], {
    cwd: root,
  });
  const [, digest, megabytes] = /^digest +(sha256:\w+)\nsize +([\d.]+) MB/m.exec(printed) ?? [];
  return { digest, megabytes: Number(megabytes) };
}

/** Creates a folder that the images' user can write to. */
function dataFolder(name: string): string {
  const folder = join(dir, name);
  mkdirSync(folder);
  chownSync(folder, 65_532, 65_532);
  return folder;
}

let built: Awaited<ReturnType<typeof build>>[] = [];
beforeAll(async () => {
  if (lack !== undefined) return;
  // Built before: two simultaneous builds of the same package would remove each other's files.
  const filters = ["execution", "verification"].map((app) => `--filter=@crosszone/${app}...`);
  await run("pnpm", ["exec", "turbo", "run", "build", ...filters], { cwd: root });
  built = await Promise.all(["execution", "verification"].map((app) => build(app, app)));
  await Promise.all(["execution", "verification"].map((app) => unpackImage(layoutOf(app), join(dir, app))));
  mkdirSync(join(dir, "secrets"));
  await run("sh", ["dev/scripts/image/compose-secrets.sh", join(dir, "secrets")], { cwd: root });
}, 300_000);

/** Returns every package that the zone's modules import in any way, with a module that imports it. */
function importsOf(rootfs: string): [specifier: string, parent: string][] {
  const modules = globSync("app/{dist,node_modules/@crosszone/*/dist}/**/*.js", { cwd: rootfs });
  const imports = modules.flatMap((path) => {
    const text = readFileSync(join(rootfs, path), "utf8");
    const found = text.matchAll(/(?:^import |\bfrom |\b(?:import|require)\()"([@a-z][\w@/.-]*)"/gm);
    return [...found].map(([, specifier = ""]): [string, string] => [specifier, `file:///${path}`]);
  });
  return [...new Map(imports.filter(([specifier]) => !/^(node:|@crosszone\/)/.test(specifier)))];
}

const importAll = `for (const [specifier, parent] of JSON.parse(process.argv[1]))
  await import(import.meta.resolve(specifier, parent));
console.log("all");`;

/** Starts both images as containers, connected as in compose.yaml, and a local Slack. */
async function startZones() {
  const shared = { EXECUTION_TOKEN_FILE: "/secrets/link-token", DATA_KEYS_FILE: "/secrets/data-keys" };
  const start = (zone: string, env: Record<string, string>) =>
    startContainer({
      bundle: join(dir, zone),
      env: { ...shared, ...env },
      mounts: { "/data": dataFolder(`${zone}-data`), "/secrets": join(dir, "secrets", zone) },
    });
  const execution = await start("execution", {
    EXECUTION_PORT: "0",
    TLS_CERT_FILE: "/secrets/tls.crt",
    TLS_KEY_FILE: "/secrets/tls.key",
  });
  const slack = await startDevSlack();
  onTestFinished(() => slack.close());
  const { port } = new URL(execution.url);
  const verification = await start("verification", {
    VERIFICATION_PORT: "0",
    ...slackEnv(slack),
    EXECUTION_URL: `https://localhost:${port}/rpc`,
    EXECUTION_CA_FILE: "/secrets/ca.crt",
  });
  slack.setEventsUrl(`${verification.url}/slack/events`);
  const inVerification: Record<string, string> = { VERIFICATION_PORT: new URL(verification.url).port };
  const inExecution: Record<string, string> = { EXECUTION_PORT: port };
  const zones = [
    { name: "verification", ...verification, address: inVerification },
    { name: "execution", ...execution, address: inExecution },
  ];
  return { slack, verification, zones };
}

test.skipIf(lack !== undefined)(
  "two containers, read-only and without rights, answer a question of the local Slack over TLS, and stop within 5 s",
  async () => {
    const { slack, verification, zones } = await startZones();
    await expect.poll(async () => (await fetch(`${verification.url}/readyz`)).status).toBe(200);
    const { write, answerTo } = converse(slack.control);
    const answer = await answerTo(write({ text: "2+2 in words?" }), 60_000);
    expect(answer.text).toContain("four");

    for (const { name, address, ...zone } of zones) {
      expect(await zone.exec(["node", "-p", "process.getuid()"])).toBe("65532\n");
      await expect(zone.exec(["node", "-e", "fs.writeFileSync('/app/x', '')"])).rejects.toThrow("EROFS");
      expect(await zone.exec(["node", "/app/dist/doctor.js"], address)).toContain("No problems found");
      expect(await zone.exec(["node", "/app/dist/healthcheck.js"], address)).toBe("");
      const elsewhere = Object.fromEntries(Object.keys(address).map((variable) => [variable, "1"]));
      await expect(zone.exec(["node", "/app/dist/healthcheck.js"], elsewhere)).rejects.toThrow("failed");
      const imports = JSON.stringify(importsOf(join(dir, name, "rootfs")));
      const program = ["--experimental-import-meta-resolve", "--input-type=module", "-e", importAll];
      expect(await zone.exec(["node", ...program, imports])).toBe("all\n");
    }
    for (const zone of zones) {
      const begin = performance.now();
      expect(await zone.stop()).toBe(0);
      expect(performance.now() - begin).toBeLessThan(5_000);
    }
  },
  240_000,
);

test.skipIf(lack !== undefined)(
  "O8: both images have a /data that group 0 can write to, and run as any user of that group, as OpenShift runs them",
  async () => {
    for (const zone of ["execution", "verification"]) {
      const data = join(dir, zone, "rootfs/data");
      const { uid, gid, mode } = statSync(data);
      expect([uid, gid, mode & 0o777]).toEqual([65_532, 0, 0o770]);
    }
    // A bundle keeps the user that it ran as last.
    const bundle = await unpackImage(layoutOf("execution"), join(dir, "any-user"));
    const zone = await startAs(bundle, { uid: 1_000_870_000, gid: 0 });
    expect(zone.status).toBe(200);
    expect(await zone.exec(["node", "-p", "process.getuid()"])).toBe("1000870000\n");
    const backup = await zone.exec(["node", "/app/dist/data.js", "backup", "create", "/data/backup"]);
    expect(backup).toContain("execution: backed up to /data/backup.");
  },
  240_000,
);

/** Starts execution on the image's own /data, made a volume as Docker makes it: with the owner and mode of the image's. */
async function startAs(bundle: string, user: { readonly uid: number; readonly gid: number }) {
  const data = join(bundle, "rootfs/data");
  const env = { EXECUTION_PORT: "0", EXECUTION_HOST: "127.0.0.1" };
  const zone = await startContainer({ bundle, env, user, mounts: { "/data": data } });
  return { ...zone, status: (await fetch(`${zone.url}/readyz`)).status };
}

test.skipIf(lack !== undefined)(
  "both images have less than 90 MB, and a second build has the same digest",
  async () => {
    for (const { megabytes } of built) expect(megabytes).toBeLessThan(90);
    const [, verification] = built;
    expect(verification?.digest).toMatch(/^sha256:/);
    expect((await build("verification", "again")).digest).toBe(verification?.digest);
  },
  240_000,
);

test.skipIf(lackForArm !== undefined)(
  "the image of execution for arm64 has the Node, the libraries and the modules of arm64: it does a task",
  async () => {
    // Only the files: packing and unpacking would test nothing more.
    await build("execution", "arm64", "--platform", "linux/arm64", "--files", join(dir, "arm64"));
    const rootfs = join(dir, "arm64/root");
    const token = "link-token-of-thirty-two-characters";
    const zone = await startProcess({
      program: "qemu-aarch64-static",
      args: ["-L", rootfs, join(rootfs, "usr/local/bin/node"), join(rootfs, "app/dist/main.js")],
      cwd: rootfs,
      env: { EXECUTION_HOST: "127.0.0.1", EXECUTION_PORT: "0", EXECUTION_TOKEN: token },
    });
    expect((await fetch(`${zone.url}/healthz`)).status).toBe(200);
    const ask = async (method: string, params: object): Promise<{ task_id: string; response_text?: string }> => {
      const answer = await fetch(`${zone.url}/rpc`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), method, params }),
      });
      return ((await answer.json()) as { result: { task_id: string; response_text?: string } }).result;
    };
    const params = { channel: "D0ALICE0001", text: "2+2 in words?", bot_token: "handle" };
    let result = await ask("execute_task", params);
    const deadline = AbortSignal.timeout(60_000);
    while (result.response_text === undefined && !deadline.aborted)
      result = await ask("get_async_task_result", { task_id: result.task_id, wait_ms: 10_000 });
    expect(result.response_text).toContain("four");
    expect(await zone.stop()).toBe(0);
  },
  240_000,
);

interface ContainerOptions {
  /** The folder that `unpackImage` wrote. */
  readonly bundle: string;
  /** Added to the image's variables. */
  readonly env: Readonly<Record<string, string>>;
  /** In place of the image's, as platforms choose one. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Folders of this machine, by their path in the container. Only `/data` is writable. */
  readonly mounts: Readonly<Record<string, string>>;
}

interface Container extends ZoneProcess {
  /** Runs a program in the container, with the zone's rights and variables. Resolves with its output; rejects if it fails. */
  exec(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
}

interface RuntimeConfig {
  ociVersion: string;
  process: { args: string[]; cwd: string; env: string[]; user: { uid: number; gid: number } };
  mounts: { destination: string; type: string }[];
}

/** Unpacks an OCI layout for runc. Resolves with the folder of `rootfs` and `config.json`. Needs root. */
async function unpackImage(layout: string, folder: string): Promise<string> {
  await run("umoci", ["unpack", "--image", `${layout}:latest`, folder], { cwd: root });
  return folder;
}

/**
 * Runs an unpacked image as strictly as a platform: the image's user, no capabilities, no new privileges, a read-only root, and a tmpfs at /tmp. It
 * shares this machine's network. Ends with the test.
 */
async function startContainer({ bundle, env, mounts, user }: ContainerOptions): Promise<Container> {
  const image = JSON.parse(readFileSync(join(bundle, "config.json"), "utf8")) as RuntimeConfig;
  image.process.user = user ?? image.process.user;
  const variables = [...image.process.env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  writeFileSync(join(bundle, "config.json"), JSON.stringify(strictConfig(image, variables, mounts)));
  const state = tempFolder();
  const id = randomUUID();
  const runc = ["--root", state];
  const args = [...runc, "run", "--bundle", bundle, id];
  const zone = await startProcess({ program: "runc", args, cwd: bundle, env: {} });
  return {
    ...zone,
    exec: async (command, more = {}) => {
      const set = Object.entries(more).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
      return run("runc", [...runc, "exec", ...set, id, ...command], { cwd: bundle });
    },
  };
}

function strictConfig(image: RuntimeConfig, env: readonly string[], mounts: ContainerOptions["mounts"]) {
  const { args, cwd, user } = image.process;
  const kernel = image.mounts.filter(({ destination }) => /^\/(proc|dev(\/(pts|shm|mqueue))?)$/.test(destination));
  return {
    ociVersion: image.ociVersion,
    process: { args, cwd, env, user, capabilities: {}, noNewPrivileges: true, terminal: false },
    root: { path: "rootfs", readonly: true },
    mounts: [
      ...kernel,
      { destination: "/tmp", type: "tmpfs", source: "tmpfs", options: ["nosuid", "nodev", "mode=1777"] },
      // Every container runtime mounts these two.
      ...Object.entries({ ...mounts, "/etc/hosts": "/etc/hosts", "/etc/resolv.conf": "/etc/resolv.conf" }).map(
        ([destination, source]) => ({
          destination,
          type: "bind",
          source,
          options: ["bind", destination === "/data" ? "rw" : "ro"],
        }),
      ),
    ],
    linux: { namespaces: ["pid", "ipc", "uts", "mount"].map((type) => ({ type })) },
  };
}

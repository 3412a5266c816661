import { execFileSync } from "node:child_process";
import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentAuth, AgentRecord } from "@crosszone/contracts";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import type { AgentFailure } from "../protocol/protocol-adapter.ts";
import { createSecretRules, createSecretSource, parseSecretBinding } from "./secret-source.ts";

test("D3: a secret in a variable is found by its name, and no other variable is read", async () => {
  const environment = { AGENT_SECRET_SCOUT: "s3cret", DATABASE_URL: "postgres://u:p@h/", AGENT_SECRET_EMPTY: "" };
  const secrets = createSecretSource({ environment });
  expect(await secrets.read("env:AGENT_SECRET_SCOUT")).toBe("s3cret");
  await expect(secrets.read("env:AGENT_SECRET_OTHER")).rejects.toMatchObject({
    kind: "secret_unavailable",
    message: "The secret env:AGENT_SECRET_OTHER is not available: the variable is not set.",
  });
  await expect(secrets.read("env:AGENT_SECRET_EMPTY")).rejects.toThrow(/it is empty/);
  await expect(secrets.read("env:DATABASE_URL")).rejects.toThrow(/write it as env:AGENT_SECRET_… or file:…/);
});

test("B23: an invalid reference is not repeated in the error, because it may be the secret", async () => {
  const secrets = createSecretSource({ environment: {} });
  await expect(secrets.read("hunter2")).rejects.toThrow(/^(?!.*hunter2)/);
});

test("D3: a secret in a file is read on each use, without its trailing line break", async () => {
  const dir = tempFolder();
  const secrets = createSecretSource({ environment: {}, dir });
  await writeFile(join(dir, "scout"), "first\n");
  expect(await secrets.read("file:scout")).toBe("first");
  await writeFile(join(dir, "next"), "second\r\n");
  await rename(join(dir, "next"), join(dir, "scout"));
  expect(await secrets.read("file:scout")).toBe("second");
  await expect(secrets.read("file:other")).rejects.toMatchObject({
    kind: "secret_unavailable",
    message: "The secret file:other is not available: the file doesn't exist.",
  });
});

test("symbolic links within the folder are followed, as Kubernetes creates them, but not links that leave it", async () => {
  const dir = tempFolder();
  const outside = tempFolder();
  await mkdir(join(dir, "..data"));
  await writeFile(join(dir, "..data", "scout"), "linked");
  await symlink(join("..data", "scout"), join(dir, "scout"));
  await writeFile(join(outside, "scout"), "theirs");
  await symlink(join(outside, "scout"), join(dir, "escape"));
  const secrets = createSecretSource({ environment: {}, dir });
  expect(await secrets.read("file:scout")).toBe("linked");
  await expect(secrets.read("file:escape")).rejects.toThrow(/it leads out of AGENT_SECRETS_DIR/);
});

test.each(["file:../x", "file:/etc/passwd", "file:..", "file:a/b", "file:.hidden", "file:", "file:a\nb", "FILE:a"])(
  "%j is not a valid secret name",
  async (reference) => {
    const secrets = createSecretSource({ environment: {}, dir: tempFolder() });
    await expect(secrets.read(reference)).rejects.toThrow(/write it as env:AGENT_SECRET_… or file:…/);
  },
);

test("a special or oversized file is refused without waiting for it", async () => {
  const dir = tempFolder();
  const secrets = createSecretSource({ environment: {}, dir });
  await mkdir(join(dir, "folder"));
  execFileSync("mkfifo", [join(dir, "pipe")]);
  await writeFile(join(dir, "large"), Buffer.alloc(65_537, "x"));
  await writeFile(join(dir, "empty"), "\n");
  await expect(secrets.read("file:folder")).rejects.toThrow(/it is not a file/);
  await expect(secrets.read("file:pipe")).rejects.toThrow(/it is not a file/);
  await expect(secrets.read("file:large")).rejects.toThrow(/larger than 65536 bytes/);
  await expect(secrets.read("file:empty")).rejects.toThrow(/it is empty/);
  await expect(createSecretSource({ environment: {} }).read("file:scout")).rejects.toThrow(
    /AGENT_SECRETS_DIR is not set/,
  );
});

const bearer: AgentAuth = { type: "bearer", token: "env:AGENT_SECRET_A" };
const url = "https://a.example.com/x";

/** Returns the error message for an agent that was registered over the API. */
function refusal(bindings: readonly string[], agent: Partial<Pick<AgentRecord, "auth" | "source" | "url">> = {}) {
  try {
    createSecretRules({ bindings }).check({ auth: bearer, source: "api", url, ...agent });
    return undefined;
  } catch (error) {
    const { kind, message } = error as AgentFailure;
    return kind === "secret_unavailable" ? message : `unexpected: ${message}`;
  }
}

test("a secret without a binding is sent only to agents of EXECUTION_FILE", () => {
  expect(refusal([], { source: "file" })).toBeUndefined();
  expect(refusal(["env:AGENT_SECRET_B=https://a.example.com"])).toBe(
    "The secret env:AGENT_SECRET_A must not be sent to https://a.example.com. To allow it, add env:AGENT_SECRET_A=https://a.example.com to AGENT_SECRETS_ORIGINS, or declare the agent in EXECUTION_FILE.",
  );
  expect(refusal([], { auth: { type: "none" } })).toBeUndefined();
});

test("a secret with bindings is sent only to those origins, also for agents of EXECUTION_FILE", () => {
  const bindings = ["env:AGENT_SECRET_A=https://a.example.com", "env:AGENT_SECRET_A=http://127.0.0.1:*"];
  for (const source of ["api", "file"] as const) {
    expect(refusal(bindings, { source })).toBeUndefined();
    expect(refusal(bindings, { source, url: "http://127.0.0.1:8090/" })).toBeUndefined();
    for (const elsewhere of [
      "http://a.example.com/",
      "https://a.example.com:8443/",
      "https://a.example.com.evil.test/",
    ])
      expect(refusal(bindings, { source, url: elsewhere })).toMatch(/AGENT_SECRETS_ORIGINS\.$/);
  }
});

test.each<[AgentAuth["type"], AgentAuth]>([
  ["api_key", { type: "api_key", header: "x-key", value: "file:s" }],
  ["basic", { type: "basic", username: "u", password: "file:s" }],
  ["mtls", { type: "mtls", cert: "file:c", key: "file:s" }],
])("the secret of %s needs a binding", (_, auth) => {
  const certificate = "file:c=https://a.example.com";
  expect(refusal([certificate], { auth })).toMatch(/^The secret file:s /);
  expect(refusal([certificate, "file:s=https://a.example.com"], { auth })).toBeUndefined();
});

test("a client secret needs a binding for its token endpoint and one for the agent, which gets the token", () => {
  const auth: AgentAuth = {
    type: "oauth2_client_credentials",
    token_url: "https://login.example.com/token",
    client_id: "c",
    client_secret: "file:s",
  };
  const [login, agent] = ["file:s=https://login.example.com", "file:s=https://a.example.com"];
  expect(refusal([login], { auth })).toMatch(/be sent to https:\/\/a\.example\.com\./);
  expect(refusal([agent], { auth })).toMatch(/be sent to https:\/\/login\.example\.com\./);
  expect(refusal([login, agent], { auth })).toBeUndefined();
});

test("an invalid entry is refused without repeating its text, which may be the secret", () => {
  for (const bad of ["hunter2", "hunter2=https://a", "env:PATH=https://a", "=https://a"])
    expect(() => parseSecretBinding(bad)).toThrow(/^(?!.*hunter2).*Expected env:AGENT_SECRET_… or file:…/);
  expect(() => parseSecretBinding("file:s=")).toThrow(TypeError);
});

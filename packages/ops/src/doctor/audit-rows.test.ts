import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ownKeyPath, publicKeyText, readAuditKey } from "@crosszone/audit";
import { serve, tempFile, tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { auditRows, type AuditConfig } from "./zone-rows.ts";
import { runRows } from "./run-doctor.ts";

async function consult(config: Partial<AuditConfig>, DATA_DIR = tempFolder()) {
  const [key, anchor] = await runRows(auditRows({ DATA_DIR, ...config }, "execution"), { timeoutMs: 5_000 });
  return { key, anchor };
}

const pem = (type: "ed25519" | "x25519"): string =>
  generateKeyPairSync(type as "ed25519").privateKey.export({ format: "pem", type: "pkcs8" });

test("the audit key is shown as its public key, wherever it comes from, and none is created", async () => {
  const folder = tempFolder();
  const own = ownKeyPath(folder, "execution");
  expect((await consult({}, folder)).key).toMatchObject({ status: "passed", says: `the first start creates ${own}` });
  expect(existsSync(own)).toBe(false);
  const DATA_KEYS = [`k:${Buffer.alloc(32, 7).toString("base64")}`];
  const AUDIT_KEY_FILE = tempFile("key.pem", pem("ed25519"));
  const places: [Partial<AuditConfig>, string][] = [
    [{}, `in ${own}`],
    [{ DATA_KEYS }, "derived from the first of DATA_KEYS"],
    [{ DATA_KEYS, AUDIT_KEY_FILE }, `in ${AUDIT_KEY_FILE}`],
  ];
  for (const [config, place] of places) {
    const key = readAuditKey({ DATA_DIR: folder, ...config }, "execution");
    const says = `${publicKeyText(createPublicKey(key))} ${place}`;
    expect((await consult(config, folder)).key).toMatchObject({ status: "passed", says });
  }
});

test.each([
  ["is missing", "/nowhere/key.pem", "ENOENT"],
  ["is of another kind", "", "Expected an Ed25519 key"],
])("an audit key that %s is reported", async (_what, file, says) => {
  const { key } = await consult({ AUDIT_KEY_FILE: file || tempFile("key.pem", pem("x25519")) });
  expect(key).toMatchObject({ status: "failed", says: expect.stringContaining(says), todo: [expect.any(String)] });
});

test("the anchor is a folder that can be written or created, or a server that answers", async () => {
  const folder = tempFolder();
  const anchor = async (AUDIT_ANCHOR?: string) => (await consult({ AUDIT_ANCHOR })).anchor;
  expect(await anchor()).toMatchObject({ status: "skipped" });
  expect(await anchor(folder)).toMatchObject({ status: "passed", says: `${folder} can be written` });
  const later = join(folder, "a/b");
  expect(await anchor(later)).toMatchObject({ status: "passed", says: `the first checkpoint creates ${later}` });
  const file = tempFile("file", "");
  expect(await anchor(file)).toMatchObject({ status: "failed", says: `${file} is not a folder` });
  expect(await anchor(join(file, "x"))).toMatchObject({ status: "failed" });
  expect(await anchor("https://127.0.0.1:9/log")).toMatchObject({
    status: "failed",
    todo: [expect.stringContaining("AUDIT_ANCHOR")],
  });
  const plain = await serve((_request, response) => void response.end());
  expect(await anchor(plain.replace("http:", "https:"))).toMatchObject({ status: "failed" });
});

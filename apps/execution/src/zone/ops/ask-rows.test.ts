import { tokenDigest, newTokenText } from "@crosszone/admin-api";
import { createAppendAudit } from "@crosszone/audit";
import type { TokenScope } from "@crosszone/contracts";
import { runRows } from "@crosszone/ops/doctor";
import { createRecordCodec } from "@crosszone/service-kit";
import { startIdentityProvider } from "@crosszone/testkit";
import { serve, tempFile, tempFolder } from "@crosszone/testkit/temporary";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openExecutionDatabase } from "../../store/open-execution-database.ts";
import { createTokenStore } from "../../people/token-store.ts";
import { Fires } from "../../fires/fire-store.ts";
import { executionDoctor } from "./doctor.ts";

async function consult(env: Record<string, string>) {
  const { rows, skip } = executionDoctor(env);
  const asked = rows.filter(({ name }) => /^(ask listener|programs)$/.test(name));
  const [listener, file] = await runRows(asked, { timeoutMs: 10_000, skip });
  return { listener, file };
}

const ASK_PORT = "4100";
const fileOf = (text: string) => tempFile("execution.yaml", text === "" ? "{}" : `programs: {${text}}`);
const ASK_URL = "https://ask.example.com";

test("without ASK_PORT programs can't ask; without the section programs none may", async () => {
  expect(await consult({})).toMatchObject({ listener: { status: "skipped" }, file: { status: "skipped" } });
  expect(await consult({ ASK_PORT })).toMatchObject({
    listener: { status: "passed", says: expect.stringContaining("only for programs on this machine") },
    file: { status: "warned", says: "no program may ask" },
  });
  expect(await consult({ ASK_PORT, ASK_URL, EXECUTION_FILE: fileOf("") })).toMatchObject({
    listener: { status: "passed", says: `port 4100, ${ASK_URL}` },
    file: { status: "warned", says: "no program may ask" },
  });
  const unsafe = await consult({ ASK_PORT, ASK_URL: "http://ask.example.com", EXECUTION_FILE: fileOf("") });
  expect(unsafe).toMatchObject({ listener: { status: "skipped", says: expect.stringContaining("ASK_URL") } });
});

test("each token that the file names must exist with the scope ask", async () => {
  const DATA_DIR = tempFolder();
  const EXECUTION_FILE = fileOf("askers: [{token: ci}, {token: reader}, {token: gone}]");
  const judge = async () => (await consult({ ASK_PORT, EXECUTION_FILE, DATA_DIR })).file;
  const path = join(DATA_DIR, "execution.sqlite");
  expect(await judge()).toMatchObject({ status: "warned", says: expect.stringContaining("not created its database") });
  expect(existsSync(path)).toBe(false);
  const database = await openExecutionDatabase({ url: `sqlite:${path}` });
  const tokens = createTokenStore(
    database,
    createAppendAudit({ engine: "sqlite", codec: createRecordCodec(undefined) }),
  );
  const create = (name: string, scopes: TokenScope[]) => {
    const by = { actor: "bootstrap", correlationId: "c" };
    return tokens.create({ name, scopes, expires_in: 60, digest: tokenDigest(newTokenText()), by, latest: undefined });
  };
  await create("ci", ["ask"]);
  await create("reader", ["runs:read"]);
  expect(await judge()).toMatchObject({
    status: "warned",
    says: "no live token with the scope ask is named reader, gone",
    todo: ["Create it: crosszone tokens create --name reader --scope ask --expires 90d"],
  });
  const one = fileOf("askers: [{token: ci}]");
  expect((await consult({ ASK_PORT, EXECUTION_FILE: one, DATA_DIR })).file).toMatchObject({ status: "passed" });
  await database.close();
});

test("the keys of each issuer are fetched", async () => {
  const idp = await startIdentityProvider("https://login.example.com");
  onTestFinished(() => idp.service.stop());
  const judge = async (issuer: string) =>
    (
      await consult({
        ASK_PORT,
        ASK_URL,
        EXECUTION_FILE: fileOf(
          `issuers: [{issuer: ${issuer}}], askers: [{subject: {issuer: "${issuer.split(",")[0]}", sub: a}}]`,
        ),
      })
    ).file;
  expect(await judge(`${idp.issuer}, jwks: ${idp.jwksUrl}`)).toMatchObject({ status: "passed" });
  expect(await judge("http://127.0.0.1:9")).toMatchObject({
    status: "failed",
    todo: [expect.stringContaining("the metadata of http://127.0.0.1:9 can't be read")],
  });
  const page = await serve((_request, response) => void response.end("<h1>Welcome</h1>"));
  expect(await judge(`${idp.issuer}, jwks: ${page}`)).toMatchObject({
    status: "failed",
    todo: [`${page} is not a key set: check its jwks.`],
  });
});

test("O21: the doctor names a missing secret, refused deliveries, a missing listener, and an owner whom verification refuses", async () => {
  const secret = "8f742231b10e8888abcd99yyyzzz85a5";
  const DATA_DIR = tempFolder();
  const sign = "sign: {kind: github}, secrets: [env:AGENT_SECRET_CI]";
  const owner = { team_id: "T1", user_id: "U_GONE" };
  const hook = `{name: ci, owner: {team_id: T1, user_id: U_GONE}, ${sign}, agent: builtin, text: hi, cap: {fires: 1}}`;
  const EXECUTION_FILE = tempFile("hooks.yaml", `hooks:\n  - ${hook}\n`);
  const judge = async (env: Record<string, string>) => {
    const { rows, skip } = executionDoctor({ DATA_DIR, ...env });
    return (
      await runRows(
        rows.filter(({ name }) => name === "hooks"),
        { timeoutMs: 10_000, skip },
      )
    )[0];
  };
  expect(await judge({})).toMatchObject({ status: "skipped" });
  const missing = /hooks\.yaml:2:\d+: \/hooks\/0\/secrets\/0 can't be used: .*AGENT_SECRET_CI.*not set/;
  expect(await judge({ EXECUTION_FILE })).toMatchObject({ status: "failed", todo: [expect.stringMatching(missing)] });
  const short = await judge({ EXECUTION_FILE, AGENT_SECRET_CI: "short" });
  expect(short).toMatchObject({ status: "failed", todo: [expect.stringContaining("shorter than 16 bytes")] });
  const set = { EXECUTION_FILE, AGENT_SECRET_CI: secret };
  expect(await judge(set)).toMatchObject({ status: "warned", todo: [expect.stringContaining("Set ASK_PORT")] });
  const served = { ...set, ASK_PORT, ASK_URL };
  expect(await judge(served)).toMatchObject({ status: "passed", says: "1 hooks; each secret can be read" });
  expect(await judge({ ...set, ASK_PORT })).toMatchObject({
    status: "warned",
    todo: [expect.stringContaining("ASK_URL")],
  });
  const url = `sqlite:${join(DATA_DIR, "execution.sqlite")}`;
  const before = await openExecutionDatabase({ url });
  const act = {
    action: "hook.deliver",
    actor: "unknown:",
    target: "hook:ci",
    outcome: "rejected",
    position: null,
    leaf: "",
  };
  const event = JSON.stringify({ details: { because: "too_many" } });
  await before.db
    .insertInto("audit_event")
    .values({ ...act, event_id: randomUUID(), at: Date.now(), event })
    .execute();
  await before.close();
  expect(await judge(served)).toMatchObject({
    status: "warned",
    says: "1 hooks; each secret can be read; ci refused a delivery in 24 hours (too_many 1)",
    todo: ["ci: Raise its `per_minute`."],
  });
  const database = await openExecutionDatabase({ url });
  const fires = new Fires(database, { retentionMs: 1_000 });
  const fire = { fire_id: randomUUID(), source: "hook", name: "ci", scheduledAt: 0, owner, agent: "echo" } as const;
  await fires.add({ ...fire, text: "hi", cap: { fires: 1 } });
  await fires.take({ fire_id: fire.fire_id, outcome: "owner_left" }, "verification");
  await database.close();
  const refused = ["ci, owner U_GONE: Its owner left.", expect.stringContaining("The owner in the section hooks")];
  expect(await judge(served)).toMatchObject({ status: "warned", todo: [...refused, "ci: Raise its `per_minute`."] });
  const lost = tempFile("lost.yaml", `hooks:\n  - ${hook.replace("agent: builtin", "agent: buildin")}\n`);
  const todo = "ci: buildin is no agent or workflow: did you mean builtin?";
  expect(await judge({ ...served, EXECUTION_FILE: lost })).toMatchObject({
    says: expect.stringContaining("can't work: 1; whose last fire verification refused: 1"),
    todo: [expect.stringContaining(todo), ...refused, expect.any(String)],
  });
});

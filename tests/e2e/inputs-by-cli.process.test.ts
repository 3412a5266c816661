// suite: rest
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { startOnDatabase } from "@crosszone/testkit/process";
import { runProgram } from "../harness/run-program.ts";
import { adminToken, runsApi } from "../harness/runs-api.ts";

/** The actor of the token, which deciders can contain. */
const tokenName = "bootstrap";

async function startRuns() {
  const zone = await startOnDatabase(await newSqliteDatabase(), { ADMIN_TOKENS: adminToken });
  const { post, start } = runsApi(zone.url);
  const env = { CROSSZONE_URL: zone.url, CROSSZONE_TOKEN: adminToken, NO_COLOR: "1" };
  return {
    cli: (...argv: string[]) => runProgram("tools/cli/src/main.ts", env, ...argv),
    /** Starts a run that asks these people to approve a payment, the token that starts it too. Resolves with its id. */
    ask: async (id: string, ...people: string[]): Promise<string> => {
      const action = { tool: "pay", arguments: { cents: "${workflow.input.cents}", to: "Acme" } };
      const decide = { people, requester: true };
      const ok = { id: "ok", type: "human", input: "approve", prompt: "Pay Acme?", action, decide };
      await post("/workflows", { workflow_id: id, name: id, version: "1", start_step: "ok", steps: { ok } });
      return start(id, { cents: 1200 });
    },
  };
}

test("a run asks for an approval, a token that its deciders name gives it, and the run continues", async () => {
  const { ask, cli } = await startRuns();
  const run = await ask("pay", tokenName, "U1");
  await expect.poll(async () => (await cli("runs", "show", run)).out).toContain("waits for");
  const { out } = await cli("runs", "show", run);
  const [, id = ""] = /^approval +(\S+) /m.exec(out) ?? [];
  expect((await cli("approvals", "--state", "open")).out).toContain(`${id}  open`);
  const answered = await cli("approvals", "decide", id, "approve", "--reason", "invoice 7");
  expect(answered).toMatchObject({ code: 0, out: `Decided. The request is approved (${tokenName}).\n` });
  expect(answered.err).toContain('"cents": 1200');
  expect(await cli("runs", "watch", run)).toMatchObject({ code: 0, out: expect.stringContaining("approve") as string });
  expect(await cli("approvals", "decide", id, "deny")).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^Not counted: already decided/) as string,
  });
  expect((await cli("approvals", "show", id)).out).toMatch(/^bootstrap +approve +api +\S+ +invoice 7$/m);
});

test("a token that the deciders don't name decides nothing, but can withdraw the request", async () => {
  const { ask, cli } = await startRuns();
  const run = await ask("pay", "token:ops");
  await expect.poll(async () => (await cli("approvals")).out).toContain("open");
  const [, id = ""] = /^approval +(\S+) /m.exec((await cli("runs", "show", run)).out) ?? [];
  expect(await cli("approvals", "decide", id, "approve")).toMatchObject({
    code: 3,
    err: expect.stringContaining(tokenName) as string,
  });
  expect(await cli("approvals", "withdraw", id.slice(0, 12))).toMatchObject({ code: 0 });
  expect(await cli("runs", "watch", run)).toMatchObject({ code: 1 });
});

test.each([
  [
    "people of Slack, and no verification zone has ever connected",
    "U1",
    "is decided in Slack, and no verification zone has connected yet: start one, or name an API token",
  ],
  [
    "only the token that starts it",
    undefined,
    "lets only its requester decide, and a program can't approve its own call: name people or a group",
  ],
])("P8, P9: a run does not start when those who decide are %s", async (_title, person, because) => {
  const { ask } = await startRuns();
  await expect(ask("pay", ...(person === undefined ? [] : [person]))).rejects.toThrow(because);
});

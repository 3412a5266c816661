import type { IncomingMessage, ServerResponse } from "node:http";
import type { HookList } from "@crosszone/contracts";
import { judgeWebhook } from "@crosszone/service-kit/webhooks";
import { serve, tempFile } from "@crosszone/testkit/temporary";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { answerWith, startFakeZone } from "../testing/fake-zone.ts";
import { runCli } from "../testing/run-cli.ts";

const owner = { team_id: "T1", user_id: "U1" };
const secret = "8f742231b10e8888abcd99yyyzzz85a5";

async function start() {
  const received: unknown[] = [];
  const url = await serve((request, response) => void receive(request, response));
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headersDistinct: headers, url: path } = request;
    const judged = judgeWebhook({ kind: "slack" }, [secret], { headers, body: await buffer(request), now: Date.now() });
    received.push([path, judged, headers["x-event"]]);
    answerWith(response, path === "/hooks/slow" ? 429 : 202, { fire_id: "f\u001b[2J" });
  }
  const hooks: HookList["hooks"] = ["ci", "slow"].map((name) => ({
    name,
    owner,
    url: `${url}/hooks/${name}`,
    sign: { kind: "slack" },
    agent: "triage",
    cap: { fires: 24 },
    used: { fires: 3, tokens: 0, usd: 0 },
  }));
  hooks.push({
    name: "paid",
    owner,
    url: "http://127.0.0.1:1/hooks/paid",
    sign: { kind: "github" },
    event: "order.paid",
    refused: {
      count: 42,
      last_at: "2026-01-01T00:00:00Z",
      reasons: [
        { reason: "too_many", count: 40 },
        { reason: "signature_wrong", count: 2 },
      ],
    },
  });
  const zone = await startFakeZone({ "GET /hooks": { hooks, names: { U1: "Ann Lee" } } });
  const cli = (...argv: string[]) => runCli(zone.url, argv, { env: { HOOK_SECRET: secret, SHORT: "short" } });
  return { cli, received, body: tempFile("issue.json", '{"issue" : "Fix it"}') };
}

test("O21, O26, Q21: hooks are listed with what they refused and the use of their caps, with what they start, and a body is sent as its sender signs it", async () => {
  const { cli, received, body } = await start();
  const listed = await cli("hooks");
  expect(listed.out).toMatch(/^ci +slack +triage +Ann Lee +3 of 24 fires +never$/m);
  expect(listed.out).toMatch(/^paid +github +event order\.paid +Ann Lee +never +too_many 40, signature_wrong 2$/m);
  const send = ["--file", body, "--secret-env", "HOOK_SECRET", "--header", "X-Event: issues: all"];
  expect(await cli("hooks", "send", "ci", ...send)).toMatchObject({ code: 0, out: '{"fire_id":"f\\u001b[2J"}\n' });
  expect(await cli("hooks", "send", "slow", ...send)).toMatchObject({
    code: 1,
    err: expect.stringContaining("HTTP 429"),
  });
  expect(received).toEqual([
    ["/hooks/ci", {}, ["issues: all"]],
    ["/hooks/slow", {}, ["issues: all"]],
  ]);
});

test("a wrong call says what is wrong, and sends nothing", async () => {
  const { cli, received, body } = await start();
  const secretEnv = ["--secret-env", "HOOK_SECRET"];
  const wrong: readonly (readonly [name: string, options: readonly string[], says: string])[] = [
    ["ci", ["--file", body], "--file and --secret-env are required"],
    ["c", ["--file", body, ...secretEnv], 'No hook is called "c"'],
    ["ci", ["--file", "gone.json", ...secretEnv], "Cannot read gone.json: ENOENT"],
    ["ci", ["--file", body, "--secret-env", "SHORT"], "SHORT must have the secret of the hook"],
    ["ci", ["--file", body, ...secretEnv, "--header", "x y"], '--header must be "Name: value"'],
    ["paid", ["--file", body, ...secretEnv], "Cannot reach http://127.0.0.1:1/hooks/paid"],
  ];
  for (const [name, options, says] of wrong)
    expect
      .soft(await cli("hooks", "send", name, ...options))
      .toMatchObject({ code: 2, err: expect.stringContaining(says) });
  expect(received).toEqual([]);
});

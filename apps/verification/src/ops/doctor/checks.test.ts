import type { Check, Finding } from "@crosszone/ops/doctor";
import { expect, test } from "vitest";
import { readManifest } from "../../slack/read-manifest.ts";
import { checkExecutionLocked, checkRoundTrip } from "./execution-checks.ts";
import { checkLimits } from "./verification-doctor.ts";
import type { ZoneConnection } from "./zone-check.ts";

const run = async (check: Pick<Check, "run">): Promise<Finding> => check.run(new AbortController().signal);

test.each([
  [401, "http://127.0.0.1:1/rpc", "passed"],
  [403, "https://execution.example.com/rpc", "passed"],
  [200, "http://127.0.0.1:1/rpc", "warned"],
  [200, "https://execution.example.com/rpc", "failed"],
  [502, "https://execution.example.com/rpc", "skipped"],
  [undefined, "https://execution.example.com/rpc", "skipped"],
])("HTTP %s to a request without credentials, at %s: %s", async (answer, url, status) => {
  expect(await run(checkExecutionLocked({ url, probe: async () => answer }))).toMatchObject({
    status,
  });
});

test("a slow zone link is warned about by its median, not because of one slow call", async () => {
  const taking = (...ms: number[]): Check => {
    let now = 0;
    let call = 0;
    const listAgents = async (): Promise<{ agents: [] }> => {
      now += ms[call] ?? 0;
      call += 1;
      return { agents: [] };
    };
    const connect = async (): Promise<ZoneConnection> => ({ listAgents, close: async () => undefined });
    return checkRoundTrip({ connect, advice: { place: "", nothing: "" }, proof: "bearer" }, () => now);
  };
  // The first call opens the connection, and is not counted.
  expect(await run(taking(900, 3, 1, 2, 900, 4))).toMatchObject({
    status: "passed",
    says: "median 3 ms of 5 calls (1 to 900)",
  });
  expect(await run(taking(1, 600, 600, 600, 1, 1))).toMatchObject({ status: "warned" });
});

test("contradictory timeouts are reported one by one", async () => {
  const right = { EXECUTION_RETRY_BUDGET_MS: 30_000, POLL_WAIT_MS: 20_000, ANSWER_DEADLINE: 600_000 };
  expect(await run(checkLimits(right))).toMatchObject({ status: "passed" });
  const finding = await run(checkLimits({ ...right, ANSWER_DEADLINE: 20_000 }));
  expect(finding.status).toBe("warned");
  expect(finding.todo).toEqual([
    expect.stringMatching(/^ANSWER_DEADLINE is not above 20000 ms: /),
    expect.stringMatching(/^ANSWER_DEADLINE is not above 30000 ms, the time for retries: /),
  ]);
});

test("the manifest is read from the folder of the code", () => {
  expect(readManifest().scopes.bot).toContain("chat:write");
});

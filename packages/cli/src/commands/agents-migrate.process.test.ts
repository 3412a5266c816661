import { expect, test } from "vitest";
import { answerWith, startFakeZone, runCli } from "../testing/fake-zone.ts";

const check = {
  id: "id-echoed",
  title: "The response has the id of the request.",
  problem: "The response has the id null.\u001b[2J",
  fix: "Copy the id.",
};
const good = { name: "good", from: "simple-a2a", verdict: "compliant" };
const bad = { name: "bad", from: "auto", verdict: "not_compliant", failed_checks: [check] };
const file = { name: "archive", from: "simple-a2a", verdict: "declared_in_file" };
const migration = (result: string, agents: readonly object[]) => ({
  result,
  to: "a2a-1.0",
  default_protocol: "auto",
  agents,
});
const zoneOf = (line: string, body: unknown) =>
  startFakeZone({ [line]: (response) => answerWith(response, 200, body) });

test("K2: a refused migration is a table of verdicts and what each agent must change, with exit code 1", async () => {
  const zone = await zoneOf("POST /agent-migrations", migration("refused", [bad, file, good]));
  const told = await runCli(zone.url, ["agents", "migrate", "--to", "a2a-1.0"]).done;
  expect(told.code).toBe(1);
  expect(told.out).toBe(
    [
      "AGENT    FROM        VERDICT                            FAILED CHECKS",
      "bad      auto        does not comply                    id-echoed",
      "archive  simple-a2a  declared in file, change it there",
      "good     simple-a2a  complies",
      "",
      "",
    ].join("\n"),
  );
  expect(told.err).toBe(
    [
      "No agent was moved to a2a-1.0. Change these, then run the command again:",
      "",
      "bad",
      "  id-echoed: The response has the id null.\\u001b[2J Copy the id.",
      "",
    ].join("\n"),
  );
  expect(zone.requests[0]?.body).toEqual({ to: "a2a-1.0", default: false, dry_run: false });
});

test("ambiguous command lines are refused before any request", async () => {
  const zone = await startFakeZone({});
  const errors = async (...argv: string[]): Promise<unknown> => (await runCli(zone.url, ["agents", ...argv]).done).err;
  expect(await errors("migrate")).toContain("--to is missing");
  expect(await errors("migrate", "a", "--to", "a2a-1.0", "--default")).toContain("--default can't be combined");
  expect(await errors("rollback")).toContain("Name one agent, or write --all");
  expect(await errors("rollback", "a", "--all")).toContain("Name one agent, or write --all");
  expect(zone.requests).toEqual([]);
});

test("K2: an agent is shown with what a rollback restores, and rolled back", async () => {
  const agent = {
    id: "0b0f3c0e-7f5b-4f0e-9d6c-2d7b1c9a4e11",
    name: "a",
    url: "http://127.0.0.1:8090",
    description: "",
    protocol: "simple-a2a",
    protocol_config: {},
    auth: { type: "none" },
    timeout_ms: 30_000,
    max_concurrency: 10,
    enabled: true,
    retry: { max_retries: 3, base_ms: 500, max_ms: 30_000 },
    breaker: { failures: 5, open_ms: 30_000 },
    source: "api",
    revision: 1,
    created_at: "2026-11-21T06:00:00Z",
    updated_at: "2026-11-21T06:00:00Z",
    previous: { protocol: "auto", protocol_config: {}, url: "http://10.0.0.1/", at: "2026-11-20T06:00:00Z" },
  };
  const zone = await startFakeZone({
    "GET /agents/a": (response) => answerWith(response, 200, agent),
    "POST /agents/a/rollback": (response) => answerWith(response, 200, agent),
  });
  const shown = await runCli(zone.url, ["agents", "show", "a"]).done;
  expect(shown.out).toContain("before       auto at http://10.0.0.1/, until 2026-11-20T06:00:00Z\n");
  const back = await runCli(zone.url, ["agents", "rollback", "a"]).done;
  expect(back.out).toBe("a is back to simple-a2a at http://127.0.0.1:8090.\n");
});

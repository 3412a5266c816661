import { expect, test } from "vitest";
import { reportOf, startRegistry } from "../testing/start-registry.ts";

const agent = { name: "a", url: "http://a/", protocol: "simple-a2a" };

/** A registry whose agents fail these checks, and the requested checks. */
async function start(failed: readonly string[]) {
  const asked: string[] = [];
  const registry = await startRegistry({
    checkConformance: async ({ url, protocols = ["card"] }) => {
      asked.push(`${protocols.join()} ${url}`);
      return reportOf(url, failed);
    },
  });
  await registry.ask("POST /agents", agent);
  return { ...registry, asked };
}

test("K2, R10.5: an agent that fails a check keeps its protocol, and the problem names the check and what to do", async () => {
  const { ask, asked } = await start(["id-echoed"]);
  const refused = await ask("PATCH /agents/a", { protocol: "jsonrpc-2.0" });
  expect(refused).toMatchObject({ status: 409, body: { type: "https://crosszone.dev/problems/not-compliant" } });
  expect(refused.body?.["detail"]).toBe(
    "The agent fails 1 of the checks of jsonrpc-2.0. Correct what `problems` names, or keep simple-a2a.",
  );
  expect(refused.body?.["problems"]).toEqual([
    { pointer: "/protocol", message: "id-echoed: The response has the id null. Copy the id of the request." },
  ]);
  expect(asked).toEqual(["jsonrpc-2.0 http://a/"]);
  expect((await ask("GET /agents/a")).body).toMatchObject({ protocol: "simple-a2a", revision: 1 });
});

test.each([
  ["without any completed check", { protocols: [], checks: [] }, "protocol-served: The agent did not answer"],
  ["that is too slow for the checks", {}, "checks-finished: The time limit ended the checks"],
])("K2: an agent %s does not comply", async (_what, report, problem) => {
  const { ask } = await startRegistry({
    checkConformance: async ({ url }) => ({ ...reportOf(url), compliant: false, ...report }),
  });
  await ask("POST /agents", agent);
  const { status, body } = await ask("PATCH /agents/a", { protocol: "jsonrpc-2.0" });
  expect(status).toBe(409);
  expect(JSON.stringify(body?.["problems"])).toContain(problem);
});

test("K2: auto, the previous protocol, a disabled agent and other settings need no check", async () => {
  const { ask, asked } = await start(["id-echoed"]);
  const changes = [
    { protocol: "auto" },
    { protocol: "simple-a2a" },
    { description: "New" },
    { url: "http://b/" },
    { protocol: "jsonrpc-2.0", enabled: false },
  ];
  for (const change of changes) expect(await ask("PATCH /agents/a", change)).toMatchObject({ status: 200 });
  expect(asked).toEqual([]);
});

test("K2: a complying agent is migrated, and rolled back without a check; then nothing is left to restore", async () => {
  const { ask, asked } = await start([]);
  const moved = await ask("PATCH /agents/a", { protocol: "jsonrpc-2.0", protocol_config: { method: "message/send" } });
  const previous = { protocol: "simple-a2a", protocol_config: {}, url: "http://a/" };
  expect(moved.body).toMatchObject({ protocol: "jsonrpc-2.0", previous });
  const back = await ask("POST /agents/a/rollback");
  expect(back).toMatchObject({ status: 200, body: { ...previous, revision: 3 } });
  expect(back.body).not.toHaveProperty("previous");
  expect(asked).toHaveLength(1);
  expect(await ask("POST /agents/a/rollback")).toMatchObject({
    status: 409,
    body: { detail: "The agent has not been moved since it was added or rolled back." },
  });
  const { body } = await ask("GET /agents/a/audit");
  expect(body).toMatchObject({ entries: [{ action: "rolled_back" }, { action: "updated" }, { action: "created" }] });
});

test("the report of an agent covers its own protocol or a requested one", async () => {
  const { ask, asked } = await start(["id-echoed"]);
  expect(await ask("POST /agents/a/conformance")).toMatchObject({ status: 200, body: { compliant: false } });
  await ask("POST /agents/a/conformance?protocol=jsonrpc-2.0");
  await ask("POST /agents/a/conformance?protocol=auto");
  expect(asked).toEqual(["simple-a2a http://a/", "jsonrpc-2.0 http://a/", "card http://a/"]);
  expect((await ask("POST /agents/a/conformance?protocol=grpc")).status).toBe(422);
  expect((await ask("POST /agents/b/conformance")).status).toBe(404);
});

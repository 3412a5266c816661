import { sharedProblems } from "@crosszone/admin-api";
import { apiOperations } from "@crosszone/admin-api/testing";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { openApi } from "@crosszone/contracts/openapi";
import { startRegistry } from "../testing/start-registry.ts";
import { registryProblems } from "./registry-problem.ts";

const registryApi = openApi("registry");

test("the document is valid OpenAPI 3.1", async () => {
  const { valid, errors } = await new Validator().validate({ ...structuredClone(registryApi) });
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

test("every operation of the document is served, and its responses match", async () => {
  const { ask, answered } = await startRegistry();
  const agent = { name: "a", url: "http://a/" };
  const bodies: Readonly<Record<string, unknown>> = {
    "post /agents": agent,
    "post /agent-tests": { agent: "a", text: "Hello" },
    "patch /agents/{name}": { enabled: true },
    "post /agent-migrations": { to: "simple-a2a" },
  };
  const before: Readonly<Record<string, readonly [line: string, body: unknown]>> = {
    "post /agent-migrations/rollback": ["POST /agent-migrations", { to: "jsonrpc-2.0" }],
    "post /agents/{name}/rollback": ["PATCH /agents/a", { url: "http://b/" }],
  };
  const operations = apiOperations(registryApi);
  expect(operations).toHaveLength(14);
  for (const { path, method, statuses } of operations) {
    const line = `${method} ${path}`;
    await ask(
      line === "post /agents" ? "DELETE /agents/a" : "POST /agents",
      line === "post /agents" ? undefined : agent,
    );
    const [made, body] = before[line] ?? [];
    if (made !== undefined) await ask(made, body);
    const { status } = await ask(`${method.toUpperCase()} ${path.replace("{name}", "a")}`, bodies[line]);
    const expected = statuses.find((one) => one.startsWith("2"));
    expect([line, String(status)]).toEqual([line, expected]);
    expect(answered).toContain(`${line} ${expected}`);
  }
});

test("the document lists every status of a problem", () => {
  const said = new Set(apiOperations(registryApi).flatMap(({ statuses }) => statuses));
  const statuses = Object.values({ ...sharedProblems, ...registryProblems }).map(({ status }) => String(status));
  // The document contains only served paths.
  expect([...new Set(statuses)].filter((status) => !said.has(status))).toEqual(["405"]);
});

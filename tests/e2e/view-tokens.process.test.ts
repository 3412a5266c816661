import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { adminToken } from "../harness/runs-api.ts";
import { startTaskProcess } from "../harness/start-task-process.ts";

const viewToken = "a-view-token-of-at-least-32-characters";

test("a view token reads every documented path of the zone's API, and every other method refuses it", async () => {
  const env = { AGENT_ADMIN_TOKENS: adminToken, AGENT_VIEW_TOKENS: viewToken };
  const zone = await startTaskProcess(await newSqliteDatabase(), env);
  const statusOf = async (method: string, path: string): Promise<number> => {
    const headers = { authorization: `Bearer ${viewToken}` };
    const { status, body } = await fetch(`${zone.url}/api/v1${path.replaceAll(/\{\w+\}/g, "none")}`, {
      method,
      headers,
    });
    await body?.cancel();
    return status;
  };
  const document = (await (await fetch(`${zone.url}/api/v1/openapi.json`)).json()) as { paths: Record<string, object> };
  const operations = Object.entries(document.paths).flatMap(([path, one]) =>
    Object.keys(one)
      .filter((member) => member !== "parameters")
      .map((method) => [method.toUpperCase(), path] as const),
  );
  const statuses = await Promise.all(
    operations.map(async ([method, path]) => [method, path, await statusOf(method, path)] as const),
  );
  const reads = statuses.filter(([method]) => method === "GET");
  const changes = statuses.filter(([method]) => method !== "GET");
  expect(Math.min(reads.length, changes.length)).toBeGreaterThan(8);
  expect(changes.filter(([, , status]) => status !== 403)).toEqual([]);
  expect(reads.filter(([, , status]) => ![200, 400, 404].includes(status))).toEqual([]);
  for (const path of ["/agents", "/workflows", "/runs"]) expect(await statusOf("GET", path)).toBe(200);
});

import { expect, test } from "vitest";
import { serve } from "../../testkit/src/servers/temporary.ts";
import { smokePlan } from "./plan.ts";

/** What a server is asked, which answers everything with one status. */
async function startServer(status: number) {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(status).end();
  });
  return { asked, url };
}

const smoke = async (env: Record<string, string>) => {
  const [row] = smokePlan("verification", env)?.[0]?.rows ?? [];
  return row?.probe(AbortSignal.timeout(5_000));
};

test.each([
  [401, "passed"],
  [200, "failed"],
  [503, "failed"],
])("verification that answers %i to an event without a signature: %s", async (status, expected) => {
  const { asked, url } = await startServer(status);
  expect(await smoke({ VERIFICATION_URL: url })).toMatchObject({ status: expected });
  expect(asked).toEqual(["POST /slack/events"]);
});

test("without the URL, the message names the variable to set", async () => {
  expect(await smoke({})).toMatchObject({ status: "failed", says: "VERIFICATION_URL is not set" });
});

test("the plan has all rows of execution from verification's doctor, and none of Slack", () => {
  const names = smokePlan("execution", {})?.[0]?.rows.map(({ name }) => name);
  expect(names).toContain("execution answers");
  expect(names).toContain("execution locked");
  expect(names?.filter((name) => !name.startsWith("execution "))).toEqual([]);
  expect(smokePlan("both", {})).toBeUndefined();
});

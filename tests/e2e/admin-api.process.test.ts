// suite: rest
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { startOnDatabase } from "@crosszone/testkit/process";
import { startAgent } from "@crosszone/testkit";
import { adminToken, runsApi, workflowOf } from "../harness/runs-api.ts";

const input_mapping = "${workflow.input.text}";
const shout = workflowOf("shout", [{ id: "once", type: "agent", agent_name: "shouter", input_mapping }]);

test("the zone's API registers an agent, stores a workflow and streams a run; a zone that stops does not wait for the stream", async () => {
  const answers = Promise.withResolvers<void>();
  const agent = await startAgent(async (text) =>
    text === "wait" ? answers.promise.then(() => text) : text.toUpperCase(),
  );
  const env = { AGENT_ORIGINS: agent.origin, ADMIN_TOKENS: adminToken };
  const zone = await startOnDatabase(await newSqliteDatabase(), env);
  const { post, create, start } = runsApi(zone.url);
  const headers = { authorization: `Bearer ${adminToken}` };
  const watch = (run: string) => fetch(`${zone.url}/api/v1/runs/${run}/events`, { headers });

  const document = (await (await fetch(`${zone.url}/api/v1/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(["/agents", "/workflows", "/runs/{run_id}/events"]),
  );
  await post("/agents", { name: "shouter", url: agent.url });
  await create(shout);
  const done = await watch(await start("shout", { text: "hello" }));
  expect(await done.text()).toMatch(/"state":"succeeded"/);

  const open = await watch(await start("shout", { text: "wait" }));
  const stopped = zone.stop();
  const text = await open.text();
  expect(text).toMatch(/^retry: 1000\n\n/);
  expect(text).not.toMatch(/"state":"succeeded"/);
  answers.resolve();
  await stopped;
  expect(zone.log).toContainEqual(expect.objectContaining({ event: "stop_finished", failed: [] }));
});

import { sharedProblems } from "@crosszone/admin-api";
import { apiOperations } from "@crosszone/admin-api/testing";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { openApi } from "@crosszone/contracts/openapi";
import { begin, ended, startWorkflowApi } from "../testing/executors-under-test.ts";
import { startFakeAgents } from "../testing/fake-agents.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";
import { workflowProblems } from "./workflow-problem.ts";

const workflowApi = openApi("workflow");

const definition = workflowOf([agentStep("a")]);
const operations = apiOperations(workflowApi);

test("the document is valid OpenAPI 3.1", async () => {
  const { valid, errors } = await new Validator().validate({ ...structuredClone(workflowApi) });
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

test("each successful response of every operation matches the document", async () => {
  const { ask, executor, answered } = await startWorkflowApi();
  const state = { isBroken: true };
  await startFakeAgents(executor, ({ agent_name, input_data }) => {
    if (agent_name === "silent") return undefined;
    if (state.isBroken) throw new Error("not today");
    return input_data;
  });
  await ask("POST /workflows", definition);
  await ask("POST /workflows", definition);
  const failed = await begin(executor, definition);
  const { revision } = await ended(executor, failed);
  await ask("POST /runs", { workflow_id: "w" }, { "idempotency-key": "k" });
  await ask("POST /runs", { workflow_id: "w" }, { "idempotency-key": "k" });
  await ask("POST /workflows/validate", definition);
  for (const path of ["/workflows", "/workflows/w", "/workflows/w/versions", "/workflows/w/versions/1", "/runs"])
    await ask(`GET ${path}`);
  for (const path of ["", "/graph", "/attempts?path=a"]) await ask(`GET /runs/${failed}${path}`);
  await ask(`GET /runs/${failed}/events`, undefined, { "last-event-id": String(revision) });
  await ask(`POST /runs/${failed}/retry`);
  await ended(executor, failed);
  state.isBroken = false;
  const waiting = await begin(
    executor,
    workflowOf([agentStep("a", { agent_name: "silent" })], { workflow_id: "slow" }),
  );
  await ask(`POST /runs/${waiting}/cancel`);
  const expected = operations.flatMap(({ method, path, statuses }) =>
    statuses.filter((status) => status.startsWith("2")).map((status) => `${method} ${path} ${status}`),
  );
  // An event stream is not a single response; its route has its own test.
  expect(expected.filter((line) => !answered.has(line))).toEqual(["get /runs/{run_id}/events 200"]);
});

test("the document lists every status of a problem", () => {
  const said = new Set(operations.flatMap(({ statuses }) => statuses));
  const statuses = Object.values({ ...sharedProblems, ...workflowProblems }).map(({ status }) => String(status));
  // Routes that are not served must not be documented.
  expect([...new Set(statuses)].filter((status) => !said.has(status))).toEqual(["405"]);
});

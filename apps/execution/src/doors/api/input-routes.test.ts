import { startAdminApi } from "@crosszone/admin-api/testing";
import type { InputRequestList } from "@crosszone/contracts";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { newInput, payment } from "../../testing/new-input.ts";
import { leasedTask } from "../../testing/new-task.ts";
import { openInputsOf } from "../../testing/open-inputs.ts";
import { createInputRoutes } from "./input-routes.ts";

const id = newInput().request_id;
const approve = { answer: { verdict: "approve" } };

async function start(members: Parameters<typeof newInput>[0] = {}) {
  const zone = await openInputsOf({ url: await newSqliteDatabase() });
  const { ask } = await startAdminApi({ parts: [createInputRoutes(zone.requests, async () => undefined)] });
  await zone.requests.ask(newInput(members));
  return { ...zone, ask };
}

test("requests are listed and shown with their votes", async () => {
  const { ask, requests, store } = await start();
  const { task } = await leasedTask(store);
  await requests.ask(newInput({ request_id: "inp_of_a_task_0000", task_id: task.task_id }));
  const found = async (query: string) => {
    const { input_requests, next_cursor } = (await ask(`GET /input-requests?${query}`))
      .body as unknown as InputRequestList;
    return [input_requests.map(({ request_id }) => request_id), next_cursor];
  };
  const [first, next] = await found("limit=1");
  expect(first).toEqual(["inp_of_a_task_0000"]);
  expect(await found(`limit=1&cursor=${next as string}`)).toEqual([[id], undefined]);
  expect(await found(`state=open&task_id=${task.task_id}`)).toEqual([["inp_of_a_task_0000"], undefined]);
  await requests.ask(newInput({ request_id: "inp_of_a_run_00000", run_id: "run-1" }));
  expect(await found("run_id=run-1")).toEqual([["inp_of_a_run_00000"], undefined]);
  expect(await found("state=denied")).toEqual([[], undefined]);
  expect(await ask(`GET /input-requests/${id}`)).toMatchObject({ body: { request_id: id, votes: [] } });
  expect(await ask("GET /input-requests/inp_0123456789abcdef")).toMatchObject({ status: 404 });
});

/** As verification adds them when it asks the deciders. */
const withNames: object = { names: { U_BOB: "Bob Carter" } };

test("O7: requests are found by their people, by time, and by what is open", async () => {
  const { ask, requests } = await start({ requester: "U_ALICE", ...withNames });
  const total = async (query: string) =>
    ((await ask(`GET /input-requests?${query}`)).body as unknown as InputRequestList).input_requests.length;
  for (const person of ["U_ALICE", newInput().decide.people[0], "bob", "Bob%20Carter"])
    expect(await total(`person=${person}`)).toBe(1);
  for (const person of ["U_DANA", "Bo"]) expect(await total(`person=${person}`)).toBe(0);
  const [before, after] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
  expect(await total(`since=${before}&until=${after}&open=true&person=U_ALICE`)).toBe(1);
  expect([await total(`since=${after}`), await total(`until=${before}`), await total("open=false")]).toEqual([0, 0, 0]);
  await requests.withdraw(id, "asked twice");
  expect([await total("open=true"), await total("open=false")]).toEqual([0, 1]);
});

test("P8, Q31: an admin token decides only what names it, and its vote shows that it is no person", async () => {
  const people = ["bootstrap", "U_BOB"];
  const decide = { ...newInput().decide, people };
  const { ask, requests } = await start();
  expect(await ask(`POST /input-requests/${id}/answer`, approve)).toMatchObject({
    status: 403,
    body: {
      title: "You are not a decider",
      detail: "Only U_BOB or S_OPS can decide this, in Slack. You are bootstrap.",
    },
  });
  expect((await requests.find(id))?.request).toMatchObject({ state: "open", votes: [] });
  const named = await start({ decide, action: payment(1) });
  const path = `POST /input-requests/${id}/answer`;
  expect(await named.ask(path, approve)).toMatchObject({ status: 200, body: { outcome: "changed" } });
  const digest = (await named.requests.find(id))?.request.action?.digest;
  expect(await named.ask(path, { ...approve, digest })).toMatchObject({
    body: { outcome: "decided", input_request: { votes: [{ user_id: people[0], via: "api" }] } },
  });
});

test("an admin withdraws a request, and it stays withdrawn", async () => {
  const { ask, events } = await start();
  for (const _ of [1, 2])
    // The reason of the first counts.
    expect(await ask(`POST /input-requests/${id}/withdraw`, { reason: "asked twice" })).toMatchObject({
      body: {
        state: "withdrawn",
        closed_because: expect.stringMatching(/^Withdrawn by bootstrap/) as string,
        withdraw_reason: "asked twice",
      },
    });
  expect(events.filter(([event]) => event === "input_withdrawn")).toHaveLength(1);
  expect(await ask("POST /input-requests/inp_0123456789abcdef/withdraw")).toMatchObject({ status: 404 });
});

import { expect, test } from "vitest";
import { inputIdOf } from "../../people/input-record.ts";
import { newInput, voter } from "../../testing/new-input.ts";
import { echo, startZone, token } from "../../testing/start-zone.ts";

const by = voter("U_BOB");
const params = { request_id: inputIdOf("t", "k"), by, answer: { verdict: "approve" } };
const ask = async () => {
  const zone = await startZone([echo], { tokens: [token] });
  await zone.inputs.requests.ask(newInput({ request_id: params.request_id }));
  return zone;
};

test("a feed passes on the last place, and waits for the next change", async () => {
  const zone = await ask();
  expect(await zone.call("list_input_requests", {})).toMatchObject({
    result: { input_requests: [{ state: "open" }], last_seq: 1 },
  });
  const next = zone.call("list_input_requests", { after_seq: 1, wait_ms: 20_000 });
  await zone.call("answer_input", params);
  expect(await next).toMatchObject({ result: { input_requests: [{ state: "approved" }], last_seq: 2 } });
  expect(await zone.call("list_input_requests", { after_seq: 2 })).toEqual(
    expect.objectContaining({ result: { input_requests: [], last_seq: 2 } }),
  );
});

test("B1: the caller that shows a request names its people, and changes nothing else", async () => {
  const zone = await startZone([echo], { tokens: [token] });
  const { requests } = zone.inputs;
  const before = await requests.ask({ ...newInput({ requester: "U_BOB" }), request_id: params.request_id });
  const name = (names: object) => zone.call("claim_input_request", { ...params, team_id: "T2", names });
  const named = { ...before, names: { U_BOB: "Bob Carter", S_OPS: "@ops" }, version: 2, seq: 2 };
  for (const _ of [1, 2]) expect(await name(named.names)).toMatchObject({ result: JSON.parse(JSON.stringify(named)) });
  expect((await requests.find(params.request_id))?.request.asked_in).toBeUndefined();
  expect((await requests.page({ person: "bob carter" }, 9)).records).toHaveLength(1);
  await requests.withdraw(params.request_id, "asked twice");
  expect(await name({ U_BOB: "Eve" })).toMatchObject({ result: { state: "withdrawn", names: named.names } });
});

test("P9: of two verification zones one asks the deciders of work that began elsewhere, and only it vouches for them", async () => {
  const zone = await startZone([echo], { tokens: [token] });
  const { requests } = zone.inputs;
  const decide = { ...newInput().decide, people: ["U_BOB"], groups: ["S_OPS"] };
  const input = { ...newInput({ decide, origin: "mcp", requester: "token:ci" }), team_id: undefined };
  const unasked = { ...input, caller: "token:ci", request_id: params.request_id };
  // The first poll makes the zone known.
  await expect(requests.ask(unasked)).rejects.toMatchObject({
    kind: "agent_misconfigured",
    data: { agent_says: expect.stringContaining("no verification zone has connected yet") as string },
  });
  await zone.call("list_input_requests", { wait_ms: 1 });
  await requests.ask(unasked);
  const as = async (caller: string, method: string, more: object = {}) => {
    const message = JSON.stringify({ jsonrpc: "2.0", method, params: { ...params, ...more }, id: 1 });
    return JSON.parse((await zone.app.dispatch(Buffer.from(message), { caller, correlationId: "c" })) ?? "") as object;
  };
  const notFound = { error: { data: { kind: "input_request_not_found" } } };
  const listed = { result: { input_requests: [{ request_id: params.request_id }] } };
  expect(await as("one", "list_input_requests")).toMatchObject(listed);
  expect(await as("one", "get_input_request")).toMatchObject({ result: { request_id: params.request_id } });
  expect(await as("one", "answer_input")).toMatchObject(notFound);
  const claim = { team_id: "T1", names: { U_BOB: "Bob Carter" } };
  const claims = await Promise.all(["one", "two"].map((caller) => as(caller, "claim_input_request", claim)));
  expect(claims.filter((claimed) => "result" in claimed)).toHaveLength(1);
  const [winner, loser] = "result" in (claims[0] ?? {}) ? ["one", "two"] : ["two", "one"];
  expect(await as(winner, "claim_input_request", claim)).toMatchObject({
    result: { asked_in: "T1", names: claim.names },
  });
  for (const method of ["claim_input_request", "get_input_request", "answer_input"])
    expect(await as(loser, method, claim)).toMatchObject(notFound);
  expect(await as(loser, "list_input_requests")).toMatchObject({ result: { input_requests: [] } });
  // The group of another team does not count.
  const stranger = { by: voter("U_CAROL", ["S_OPS"], "T2") };
  expect(await as(winner, "answer_input", stranger)).toMatchObject({ result: { outcome: "not_eligible" } });
  expect(await as(winner, "answer_input")).toMatchObject({ result: { outcome: "decided" } });
  expect((await requests.find(params.request_id))?.caller).toBe("token:ci");
});

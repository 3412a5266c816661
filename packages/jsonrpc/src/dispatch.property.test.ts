import { isJsonRpcResponse, isZoneErrorData, ZoneError, zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createDispatcher } from "./dispatch.ts";
import { errorToJson } from "./error-json.ts";
import { otherMethods } from "./testing/other-methods.ts";

const dispatch = createDispatcher<ZoneMethods, { correlationId: string }>({
  methods: zoneMethods,
  handlers: {
    ...otherMethods,
    execute_task: ({ text }) => ({ status: "success", response_text: text }),
    get_async_task_result: () => {
      throw new ZoneError("task_not_found");
    },
    cancel_task: () => {
      throw new Error("broken");
    },
    list_agents: () => ({ agents: [] }),
    read_task_file: () => ({ bytes: "" }),
  },
  batches: "answer",
  errorToJson,
});

const name = fc.constantFrom(...Object.keys(zoneMethods), "rpc.x", "__proto__", "toString", "nope");
const text = fc.string({ unit: "binary" });
const request = fc.record(
  {
    jsonrpc: fc.constantFrom("2.0", "2.0", "2.0", "1.0"),
    method: fc.oneof(name, text),
    params: fc.oneof(
      fc.record({ channel: text, text, bot_token: text, task_id: text }, { requiredKeys: [] }),
      fc.jsonValue(),
    ),
    id: fc.oneof(
      text,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
      fc.jsonValue(),
    ),
  },
  { requiredKeys: [] },
);
const message = fc.oneof(
  fc.jsonValue(),
  request,
  fc.array(fc.oneof(request, request, fc.jsonValue()), { maxLength: 5 }),
);

test("Z2: any JSON gets schema-valid responses or none", async () => {
  await fc.assert(
    fc.asyncProperty(message, async (value) => {
      const answered = await send(new TextEncoder().encode(JSON.stringify(value)));
      expect(answered.filter((answer) => !isZoneAnswer(answer))).toEqual([]);
    }),
    { numRuns: 3_000 },
  );
});

test("Z2: a response has the id of its request, with value and type", async () => {
  await fc.assert(
    fc.asyncProperty(
      name,
      fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null)),
      async (method, id) => {
        const json = JSON.stringify({ jsonrpc: "2.0", method, id });
        expect(await send(new TextEncoder().encode(json))).toMatchObject([
          { id: (JSON.parse(json) as { id: unknown }).id },
        ]);
      },
    ),
  );
});

test("Z2: any bytes get responses or none", async () => {
  const valid = new TextEncoder().encode(
    JSON.stringify([{ jsonrpc: "2.0", method: "list_agents", params: {}, id: "é" }]),
  );
  const cut = fc.tuple(fc.nat(valid.length), fc.uint8Array({ maxLength: 4 }), fc.nat(valid.length));
  const mutated = cut.map(([from, bytes, to]) =>
    Uint8Array.from([...valid.slice(0, from), ...bytes, ...valid.slice(to)]),
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array(), mutated), async (bytes) => {
      for (const answer of await send(bytes)) expect(answer).toSatisfy(isZoneAnswer);
    }),
    { numRuns: 3_000 },
  );
});

/** The error of a zone has data, always. */
function isZoneAnswer(answer: unknown): boolean {
  return isJsonRpcResponse(answer) && (!("error" in answer) || isZoneErrorData(answer.error.data));
}

async function send(bytes: Uint8Array): Promise<unknown[]> {
  const answer = await dispatch(bytes, { correlationId: "c1" });
  if (answer === undefined) return [];
  const parsed: unknown = JSON.parse(answer);
  if (!Array.isArray(parsed)) return [parsed];
  expect(parsed).not.toHaveLength(0);
  return parsed;
}

import { isJsonRpcResponse } from "@crosszone/contracts";
import { readRpcExamples, type RpcExample } from "@crosszone/contracts/corpus";
import { describe, expect, test } from "vitest";
import { createDispatcher } from "./dispatch.ts";

interface Methods {
  subtract: { params: [number, number] | { minuend: number; subtrahend: number }; result: number };
  sum: { params: number[]; result: number };
  get_data: { params: undefined; result: unknown[] };
  echo: { params: unknown; result: unknown };
  update: { params: unknown; result: null };
  notify_sum: { params: unknown; result: null };
  notify_hello: { params: unknown; result: null };
  fail: { params: unknown; result: never };
}

const dispatcher = (batches: "answer" | "refuse") =>
  createDispatcher<Methods, { correlationId: string }>({
    methods: { subtract: {}, sum: {}, get_data: {}, echo: {}, update: {}, notify_sum: {}, notify_hello: {}, fail: {} },
    handlers: {
      subtract: (params) => {
        const [minuend, subtrahend] = Array.isArray(params) ? params : [params.minuend, params.subtrahend];
        return minuend - subtrahend;
      },
      sum: (params) => params.reduce((total, number) => total + number),
      get_data: () => ["hello", 5],
      echo: (params) => params ?? null,
      update: () => null,
      notify_sum: () => null,
      notify_hello: async () => null,
      fail: () => {
        throw new Error("secret");
      },
    },
    batches,
  });

const examples = readRpcExamples("specification");
const extras = readRpcExamples("extra");
const context = { correlationId: "test" };

describe("with batches enabled", () => {
  const dispatch = dispatcher("answer");

  test("all 15 examples are present", () => expect(examples).toHaveLength(15));

  test.each(examples)("Z5: specification, $name", async (example) => {
    expect(parsed(await dispatch(bytesOf(example), context))).toMatchObject({ answer: example.expected });
  });

  test.each(extras)("Z2, Z3: $name", async (extra) => {
    const { answer } = parsed(await dispatch(bytesOf(extra), context));
    expect({ answer }).toMatchObject({ answer: extra.expected });
    expect([answer ?? []].flat().filter((one) => !isJsonRpcResponse(withFiniteId(one)))).toEqual([]);
    expect({}).not.toHaveProperty("polluted");
  });

  test.each(extras.filter(({ id_text }) => id_text !== undefined))("Z2: $name: $id_text", async (extra) => {
    expect(await dispatch(bytesOf(extra), context)).toSatisfy((text: string) =>
      text.endsWith(`,"id":${extra.id_text}}`),
    );
  });
});

describe("with batches refused", () => {
  const dispatch = dispatcher("refuse");
  const isBatch = (one: RpcExample): boolean => /^\s*\[/.test(new TextDecoder().decode(bytesOf(one)));
  const isJson = (one: RpcExample): boolean => !JSON.stringify(one.expected).includes("-32700");
  const cases = [...examples, ...extras];

  test.each(cases.filter((one) => isBatch(one) && isJson(one)))("Z5: a batch is refused: $name", async (one) => {
    expect(parsed(await dispatch(bytesOf(one), context))).toMatchObject({
      answer: { error: { code: -32600 }, id: null },
    });
  });
});

/** 1e999 is a JSON number, but to a validator it is none, as JavaScript reads it as Infinity. */
function withFiniteId(answer: { id: unknown }): object {
  return { ...answer, ...(answer.id === Infinity && { id: 0 }) };
}

function bytesOf({ request, request_base64, request_parts }: RpcExample): Uint8Array {
  if (request_base64 !== undefined) return Uint8Array.from(Buffer.from(request_base64, "base64"));
  return new TextEncoder().encode(request ?? request_parts?.map(([text, times]) => text.repeat(times)).join(""));
}

function parsed(text: string | undefined): { answer: { id: unknown } | { id: unknown }[] | null } {
  return { answer: text === undefined ? null : (JSON.parse(text) as { id: unknown }) };
}

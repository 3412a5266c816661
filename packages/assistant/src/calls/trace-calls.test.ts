import { ZoneError } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { AssistantError } from "../failure.ts";
import { finish, scriptedModel, text, type Script } from "../testing/index.ts";
import { streamCallOf, type CallOptions, type CallPart } from "./stream-call.ts";
import type { CallSpan } from "./call-tracer.ts";
import { traceCalls } from "./trace-calls.ts";

type Ended = Parameters<CallSpan["end"]>[0];

interface Call {
  readonly script: Script;
  /** How many parts are read. */
  readonly most?: number;
  readonly stopped?: unknown;
}

/** Reads one call; says how its span ended, with no content and with it. */
async function endOf({ script, most = Infinity, stopped }: Call) {
  const model = scriptedModel(script);
  const ended: Ended[] = [];
  for (const capturesContent of [false, true]) {
    const start = () => ({ traceparent: undefined, end: (end: Ended) => void ended.push(end) });
    const turn = { tracer: { start, capturesContent }, traceparent: undefined };
    const options: CallOptions = {
      prompt: [],
      ...(stopped !== undefined && { abortSignal: AbortSignal.abort(stopped) }),
    };
    const read: CallPart[] = [];
    const reading = async (): Promise<void> => {
      for await (const part of await traceCalls(streamCallOf(model.model), model, turn)(options))
        if (read.push(part) >= most) break;
    };
    await reading().catch(() => undefined);
  }
  expect(ended).toHaveLength(2);
  expect(ended[0]?.error).toBe(ended[1]?.error);
  return { error: ended[0]?.error, plain: ended[0]?.attributes, captured: ended[1]?.attributes };
}

const overloaded = Object.assign(new Error("planted"), { name: "AI_APICallError", statusCode: 529 });

test.each<[string, string | undefined, Call]>([
  ["that finishes", undefined, { script: [...text("planted"), finish()] }],
  ["that ends without a finish", "interrupted", { script: text("planted") }],
  ["that is not read to its end", "interrupted", { script: [...text("planted"), finish()], most: 2 }],
  ["that breaks", "silent", { script: () => [...text("a"), new AssistantError("silent", "planted")] }],
  ["that is refused", "overloaded", { script: overloaded }],
  ["of a turn that was canceled", "canceled", { script: text("a"), stopped: new ZoneError("canceled") }],
  ["of a turn past its deadline", "timeout", { script: overloaded, stopped: new ZoneError("timeout") }],
  ["of a turn that was stopped otherwise", "canceled", { script: overloaded, stopped: new Error("planted") }],
])("a call %s ends its span with %s", async (_call, expected, call) => {
  const { error, plain } = await endOf(call);
  expect(error).toBe(expected);
  expect(JSON.stringify(plain) ?? "").not.toContain("planted");
});

test("content is truncated: long texts individually, and all messages together", async () => {
  const { captured } = await endOf({ script: [...text("long".repeat(1_000)), finish()] });
  const json = String(captured?.["gen_ai.output.messages"]);
  expect(json.length).toBeLessThan(1_200);
  expect(JSON.parse(json)).toMatchObject([{ finish_reason: "stop" }]);
});

import { readCases } from "@crosszone/contracts/corpus";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DeadLetterError } from "./kafka-errors.ts";
import type { BusMessage, ChannelName } from "./bus-message.ts";
import { checkMessage, keyOf, parseMessage } from "./message-codec.ts";

const schemas: Readonly<Record<ChannelName, string>> = {
  agent_tasks: "agent-task",
  agent_results: "agent-result",
  agent_cancellations: "agent-cancellation",
};

const messages = (channel: ChannelName, valid: boolean): Uint8Array[] =>
  readCases(`bus/${schemas[channel]}`)
    .filter((one) => one.valid === valid)
    .map(({ value }) => new TextEncoder().encode(JSON.stringify(value)));

const names = Object.keys(schemas) as ChannelName[];

test.each(names)("%s: every valid case can be published and read, and no invalid one", (channel) => {
  for (const bytes of messages(channel, true)) {
    const value = checkMessage(channel, parseMessage(bytes));
    expect(keyOf({ channel, value })).toBe(value.task_id);
  }
  for (const bytes of messages(channel, false)) {
    const json = parseMessage(bytes);
    expect(() => checkMessage(channel, json)).toThrow(DeadLetterError);
    expect(() => keyOf({ channel, value: json } as BusMessage)).toThrow(TypeError);
  }
});

test("B8: any bytes are a message or a dead letter that does not quote them", () => {
  const read = (bytes: Uint8Array): string => {
    try {
      checkMessage("agent_tasks", parseMessage(bytes));
      return "";
    } catch (error) {
      if (!(error instanceof DeadLetterError)) throw error;
      return error.message;
    }
  };
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void read(bytes)));
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      read(new TextEncoder().encode(JSON.stringify(json)));
    }),
  );
  expect(read(new TextEncoder().encode('{"secret": xoxb-1}'))).toBe("the message is not JSON");
  expect(read(new Uint8Array([0x22, 0xff, 0x22]))).toBe("the message is not UTF-8");
});

import type { App, Receiver, ReceiverEvent } from "@slack/bolt";
import { expect, test } from "vitest";
import { createBoltApp } from "./bolt-app.ts";
import { createSdkLogger } from "../../slack/token-clients.ts";
import type { SlackEnvelope } from "./slack-event.ts";
import { withLateAck } from "./receivers.ts";

/** Starts the real Bolt behind a receiver to which the test delivers events, as a socket does. */
function setUp(onEvent: (envelope: SlackEnvelope) => Promise<void>): {
  receive: () => Promise<unknown>;
  steps: string[];
} {
  const steps: string[] = [];
  let app: App | undefined;
  const receiver: Receiver = {
    init: (given) => {
      app = given;
    },
    start: async () => undefined,
    stop: async () => undefined,
  };
  createBoltApp({
    receiver: withLateAck(receiver),
    logger: createSdkLogger(() => undefined),
    onEvent: async (envelope) => {
      await onEvent(envelope);
      steps.push("stored");
    },
    onCommand: () => undefined,
  });
  const event: ReceiverEvent = {
    body: { type: "event_callback", event: { type: "message", channel: "D1", text: "hi" } },
    ack: async () => void steps.push("acknowledged"),
  };
  return { steps, receive: async () => app?.processEvent(event) };
}

test("S5: over a socket, too, an event is acknowledged after it is stored", async () => {
  const { receive, steps } = setUp(() => new Promise((resolve) => setTimeout(resolve, 5)));
  await receive();
  expect(steps).toEqual(["stored", "acknowledged"]);
});

test("S5: over a socket, too, an event that can't be stored is not acknowledged", async () => {
  const { receive, steps } = setUp(async () => {
    throw new Error("the disk is full");
  });
  await expect(receive()).rejects.toThrow("the event was not stored");
  expect(steps).toEqual([]);
});

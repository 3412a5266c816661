import type { App, Receiver, ReceiverEvent } from "@slack/bolt";
import { expect, test } from "vitest";
import { createBoltApp, withLateAck } from "./bolt-app.ts";
import { createSdkLogger } from "../slack/token-clients.ts";
import type { SlackEnvelope } from "./slack-event.ts";

/** Starts the real Bolt behind a receiver to which the test delivers events, as a socket does. */
function setUp(
  onEvent: (envelope: SlackEnvelope) => Promise<void>,
  body: Record<string, unknown> = { type: "event_callback", event: { type: "message", channel: "D1", text: "hi" } },
) {
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
    onInteraction: async () => {
      await onEvent({} as SlackEnvelope);
      steps.push("stored");
      return { answer: "too late" };
    },
  });
  const event: ReceiverEvent = {
    body,
    ack: async (answer?: unknown) => void steps.push(answer === undefined ? "acknowledged" : JSON.stringify(answer)),
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

const user = { id: "U1", team_id: "T1" };
const presses = {
  press: { type: "block_actions", user, actions: [{ type: "button", action_id: "input:approve:x", block_id: "b" }] },
  modal: { type: "view_submission", user, view: { callback_id: "input:deny:x" } },
};

test("over a socket, too, a press is acknowledged after it is stored, and a modal gets its errors", async () => {
  const store = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
  const press = setUp(store, presses.press);
  await press.receive();
  expect(press.steps).toEqual(["stored", "acknowledged"]);
  const modal = setUp(store, presses.modal);
  await modal.receive();
  expect(modal.steps).toEqual(["stored", '{"response_action":"errors","errors":{"answer":"too late"}}']);
});

test.each(Object.entries(presses))(
  "over a socket, too, a %s that can't be stored is not acknowledged",
  async (...[, body]) => {
    const { receive, steps } = setUp(async () => Promise.reject(new Error("the disk is full")), body);
    await expect(receive()).rejects.toThrow("the interaction was not stored");
    expect(steps).toEqual([]);
  },
);

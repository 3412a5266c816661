import type { App, Receiver, ReceiverEvent } from "@slack/bolt";

/**
 * Makes a receiver acknowledge only after its listeners succeed, as `processBeforeResponse` does for HTTP. Bolt acknowledges events before
 * its listeners run, and Slack would not resend a lost event.
 */
export function withLateAck(receiver: Receiver): Receiver {
  return {
    init: (app) => {
      const processEvent = async (event: ReceiverEvent): Promise<void> => {
        let answer: { readonly response?: unknown } | undefined;
        await app.processEvent({
          ...event,
          ack: async (response?: unknown) => {
            answer = { response };
          },
        });
        if (answer !== undefined) await event.ack(answer.response);
      };
      receiver.init({ processEvent } as App);
    },
    start: (...args) => receiver.start(...args),
    stop: (...args) => receiver.stop(...args),
  };
}

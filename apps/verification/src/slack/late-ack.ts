import type { App, Receiver, ReceiverEvent } from "@slack/bolt";

/**
 * Makes any receiver acknowledge after the listeners are done, and not at all when they fail, as `processBeforeResponse` does for
 * HTTP. Bolt itself acknowledges events before their listeners run, and Slack would not send a lost one again.
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

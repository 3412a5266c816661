export { BusUnavailableError } from "./bus-unavailable-error.ts";
export { DeadLetterError } from "./dead-letter-error.ts";
export type {
  BusMessage,
  ChannelName,
  DeadLetter,
  Delivery,
  MessageBus,
  MessageHeaders,
  QueueReading,
  SubscribeOptions,
  Subscription,
} from "./message-bus.ts";
export type { Outbox } from "./outbox.ts";

export type { BusObserver, BusPlace } from "./bus-observer.ts";
export { BusUnavailableError } from "./bus-unavailable-error.ts";
export { plainColumns, type ColumnCodec } from "./codec/column-codec.ts";
export { DeadLetterError } from "./dead-letter-error.ts";
export type { DeadLetters, KeptDeadLetter } from "./dead-letters.ts";
export { busStep, type BusTables } from "./embedded/bus-tables.ts";
export { createEmbeddedBus, type EmbeddedBusOptions } from "./embedded/embedded-bus.ts";
export type { ConsumerGroups } from "./embedded/message-rows.ts";
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
export { defaultRedelivery, redeliveryDelay, type Redelivery } from "./redelivery.ts";

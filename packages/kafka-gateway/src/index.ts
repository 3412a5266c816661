export type { BusEmit, DeadLetter, KafkaBus } from "./bus/kafka-bus.ts";
export { busLabels } from "./bus/kafka-bus.ts";
export { defaultRedelivery } from "./bus/group-consumer.ts";
export { BusUnavailableError } from "./bus/kafka-errors.ts";
export { deadLettersStep, messageContext, type DeadLetterTables } from "./gateway/dead-letters.ts";
export { createDeadLetterPurge, createDeadLetterStore } from "./gateway/dead-letters.ts";
export type { KafkaGateway } from "./gateway/create-gateway.ts";
export { outboxContext } from "./gateway/publish-outbox.ts";

export { createKafkaBus, type KafkaBusOptions } from "./create-kafka-bus.ts";
export { MissingTopicsError } from "./kafka-errors.ts";
export type { KafkaLogin, KafkaSettings, KafkaTls } from "./kafka-settings.ts";
export type { NewTopics, TopicNames } from "./kafka-topics.ts";

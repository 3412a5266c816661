export { saslMechanisms, type KafkaSecurity } from "./broker-properties.ts";
export { NoKafkaError } from "./kafka-libraries.ts";
export { kafkaIsHere } from "./kafka-is-here.ts";
export { startKafka, type KafkaOptions, type KafkaServer } from "./start-kafka.ts";

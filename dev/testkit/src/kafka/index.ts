export { saslMechanisms, type KafkaSecurity } from "./kafka-libraries.ts";
export { NoKafkaError } from "./kafka-libraries.ts";
export { kafkaIsHere } from "./start-kafka.ts";
export { startKafka, type KafkaOptions, type KafkaServer } from "./start-kafka.ts";

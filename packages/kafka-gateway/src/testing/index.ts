export { busContract } from "./bus.contract.ts";
export { consume, drained, soon, taskMessage } from "./bus-under-test.ts";
export { newKafkaStore } from "./kafka-store.ts";
export { newAgentTask, openProcess, type ZoneProcess } from "./open-process.ts";

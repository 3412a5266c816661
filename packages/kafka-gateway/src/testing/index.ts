export { busContract } from "./bus.contract.ts";
export { taskMessage } from "./bus-under-test.ts";
export { consume, drained, soon } from "./consume.ts";
export { newKafkaStore } from "./kafka-store.ts";
export { newAgentTask, openProcess, type ZoneProcess } from "./open-process.ts";

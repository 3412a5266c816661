export { busContract } from "./bus.contract.ts";
export { consume, drained, newKafkaStore, soon, taskMessage } from "./bus-under-test.ts";
export { newAgentTask, openProcess, type ZoneProcess } from "./open-process.ts";

export { busContract } from "./bus.contract.ts";
export { contractGroups, contractRedelivery, resultMessage, taskMessage, type BusStore } from "./bus-under-test.ts";
export { consume, drained, soon, type Consumed } from "./consume.ts";
export { runStandingConsumer } from "./standing-consumer.ts";

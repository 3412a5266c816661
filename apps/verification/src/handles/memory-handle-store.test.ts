import { handleStoreContract } from "./handle-store.contract.ts";
import { createMemoryHandleStore } from "./memory-handle-store.ts";

handleStoreContract("the memory handle store", async (clock) => createMemoryHandleStore(clock));

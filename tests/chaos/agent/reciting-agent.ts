import type { Agent } from "@crosszone/execution";
import { withRecitals } from "./with-recitals.ts";

/** The module that this one stands in for: its own URL says which. */
const original = new URL(import.meta.url).searchParams.get("for") ?? "";
const { createBuiltinAgent: createOriginal } = (await import(original)) as { createBuiltinAgent: () => Agent };

/** The built-in agent, which also recites. */
export const createBuiltinAgent = (): Agent => withRecitals(createOriginal());

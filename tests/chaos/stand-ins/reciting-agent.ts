import type * as Builtin from "@crosszone/builtin-agent";
import type { Agent } from "@crosszone/execution";
import { withRecitals } from "./with-recitals.ts";

/** The module that this one replaces. `use-stand-ins.ts` puts it into this module's URL. */
const original = new URL(import.meta.url).searchParams.get("for") ?? "";
const { createBuiltinAgent: createOriginal } = (await import(original)) as typeof Builtin;

/** Returns the built-in agent, which also recites. */
export const createBuiltinAgent = (): Agent => withRecitals(createOriginal());

import { replaceDatabases } from "../faults/failing-database.ts";
import { replaceRandom } from "./seeded-random.ts";
import { replaceTimers } from "./virtual-time.ts";

// Loaded before all modules of the zones: some of them keep a reference to `Date.now` and others.
replaceTimers();
replaceRandom();
replaceDatabases();

import { replaceDatabases } from "../faults/failing-database.ts";
import { replaceRandom } from "./seeded-random.ts";
import { replaceTimers } from "./virtual-time.ts";

// Before any module of the zones is loaded: some of them keep `Date.now` and the like.
replaceTimers();
replaceRandom();
replaceDatabases();

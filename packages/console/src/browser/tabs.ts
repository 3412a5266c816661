import type { Tab } from "./navigation.ts";
import { runsTab } from "./runs-tab.ts";

/** The tabs of the console, in their order. `/console` opens the first. */
export const tabs: readonly Tab[] = [runsTab];

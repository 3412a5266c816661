import type { Tab } from "./navigation.ts";
import { approvalsTab } from "./approvals-tab.ts";
import { auditTab } from "./audit-tab.ts";
import { runsTab } from "./runs-tab.ts";

/** The tabs of the console, in their order. `/console` opens the first. */
export const tabs: readonly Tab[] = [runsTab, approvalsTab, auditTab];

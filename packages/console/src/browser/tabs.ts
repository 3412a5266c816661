import type { Tab } from "./navigation.ts";
import { approvalsTab } from "./approvals/approvals-tab.ts";
import { auditTab } from "./audit/audit-tab.ts";
import { runsTab } from "./run/runs-tab.ts";

/** The tabs of the console, in their order. `/console` opens the first. */
export const tabs: readonly Tab[] = [runsTab, approvalsTab, auditTab];

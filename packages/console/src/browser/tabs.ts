import { agentsTab } from "./agents/agents-tab.ts";
import { approvalsTab } from "./approvals/approvals-tab.ts";
import { auditTab } from "./audit/audit-tab.ts";
import { findTab } from "./find/find-tab.ts";
import type { Tab } from "./navigation.ts";
import { runsTab } from "./run/runs-tab.ts";
import { usageTab } from "./usage/usage-tab.ts";

/** The tabs of the console, in their order. `/console` opens the first. */
export const tabs: readonly Tab[] = [findTab, runsTab, approvalsTab, agentsTab, usageTab, auditTab];

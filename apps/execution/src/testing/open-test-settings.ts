import type { RecordAct } from "@crosszone/audit";
import { openZoneSettings } from "@crosszone/ops/settings";
import { createHealth, createMetrics, type Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { onTestFinished } from "vitest";
import type { ExecutionConfig } from "../zone/config/variables.ts";
import { executionSections, type ExecutionSettings, usedSections } from "../zone/config/sections.ts";

/** Opens the settings of the variables, as a zone does. They close with the test. */
export async function openTestSettings(
  config: ExecutionConfig,
  given: { readonly emit?: Emit<ExecutionEvent>; readonly record?: RecordAct } = {},
) {
  const { emit = () => undefined, record = async () => undefined } = given;
  const surroundings = { health: createHealth(), metrics: createMetrics(), emit, record };
  const rows = usedSections(config, executionSections(config, {}));
  const opened = { ...surroundings, paths: config.EXECUTION_FILE, rows };
  const settings = await openZoneSettings<ExecutionSettings>("execution", opened);
  onTestFinished(() => settings.close());
  return settings;
}

import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { isSchedulesSection, type NewSchedule, type SchedulesSection } from "@crosszone/contracts";
import { settingsRow } from "@crosszone/service-kit/settings";
import { authorChanger, ScheduleRefusal } from "./changer.ts";
import type { Schedules } from "./schedule-store.ts";
import { problemsOfSettings } from "./schedule-settings.ts";

/** The section of the settings: a schedule's name, and its settings in the same map. Undefined without the section. */
export const schedulesRow = settingsRow({
  schema: isSchedulesSection,
  check: (entries: SchedulesSection | undefined, { refuse }): readonly NewSchedule[] | undefined => {
    if (entries === undefined) return undefined;
    const listed = entries.map(({ name, ...settings }) => ({ name, settings }));
    for (const [at, { name, settings }] of listed.entries()) {
      if (listed.findIndex((one) => one.name === name) < at)
        refuse({ pointer: `/${at}/name`, message: "is also the name of another schedule" });
      refuse(...problemsOfSettings(settings).map((one) => ({ ...one, pointer: `/${at}${one.pointer}` })));
    }
    return listed;
  },
});

/**
 * Makes the schedules of the settings those that they list; those of an absent section stay. Rejects when the API or Slack has a schedule of the same
 * name; the others are applied.
 */
export async function applySchedules(
  schedules: Schedules,
  listed: readonly NewSchedule[] | undefined,
  paths: readonly string[] = [],
) {
  if (listed === undefined) return undefined;
  const by = authorChanger(
    { actor: `file:${paths.map((path) => basename(path)).join(",")}`, correlationId: randomUUID() },
    "file",
  );
  const gone = new Set(await schedules.namesOf("file")).difference(new Set(listed.map(({ name }) => name)));
  for (const name of gone) await schedules.change(name, "remove", by);
  const taken: string[] = [];
  for (const { name, settings } of listed)
    await schedules.save({ name, settings, replaces: true }, by).catch((error: unknown) => {
      if (!(error instanceof ScheduleRefusal)) throw error;
      taken.push(`${name} ${error.message}`);
    });
  if (taken.length > 0) throw new Error(taken.join("; "));
  return { saved: listed.length, removed: gone.size };
}

import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import type { NewSchedule, ParamProblem } from "@crosszone/contracts";
import { type Emit, followFiles } from "@crosszone/service-kit";
import { isObject, ownMember } from "@crosszone/service-kit/json";
import { errorText } from "@crosszone/service-kit/text";
import { FileProblemsError, readYamlFile } from "@crosszone/service-kit/yaml";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { authorChanger, ScheduleRefusal } from "./changer.ts";
import type { Schedules } from "./schedule-store.ts";
import { problemsOfNew } from "./schedule-settings.ts";

/** A schedule of SCHEDULES_FILE: its name, and its settings in the same map. */
const newScheduleOf = ({ name, ...settings }: Readonly<Record<string, unknown>>) => ({ name, settings });

/** Reads SCHEDULES_FILE. Rejects with a `FileProblemsError` that names each mistake by line. */
export async function readSchedulesFile(path: string): Promise<readonly NewSchedule[]> {
  const { value, problemAt } = await readYamlFile(path, "file of schedules");
  const listed = isObject(value) ? value["schedules"] : undefined;
  if (!Array.isArray(listed) || Object.keys(value as object).length > 1)
    throw new FileProblemsError([
      problemAt({ pointer: "", message: "needs the member schedules, a list, and no other" }),
    ]);
  const given = listed.map((one: unknown) => (isObject(one) ? newScheduleOf(one) : one));
  const problems = given.flatMap((one, at) =>
    problemsOfEntry(one, given.slice(0, at)).map((problem) => placed(problem, at)),
  );
  if (problems.length > 0) throw new FileProblemsError(problems.map(problemAt));
  return given as NewSchedule[];
}

function problemsOfEntry(given: unknown, before: readonly unknown[]): ParamProblem[] {
  const name = ownMember(given, "name");
  const isRepeated = name !== undefined && before.some((one) => ownMember(one, "name") === name);
  const repeated = isRepeated ? [{ pointer: "/name", message: "is also the name of another schedule" }] : [];
  return [...repeated, ...problemsOfNew(given)];
}

const placed = ({ pointer, message }: ParamProblem, at: number): ParamProblem => ({
  pointer: `/schedules/${at}${pointer.replace(/^\/settings/, "")}`,
  message,
});

/** Makes the schedules of the file those that it lists. Rejects when the API or Slack has a schedule of the same name; the others are applied. */
async function applySchedulesFile(schedules: Schedules, listed: readonly NewSchedule[], path: string) {
  const by = authorChanger({ actor: `file:${basename(path)}`, correlationId: randomUUID() }, "file");
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

/**
 * Applies SCHEDULES_FILE, again after each edit, until `close`. Rejects with a `FileProblemsError` that names each mistake by line; a mistake in
 * an edit is logged, and the schedules before stay.
 */
export async function followSchedulesFile(
  path: string | undefined,
  deps: {
    readonly schedules: Schedules;
    /** Records what the file says in the audit log. */
    readonly loaded: (policy: string, content: object, paths: readonly string[]) => Promise<void>;
    readonly emit: Emit<ExecutionEvent>;
  },
): Promise<{ readonly close: () => Promise<void> }> {
  const { schedules, loaded, emit } = deps;
  if (path === undefined) return { close: async () => undefined };
  return followFiles({
    paths: [path],
    read: () => readSchedulesFile(path),
    store: async (listed) => {
      await loaded("schedules", listed, [path]);
      emit("schedules_file_applied", await applySchedulesFile(schedules, listed, path));
    },
    onApplied: () => undefined,
    onFailure: (error) => emit("schedules_file_not_usable", { because: errorText(error) }),
  });
}

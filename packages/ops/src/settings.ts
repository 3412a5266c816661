import { hash } from "node:crypto";
import { relative } from "node:path";
import { type RecordAct, zoneAct } from "@crosszone/audit";
import { isExecutionSettings, isVerificationSettings } from "@crosszone/contracts";
import { createGauge, type Emit, type Health, type Metrics } from "@crosszone/service-kit";
import { canonicalJson } from "@crosszone/service-kit/json";
import {
  type AnyRows,
  checkSettings,
  type JudgedSection,
  followSettings,
  readSection as readOneSection,
  type Settings,
  type SettingsRows,
} from "@crosszone/service-kit/settings";
import { showUnseen } from "@crosszone/service-kit/text";
import { FileProblemsError } from "@crosszone/service-kit/yaml";
import type { ProcessEvent } from "@crosszone/telemetry";
import { type DoctorOptions, type DoctorRow, failed, passed } from "./doctor/run-doctor.ts";

const schemas = { execution: isExecutionSettings, verification: isVerificationSettings } as const;

/** A zone that has a file of settings. */
type Zone = keyof typeof schemas;

const variableOf = (zone: Zone): string => `${zone.toUpperCase()}_FILE`;
const sectionsOf = (zone: Zone): readonly string[] => Object.keys(schemas[zone].schema.properties ?? {});

/** Returns where the settings of a zone are, and where the sections of the other zone belong. */
function sourceOf(zone: Zone, paths: readonly string[] = []) {
  const other = zone === "execution" ? "verification" : "execution";
  const place = `${other}.yaml, the file of ${variableOf(other)}`;
  return {
    paths,
    own: sectionsOf(zone),
    elsewhere: Object.fromEntries(sectionsOf(other).map((name) => [name, place])),
  };
}

/** Returns the version of a section in the audit log: SHA-256 in hex. */
export const digestOf = (content: unknown): string => hash("sha256", canonicalJson(content));

/**
 * Opens the settings of a zone: the sections of `rows`, those that this process uses. Each version of a section is in the audit log before it binds.
 * `/readyz`, a metric and the log say which section's edit is not in force. Rejects with a `FileProblemsError` for mistakes at the start.
 */
export async function openZoneSettings<Values extends object>(
  zone: Zone,
  given: {
    readonly paths: readonly string[] | undefined;
    readonly rows: Partial<SettingsRows<Values>>;
    readonly record: RecordAct;
    readonly emit: Emit<ProcessEvent>;
    readonly health: Health;
    readonly metrics: Metrics;
    /** Monotonic milliseconds. Default: the process's clock. */
    readonly now?: () => number;
  },
): Promise<Settings<Values>> {
  const { paths: files, rows, record, emit, health, metrics } = given;
  const settings = await followSettings<Values>(sourceOf(zone, files), rows, {
    store: (id, content, paths) => {
      const details = { file: paths.join(",") || "default" };
      return record(
        zoneAct(zone, { action: "policy.load", target: { type: "policy", id }, policy: digestOf(content), details }),
      );
    },
    onApplied: (section, paths, says) => emit("settings_applied", { section, files: paths, says }),
    onFailure: (section, because) => emit("settings_not_usable", { section, because }),
    now: given.now,
  });
  const held = settings.notInForce;
  const note = (): string =>
    `the last edit is not in force: ${held()
      .map(({ section, since }) => `${section} since ${since}`)
      .join(", ")}`;
  health.addNote("settings", () => (held().length === 0 ? undefined : note()));
  createGauge(metrics.registry, "settings_not_in_force", () => held().length);
  return settings;
}

/** What a command reads: the files of settings, and the rows of their sections. */
interface ZoneSettings<Rows> {
  readonly paths: readonly string[] | undefined;
  readonly rows: Rows;
}

/** Returns the row of a zone's files of settings, with every mistake in them. */
export const settingsDoctorRow = (zone: Zone, given: ZoneSettings<AnyRows>): DoctorRow => ({
  name: "settings",
  variables: [variableOf(zone)],
  probe: async () => {
    const { paths: [...paths] = [] } = given;
    if (paths.length === 0) return passed(`${variableOf(zone)} is not set: every section has its default`);
    const problems = await problemsIn(zone, given);
    if (problems.length === 0) return passed(paths.join(", "));
    return failed(
      `${counted(problems.length)} in the settings`,
      ...new FileProblemsError(problems).message.split("\n"),
    );
  },
});

/** Returns what a section decides now, for commands that don't follow it. Rejects with a `FileProblemsError` when it can't be used. */
export const readZoneSection = <Values, Name extends keyof Values & string>(
  zone: Zone,
  { paths, rows }: ZoneSettings<SettingsRows<Values>>,
  name: Name,
): Promise<JudgedSection<Values[Name]>> => readOneSection(sourceOf(zone, paths), name, rows[name]);

const counted = (count: number): string => (count === 1 ? "1 problem" : `${count} problems`);

/** Returns every mistake in the files of settings. */
async function problemsIn(zone: Zone, { paths, rows }: ZoneSettings<AnyRows>) {
  try {
    return await checkSettings(sourceOf(zone, paths), rows);
  } catch (error) {
    if (error instanceof FileProblemsError) return error.problems;
    throw error;
  }
}

const usage = (zone: Zone): string => `Usage: node dist/config.js check [--json]

Checks the file in ${variableOf(zone)}, and the files that it names, as the ${zone} zone reads them: every mistake with its file, line and column, and
what to write. Needs the variables of the zone; changes nothing, and shows no values.
Exit code: 0 without a mistake, 1 with one, 2 usage error.
`;

/** Runs `config check` for a zone, and sets the exit code. */
export async function runConfigCheck(
  zone: Zone,
  args: readonly string[],
  ...[settings, on]: readonly [ZoneSettings<AnyRows>, DoctorOptions["on"]]
): Promise<void> {
  const end = (code: number): void => void (on.exitCode = Math.max(Number(on.exitCode ?? 0), code));
  if (args.includes("--help") || args.includes("-h")) return void on.stdout.write(usage(zone));
  const [command, ...options] = args;
  if (command !== "check" || options.some((one) => one !== "--json")) {
    on.stderr.write(`Invalid arguments: ${args.join(" ")}\n\n${usage(zone)}`);
    return end(2);
  }
  const shown = (path: string): string => {
    const short = relative(process.cwd(), path);
    return short.startsWith("..") ? path : short;
  };
  const found = await problemsIn(zone, settings);
  const problems = found.map((one) => ({ ...one, path: shown(one.path) }));
  end(problems.length === 0 ? 0 : 1);
  const files = settings.paths?.map(shown) ?? [];
  if (options.length > 0) return void on.stdout.write(`${JSON.stringify({ zone, files, problems })}\n`);
  if (problems.length > 0) on.stdout.write(`${showUnseen(new FileProblemsError(problems).message)}\n`);
  const place = files.length === 0 ? `${variableOf(zone)} is not set` : files.join(", ");
  on.stdout.write(`${place}: ${problems.length === 0 ? "no problems" : counted(problems.length)}\n`);
}

import { type ApiPart, ApiProblem, type AskedFor, invalidBody, serveApi } from "@crosszone/admin-api";
import {
  type HookList,
  type HookRefusals,
  isAgentName,
  type LeftOutHook,
  type NewSchedule,
  type ParamProblem,
  type ProblemKind,
  type Schedule,
  type ScheduleChange,
  type ScheduleSettings,
} from "@crosszone/contracts";
import { ownMember } from "@crosszone/service-kit/json";
import { authorChanger, type Changer, problemsInRequest, ScheduleRefusal } from "../../fires/changer.ts";
import type { Fires } from "../../fires/fire-store.ts";
import type { Hook } from "../../fires/hook-settings.ts";
import { problemsOfNew, problemsOfSettings } from "../../fires/schedule-settings.ts";
import type { Schedules } from "../../fires/schedule-store.ts";

const kinds: Readonly<Record<Exclude<ScheduleRefusal["kind"], "not_valid">, ProblemKind>> = {
  not_found: "schedule_not_found",
  exists: "schedule_exists",
  of_file: "schedule_of_file",
  cap: "cap_used_up",
  not_allowed: "schedule_not_allowed",
};

type OfSchedule = AskedFor<"getSchedule">;

/** Creates the part of the API that lists, changes and fires schedules, and lists fires. */
export function createScheduleRoutes(schedules: Schedules): ApiPart {
  const changer = ({ by }: Pick<OfSchedule, "by">): Changer => authorChanger(by, "api");

  /** Throws a refusal that names everything that is wrong, also an agent that does not exist, unless the schedule had it `before`. */
  async function check(wrong: ParamProblem[], agent: unknown, before?: Schedule): Promise<void> {
    const isNew = isAgentName(agent) && agent !== before?.settings.agent;
    const message = isNew ? (await schedules.whyNoAgents([agent])).get(agent) : undefined;
    if (message !== undefined) wrong.push({ pointer: before === undefined ? "/settings/agent" : "/agent", message });
    if (wrong.length > 0) throw invalidBody(wrong);
  }

  const find = async (name: string): Promise<Schedule> => existing(await schedules.find(name));
  const changed = async ({ params: { name }, by }: OfSchedule, how: ScheduleChange) =>
    schedules.change(name, how, changer({ by })).catch(refuse);

  return serveApi("schedule", {
    listSchedules: async ({ query: { limit, cursor, owner: user_id, state } }) => {
      const { schedules: found, next } = await schedules.page({ user_id, state, after: cursor?.[0] }, limit);
      return { schedules: found, next_cursor: next === undefined ? undefined : [next] };
    },
    createSchedule: async ({ body, by }) => {
      await check(problemsOfNew(body), ownMember(ownMember(body, "settings"), "agent"));
      return schedules
        .save(body as NewSchedule, changer({ by }))
        .catch((error: unknown) => refuse(error, problemsInRequest));
    },
    getSchedule: ({ params }) => find(params.name),
    changeSchedule: async ({ params: { name }, body, by }) => {
      await check(problemsOfSettings(body), ownMember(body, "agent"), await find(name));
      const saving = { name, settings: body as ScheduleSettings, replaces: true };
      return schedules.save(saving, changer({ by })).catch(refuse);
    },
    removeSchedule: async (asked) => void (await changed(asked, "remove")),
    pauseSchedule: async (asked) => existing((await changed(asked, "pause")).schedule),
    resumeSchedule: async (asked) => existing((await changed(asked, "resume")).schedule),
    fireSchedule: async (asked) => existing((await changed(asked, "fire")).fire),
    listFires: async ({ query: { limit, cursor: before, ...filter } }) => {
      const { fires, next } = await schedules.fires.page({ ...filter, before }, limit);
      return { fires, next_cursor: next };
    },
  });
}

function existing<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ApiProblem("schedule_not_found");
  return found;
}

function refuse(
  error: unknown,
  problemsOf = ({ problems }: ScheduleRefusal): readonly ParamProblem[] => problems,
): never {
  if (!(error instanceof ScheduleRefusal)) throw error;
  throw error.kind === "not_valid" ? invalidBody(problemsOf(error)) : new ApiProblem(kinds[error.kind]);
}

/** Creates the part of the API that shows the hooks of the settings. `url` is the listener's, without a slash at the end. */
export function createHookApi(deps: {
  readonly current: () => { readonly hooks: readonly Hook[]; readonly leftOut: readonly LeftOutHook[] };
  readonly fires: Fires;
  readonly whyNoAgents: Schedules["whyNoAgents"];
  /** Returns what was refused of a hook's deliveries. */
  readonly refusalsOf: (name: string) => Promise<HookRefusals | undefined>;
  readonly url: string;
}): ApiPart {
  const { current, fires, whyNoAgents, refusalsOf, url } = deps;

  async function list(): Promise<HookList> {
    const { hooks, leftOut } = current();
    const all = hooks.map(({ settings }) => settings);
    const standing = await fires.standingOf(
      "hook",
      all.map(({ name }) => name),
    );
    const wrong = await whyNoAgents(all.flatMap(({ agent }) => agent ?? []));
    const shown = all.map(async ({ name, title, owner, sign, agent, event, channel, cap }) => {
      const why = wrong.get(agent ?? "");
      const warnings = why === undefined ? undefined : [`${agent} ${why}`];
      const hook = { name, title, owner, url: `${url}/hooks/${name}`, sign, refused: await refusalsOf(name), warnings };
      if (event !== undefined) return { ...hook, event: event.name };
      const { used, last_fire } = standing(name);
      // Without what its sender wrote.
      return { ...hook, agent, channel, cap, used, last_fire: last_fire && { ...last_fire, text: undefined } };
    });
    return { hooks: await Promise.all(shown), left_out: leftOut.length === 0 ? undefined : [...leftOut] };
  }

  return serveApi("hook", { listHooks: list });
}

import { type ApiPart, ApiProblem, type AskedFor, invalidBody, serveApi } from "@crosszone/admin-api";
import {
  isAgentName,
  type NewSchedule,
  type ParamProblem,
  type ProblemKind,
  type Schedule,
  type ScheduleChange,
  type ScheduleSettings,
} from "@crosszone/contracts";
import { ownMember } from "@crosszone/service-kit/json";
import { authorChanger, type Changer, problemsInRequest, ScheduleRefusal } from "../../fires/changer.ts";
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

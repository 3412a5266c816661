import { type Author, authorAct, type NewAuditEvent } from "@crosszone/audit";
import type { Owner, ParamProblem, ScheduleSource } from "@crosszone/contracts";
import { inRequest } from "./schedule-settings.ts";

/** Who changes schedules, and where. */
export interface Changer {
  /** As in the audit log. */
  readonly name: string;
  readonly source: ScheduleSource;
  readonly act: (act: Parameters<typeof authorAct>[1]) => NewAuditEvent;
  /** The person whose schedules these are. Absent: all can be changed. */
  readonly owner?: Owner;
}

/** A person, for whom verification vouches. */
export function personChanger(owner: Owner): Changer {
  const { team_id: team, user_id: id } = owner;
  const actor = { type: "person", id, team } as const;
  const act: Changer["act"] = (done) => ({ ...done, outcome: "done", actor, surface: "slack", at: Date.now() });
  return { name: `person:${id}`, source: "slack", act, owner };
}

/** An author of the API, or a file. */
export const authorChanger = (author: Author, source: ScheduleSource): Changer => ({
  name: author.actor,
  source,
  act: (act) => authorAct(author, act),
});

/** Why a schedule was not changed. */
export class ScheduleRefusal extends Error {
  readonly kind: "not_found" | "exists" | "of_file" | "not_valid" | "cap" | "not_allowed";
  readonly problems: readonly ParamProblem[];

  constructor(kind: ScheduleRefusal["kind"], problem: ParamProblem | readonly ParamProblem[]) {
    const problems = [problem].flat();
    super(problems.map(({ message }) => message).join("; "));
    this.kind = kind;
    this.problems = problems;
  }
}

/** Returns the problems of settings by their pointers into a request that has them as its member `settings`. */
export const problemsInRequest = ({ kind, problems: found }: ScheduleRefusal): ParamProblem[] =>
  found.map((one) => (kind === "not_valid" ? inRequest(one) : one));

const problems = {
  not_found: { pointer: "/name", message: "is not the name of a schedule" },
  exists: { pointer: "/name", message: "is the name of another schedule: choose another" },
  of_file: { pointer: "/name", message: "is a schedule of the section schedules of EXECUTION_FILE: change it there" },
  not_allowed: { pointer: "/change", message: "needs its owner, who has not allowed what the schedule asks now" },
  cap: { pointer: "/change", message: "has no room left in its cap for today" },
} as const;

/** Returns the refusal of a change that names no member of the settings. */
export const refusal = (kind: keyof typeof problems): ScheduleRefusal => new ScheduleRefusal(kind, problems[kind]);

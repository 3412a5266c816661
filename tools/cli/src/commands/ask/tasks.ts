import type { TaskRecord } from "@crosszone/contracts";
import { shortId } from "@crosszone/service-kit/text";
import { listRow } from "../../program/row.ts";
import type { Session } from "../../program/session.ts";
import { shortDuration } from "../../text/terminal-text.ts";

export const tasksCommand = listRow({
  name: "tasks list",
  operation: "listTasks",
  summary: "Lists tasks, newest first. A task is the unit of work for one question.",
  options: { waiting: { flags: "--waiting", help: "only what waits for people" } },
  examples: [
    ["crosszone tasks list --state error", "the latest failed tasks, and why they failed"],
    ["crosszone tasks list --person Alice --since 10:30", "what a person asked this morning"],
    ["crosszone tasks list --agent counter --open", "the questions that wait for an agent, and whose they are"],
  ],
  ask: ({ values: { waiting } }) => (waiting === true ? { state: "input_required" } : {}),
  of: ({ tasks }) => tasks,
  columns: async (task, { asked, session }) => {
    // Who waits is worth a request for each.
    const isWaiting = asked["open"] === true || asked["state"] === "input_required";
    const [person] = isWaiting ? await peopleOf([task], session) : [];
    return {
      PERSON: person,
      TASK: shortId(task.task_id),
      AGENT: task.agent,
      STATE: task.state === "error" ? (task.error?.kind ?? task.state) : task.state,
      AGE: shortDuration(Date.now() - Date.parse(task.created_at)),
      REFERENCE: task.correlation_id,
    };
  },
  none: "No tasks.",
  names: { kind: "task", of: ({ task_id }) => task_id },
});

/** Returns who asked each task; empty for those whose requester is deleted or sealed. */
export const peopleOf = (tasks: readonly TaskRecord[], session: Session): Promise<readonly string[]> =>
  Promise.all(
    tasks.map(async (task) => {
      const requester = await requesterOf(task, session).catch(() => undefined);
      return requester?.name ?? requester?.id ?? "";
    }),
  );

/** Returns the id of a person or a program. For a name, the id of the person of that name who asked last; the text itself if there is none. */
export async function personIn(text: string, session: Session): Promise<string> {
  if (/^[UW][A-Z\d]{2,}$/.test(text) || text.includes(":")) return text;
  const { tasks: asked } = await session.api().call("listTasks", { person: text, limit: 1 });
  return (asked[0] && (await requesterOf(asked[0], session)).id) ?? text;
}

/** Returns who asked a task: the program, or the Slack id that verification reported or the open task has, and the name that is known for it. */
async function requesterOf(
  { task_id, caller, correlation_id: reference }: TaskRecord,
  { api }: Session,
): Promise<{ readonly id?: string | undefined; readonly name?: string | undefined }> {
  if (caller.includes(":")) return { id: caller };
  const { messages: found, names } = await api().call("listMessages", { reference, limit: 1 });
  const id = found[0]?.message.user_id ?? (await api().call("getTask", { task_id })).user_id;
  return { id, name: names?.[id ?? ""] };
}

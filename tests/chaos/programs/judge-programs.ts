import type { Subscription } from "./subscribe.ts";

/** A task as GetTask returns it. */
export interface TaskEnd {
  readonly id: string;
  readonly status: { readonly state: string };
  readonly artifacts?: readonly Artifact[];
}

interface Artifact {
  readonly artifactId: string;
  readonly parts: readonly { readonly text?: string }[];
}

interface Update {
  readonly artifactUpdate?: { readonly artifact: Artifact; readonly append?: boolean };
  readonly task?: TaskEnd;
}

interface Judged {
  /** By the number of the task. */
  readonly ends: readonly TaskEnd[];
  readonly seen: readonly Subscription[];
  readonly textOf: (number: number) => string;
}

/** Returns what is wrong: a task that did not end rightly, and a subscriber who missed, doubled or reordered an event. */
export function judgePrograms({ ends, seen, textOf }: Judged): string[] {
  const complaints: string[] = [];
  const longest = new Map<string, Subscription>();
  for (const one of seen)
    if (one.events.length > (longest.get(one.taskId)?.events.length ?? 0)) longest.set(one.taskId, one);
  for (const [number, end] of ends.entries()) {
    if (end.status.state !== "TASK_STATE_COMPLETED") complaints.push(`task ${number} is ${end.status.state}`);
    else if (textIn(end.artifacts) !== textOf(number)) complaints.push(`task ${number} has another text`);
  }
  const came = seen.filter(({ events }) => events.length > 0);
  const late = seen.length - came.length;
  if (late > seen.length / 5) complaints.push(`${late} subscribers came too late`);
  for (const [index, subscription] of came.entries()) {
    const number = ends.findIndex(({ id }) => id === subscription.taskId);
    const wrong = whatIsWrong(subscription, longest.get(subscription.taskId), textOf(number));
    if (wrong !== undefined) complaints.push(`subscriber ${index} of task ${number} ${wrong}`);
  }
  return complaints;
}

function whatIsWrong({ events }: Subscription, longest: Subscription | undefined, text: string): string | undefined {
  const [{ id: firstId } = { id: 0 }, ...rest] = events;
  if (rest.some(({ id }, at) => id <= (events[at]?.id ?? 0))) return "saw an event twice or out of order";
  // Every event after its first one, and no other, as the one who saw most.
  const expected = longest?.events.slice(1).filter(({ id }) => id > firstId) ?? [];
  const list = (all: readonly { readonly id: number; readonly result: string }[]): string =>
    JSON.stringify(all.map(({ id, result }) => [id, result]));
  if (list(rest) !== list(expected)) {
    const at = expected.findIndex((event, index) => list([event]) !== list(rest.slice(index, index + 1)));
    const ids = [rest, expected].map((all) =>
      all
        .slice(Math.max(0, at - 1), at + 2)
        .map(({ id }) => id)
        .join(" "),
    );
    return `saw ${rest.length} events (${ids[0]}), another ${expected.length} (${ids[1]})`;
  }
  return shownText(events.map(({ result }) => JSON.parse(result) as Update)) === text ? undefined : "saw another text";
}

/** Returns the text that a client shows that applies the events. */
function shownText(updates: readonly Update[]): string {
  let text = "";
  for (const { task, artifactUpdate } of updates) {
    if (task !== undefined) text = textIn(task.artifacts);
    if (artifactUpdate !== undefined) text = (artifactUpdate.append ? text : "") + textIn([artifactUpdate.artifact]);
  }
  return text;
}

const textIn = (artifacts: readonly Artifact[] = []): string =>
  artifacts.flatMap(({ parts }) => parts.map(({ text = "" }) => text)).join("");

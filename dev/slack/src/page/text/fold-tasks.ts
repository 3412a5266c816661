import type { Content } from "./content.ts";

/** Returns the contents with neighbouring task cards folded into one, as the display `dense` shows them. */
export function foldTasks(contents: readonly Content[]): Content[] {
  return contents.reduce<Content[]>((folded, content) => {
    const last = folded.at(-1);
    if (content.kind !== "task" || (last?.kind !== "task" && !(last?.kind === "plan" && last.isFolded)))
      return [...folded, content];
    const tasks = [...(last.kind === "task" ? [last.task] : last.tasks), content.task];
    return [...folded.slice(0, -1), { kind: "plan", title: `${tasks.length} steps`, tasks, isFolded: true }];
  }, []);
}

/** What is looked at: a step, and one of its instances. Without one it is the run itself. */
export interface Selection {
  readonly stepId: string;
  readonly path?: string;
}

/** The instance at a path. */
export function selectionOf(path: string): Selection {
  return { stepId: path.slice(path.lastIndexOf(".") + 1), path };
}

/** The selected step and one of its instances. Without a selection the panel shows the run. */
export interface Selection {
  readonly stepId: string;
  readonly path?: string;
}

/** Selects the instance at a path. */
export function selectionOf(path: string): Selection {
  return { stepId: path.slice(path.lastIndexOf(".") + 1), path };
}

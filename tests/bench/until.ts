/** How long to go on: for a time, until so many requests were answered, or until the first of both. */
export interface Until {
  ms?: number;
  requests?: number;
}

/** Starts the time, and tells from then on whether to go on after so many answered requests. */
export function goOn({ ms = Infinity, requests = Infinity }: Until): (answered: number) => boolean {
  const end = performance.now() + ms;
  return (answered) => answered < requests && performance.now() < end;
}

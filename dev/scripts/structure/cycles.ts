/** A directed graph: each node with the nodes that it points to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the groups of nodes that reach each other, sorted; a node alone is no group. Tarjan's algorithm, without recursion. */
export function findCycles(graph: Graph): string[][] {
  const number = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const enter = (node: string): Visit => {
    number.set(node, number.size);
    low.set(node, number.size - 1);
    open.push(node);
    return { node, rest: [...(graph.get(node) ?? [])] };
  };
  for (const start of graph.keys()) {
    if (number.has(start)) continue;
    const path = [enter(start)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const { node, rest } = visit;
      const next = rest.pop();
      if (next === undefined) leave(path);
      else if (!number.has(next)) path.push(enter(next));
      else if (open.includes(next)) lower(node, number.get(next) ?? 0);
    }
  }
  return cycles;

  function leave(path: Visit[]): void {
    const { node } = path.pop() as Visit;
    const parent = path.at(-1);
    if (parent !== undefined) lower(parent.node, low.get(node) ?? 0);
    if (low.get(node) !== number.get(node)) return;
    const group = open.splice(open.indexOf(node));
    if (group.length > 1) cycles.push(group.toSorted());
  }

  function lower(node: string, to: number): void {
    low.set(node, Math.min(low.get(node) ?? to, to));
  }
}

interface Visit {
  readonly node: string;
  readonly rest: string[];
}

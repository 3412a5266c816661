/** A directed graph: each node with the nodes that it points to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the groups of nodes that reach each other, sorted; a node alone is no group. */
export function findCycles(graph: Graph): string[][] {
  const reached = new Map([...graph.keys()].map((node) => [node, reachedFrom(graph, node)]));
  const groups = [...graph.keys()].map((node) =>
    [...(reached.get(node) ?? [])].filter((other) => reached.get(other)?.has(node)).toSorted(),
  );
  return [...new Map(groups.map((group) => [group.join(" "), group])).values()].filter(({ length }) => length > 1);
}

/** Returns the nodes at the ends of all paths that begin with an edge of a node. */
function reachedFrom(graph: Graph, start: string): Set<string> {
  const reached = new Set<string>();
  const rest = [start];
  for (let node = rest.pop(); node !== undefined; node = rest.pop())
    for (const next of graph.get(node) ?? []) {
      if (!reached.has(next)) rest.push(next);
      reached.add(next);
    }
  return reached;
}

const cardPath = /\/\.well-known\/agent(-card)?\.json$/;

export const isCardPath = (path: string): boolean => cardPath.test(new URL(path, "http://agent").pathname);

const ownMachine = /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/;

/** Replaces the agent's own address in the URLs of its card with the proxy's, so that callers stay on the proxy. */
export function rewriteCard(card: unknown, agent: URL, proxy: URL): unknown {
  if (Array.isArray(card)) return card.map((item) => rewriteCard(item, agent, proxy));
  if (typeof card !== "object" || card === null) return card;
  return Object.fromEntries(
    Object.entries(card).map(([name, value]) => [
      name,
      name === "url" && typeof value === "string" ? moved(value, agent, proxy) : rewriteCard(value, agent, proxy),
    ]),
  );
}

function moved(text: string, agent: URL, proxy: URL): string {
  const url = URL.parse(text, agent);
  if (url === null) return text;
  // A card often names another port than PORT, or a name of this machine.
  const isOwn = url.origin === agent.origin || (ownMachine.test(url.hostname) && ownMachine.test(agent.hostname));
  return isOwn ? `${proxy.origin}${url.pathname}${url.search}` : text;
}

import { registerHooks } from "node:module";

/**
 * The numbers with which verification keeps Slack's limits for a workspace. With 20 streams a minute, few answers would be streaming when
 * something breaks. The local Slack of a run has no such limits.
 */
const streamLimits = { streamPlaces: "300", placeMs: "360_000", restMs: "1_000", appendEveryMs: "20" };

/** For `--import`: execution's built-in agent also recites texts, and verification may stream many answers at the same time. */
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    const { url } = resolved;
    const isAgent = url.endsWith("/builtin-agent/src/builtin-agent.ts");
    if (!isAgent || context.parentURL?.includes("/reciting-agent.ts")) return resolved;
    return { ...resolved, url: new URL(`reciting-agent.ts?for=${url}`, import.meta.url).href };
  },
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith("/showing/streams/streams.ts")) return loaded;
    let source = Buffer.from((loaded.source ?? "") as string).toString();
    for (const [name, value] of Object.entries(streamLimits)) {
      const before = source;
      source = source.replace(new RegExp(`^((?:export )?const ${name} =).*;$`, "m"), `$1 ${value};`);
      if (source === before) throw new Error(`Expected ${url} to have the number ${name}.`);
    }
    return { ...loaded, source };
  },
});

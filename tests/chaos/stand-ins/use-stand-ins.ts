import { registerHooks } from "node:module";

const urlOf = (file: string): string => new URL(file, import.meta.url).href;

/**
 * For `--import`: replaces two modules of a zone. Execution's built-in agent also recites texts, and verification may stream many answers at the
 * same time.
 */
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    const { url } = resolved;
    if (url.endsWith("/streams/stream-limits.ts")) return { ...resolved, url: urlOf("many-streams.ts") };
    const isAgent = url.endsWith("/builtin-agent/src/builtin-agent.ts");
    if (!isAgent || context.parentURL?.includes("/reciting-agent.ts")) return resolved;
    return { ...resolved, url: urlOf(`reciting-agent.ts?for=${url}`) };
  },
});

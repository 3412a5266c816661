type Env = Readonly<Record<string, string | undefined>>;

/** Variables that the author's agent never needs: the credentials of zones and of Slack. */
const withheld = /^(CROSSZONE|AGENT_ADMIN|EXECUTION|SLACK)_/;

/** Returns an agent's environment: the author's without the credentials of Crosszone and Slack, and with `more`. */
export function childEnvironment(env: Env, more: Env): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !withheld.test(name));
  return { ...Object.fromEntries(kept), PYTHONUNBUFFERED: "1", ...more };
}

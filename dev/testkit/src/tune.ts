type Constants = Readonly<Record<string, number | string>>;

/** An environment in which a zone's constants have other values. Values that `env` gives in CROSSZONE_TUNING come first. */
export function tune(constants: Constants, env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const given = JSON.parse(env["CROSSZONE_TUNING"] ?? "{}") as Constants;
  return { ...env, CROSSZONE_TUNING: JSON.stringify({ ...constants, ...given }) };
}

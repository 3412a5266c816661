import { editDistance, isNearName } from "../values/text.ts";
import { type ConfigDefinition, constantsOf, type Environment, variablesOf } from "./definition.ts";

/** What to use instead of variables that are gone. */
const gone: readonly (readonly [names: RegExp, use: string])[] = [
  [/^(USER|CHANNEL|TEAM)_MESSAGES_PER_MINUTE$/, "MESSAGES_PER_MINUTE"],
  [/^AGENT_ADMIN_TOKENS$/, "ADMIN_TOKENS"],
  [/^(AGENT_|VERIFICATION_)?VIEW_TOKENS$/, "a token of `crosszone tokens create`"],
  [/^(ALLOWED_(TEAMS|CHANNELS|USERS)|ALLOW_(GUESTS|SHARED_CHANNELS)|FILE_TYPES)$/, "POLICY_FILE"],
  [/^MCP_(SERVERS|TOKENS|READ_ONLY|TIMEOUT(_MS)?)$/, "MCP_FILE"],
  [/^(AGENTCORE_(ACCOUNT_ID|QUALIFIER|REGION)|EXECUTION_(TRANSPORT|SESSION_QUERY))$/, "EXECUTION_URL"],
  [/^AGENTCORE_ENDPOINT$/, "AWS_ENDPOINT_URL_BEDROCK_AGENTCORE"],
  [/^EXECUTION_HMAC_SECRET$/, "EXECUTION_TOKEN"],
  [/^EXECUTION_(GOOGLE_AUDIENCE|ENTRA_SCOPE)$/, "EXECUTION_AUDIENCE"],
  [/^EXECUTION_AUTH$/, "CALLER_AUTH"],
  [/^EXECUTION_TLS_(CERT|KEY)_FILE$/, "TLS_$1_FILE"],
  [/^(EXECUTION_)?TLS_CA_FILE$/, "CALLER_TLS_CA_FILE"],
  [/^(EXECUTION_JWT_(ISSUER|AUDIENCE|JWKS)(_URL)?|CALLER_JWT_(JWKS)_URL)$/, "CALLER_JWT_$2$4"],
  [/^(CALLER_(JWT|TLS)_ALLOWED|EXECUTION_JWT_CALLERS|TLS_CLIENTS)$/, "CALLER_ALLOWED"],
  [/^KAFKA_(TLS|CA_FILE|CERT_FILE|KEY_FILE|SASL|USERNAME|PASSWORD)$/, "KAFKA_PROPERTIES_FILE"],
  [/^KAFKA_TOPIC_AGENT_(TASKS|RESULTS|CANCELLATIONS)$/, "KAFKA_TOPIC_PREFIX"],
  [/^(MAX_AGENT_CALLS|WORKFLOW_MAX_RUNNING)$/, "MAX_RUNNING_TASKS"],
  [/^(CONVERSATION_RETENTION(_MS)?|THREAD_RETENTION_DAYS)$/, "THREAD_RETENTION"],
  [/^(ANSWER_DEADLINE|TASK_DEADLINE|TASK_RETENTION)_MS$/, "$1"],
  [/^AGENT_FILES_URL$/, "EXECUTION_PUBLIC_URL"],
  [/^AGENT_CA_FILE$/, "NODE_EXTRA_CA_CERTS"],
  [/^(EXECUTION_(CLIENT|TLS)|TLS)_KEY_PASSPHRASE$/, "a key without a passphrase"],
];

/** Variables that are gone and have no other, besides those that are constants now. */
const goneForGood = /^(AGENTS_FILE_FOLLOW|CALLER_JWT_ALGORITHMS|KAFKA_(CREATE_TOPICS|REPLICAS)|STREAM_ANSWERS)$/;

/** Returns a sentence for each variable that has no effect: misspelled, gone, fixed, or a file of what is no secret. */
export function oddNames(definition: ConfigDefinition, env: Environment): string[] {
  const known = new Set(
    variablesOf(definition).flatMap(([name, { secret }]) => (secret ? [name, `${name}_FILE`] : name)),
  );
  // Those that are texts are names of hosts, which platforms set.
  const constants = constantsOf(definition).flatMap(([name, { constant }]) => (Number(constant) ? name : []));
  return Object.keys(env).flatMap((name) => {
    if (!env[name] || known.has(name)) return [];
    const owner = name.replace(/_FILE$/, "");
    if (known.has(owner)) return `${name} has no effect: only a secret can come from a file. Set ${owner}.`;
    const use = gone.find(([names]) => names.test(name));
    if (use !== undefined) return `${name} is gone. Use ${name.replace(...use)}.`;
    const isFixed =
      [name, `${name}_MS`, `MAX_${name}`].some((one) => constants.includes(one)) || goneForGood.test(name);
    if (isFixed) return `${name} has no effect: its value is fixed. Remove it.`;
    const near = [...known].find((one) => isSlipOf(name.toUpperCase(), one));
    return near === undefined ? [] : `${name} is not a known variable. Did you mean ${near}?`;
  });
}

/** Returns true for two edits at most, one in a short word: two make another word of it, such as USER of URL. */
function isSlipOf(name: string, known: string): boolean {
  // Other programs have MODE.
  if (name === "MODE" || !isNearName(name, known, 8)) return false;
  const [words, given] = [known.split("_"), name.split("_")];
  return (
    words.length !== given.length ||
    words.every((word, at) => word.length > 4 || editDistance(given[at] ?? "", word) < 2)
  );
}

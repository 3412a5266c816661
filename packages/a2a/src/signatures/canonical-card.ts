import { isObject, type JsonObject, memberOf } from "../check.ts";

/** Returns the value of a member as it is signed; undefined leaves the member out. */
type Prune = (value: unknown) => unknown;

/** A member that is required or has the keyword `optional`: signed whenever the card has it, also when it is empty. */
const kept: Prune = (value) => value;

const isEmpty = (value: unknown): boolean =>
  value === "" || value === false || (typeof value === "object" && value !== null && Object.keys(value).length === 0);

/** Any other member: signed unless it has its default value. */
const filled: Prune = (value) => (isEmpty(value) ? undefined : value);

const message =
  (members: Readonly<Record<string, Prune>>): Prune =>
  (value) =>
    isObject(value) ? withMembers(Object.keys(members), (name) => members[name]?.(memberOf(value, name))) : value;

const list =
  (item: Prune): Prune =>
  (value) =>
    Array.isArray(value) ? value.map(item) : value;

const map =
  (item: Prune): Prune =>
  (value) =>
    isObject(value) ? withMembers(Object.keys(value), (name) => item(value[name])) : value;

const withMembers = (names: readonly string[], valueOf: (name: string) => unknown): JsonObject =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)]).filter(([, value]) => value !== undefined));

const unlessEmpty =
  (prune: Prune): Prune =>
  (value) =>
    filled(prune(value));

const requirements = unlessEmpty(list(message({ schemes: unlessEmpty(map(message({ list: filled }))) })));
const oldFlow = message({ authorizationUrl: filled, tokenUrl: filled, refreshUrl: filled, scopes: filled });
const flow = { tokenUrl: kept, refreshUrl: filled, scopes: kept };
const flows = message({
  authorizationCode: message({ ...flow, authorizationUrl: kept, pkceRequired: filled }),
  clientCredentials: message(flow),
  deviceCode: message({ ...flow, deviceAuthorizationUrl: kept }),
  implicit: oldFlow,
  password: oldFlow,
});
const securityScheme = message({
  apiKeySecurityScheme: message({ description: filled, location: kept, name: kept }),
  httpAuthSecurityScheme: message({ description: filled, scheme: kept, bearerFormat: filled }),
  oauth2SecurityScheme: message({ description: filled, flows, oauth2MetadataUrl: filled }),
  openIdConnectSecurityScheme: message({ description: filled, openIdConnectUrl: kept }),
  mtlsSecurityScheme: message({ description: filled }),
});
const extension = message({ uri: filled, description: filled, required: filled, params: kept });
const skill = message({
  id: kept,
  name: kept,
  description: kept,
  tags: kept,
  examples: filled,
  inputModes: filled,
  outputModes: filled,
  securityRequirements: requirements,
});

/** The agent card of A2A 1.0. https://github.com/a2aproject/A2A/blob/v1.0.1/specification/a2a.proto */
const cardV1 = message({
  name: kept,
  description: kept,
  supportedInterfaces: list(message({ url: kept, protocolBinding: kept, protocolVersion: kept, tenant: filled })),
  provider: message({ url: kept, organization: kept }),
  version: kept,
  documentationUrl: kept,
  capabilities: message({
    streaming: kept,
    pushNotifications: kept,
    extendedAgentCard: kept,
    extensions: unlessEmpty(list(extension)),
  }),
  securitySchemes: unlessEmpty(map(securityScheme)),
  securityRequirements: requirements,
  defaultInputModes: kept,
  defaultOutputModes: kept,
  skills: list(skill),
  iconUrl: kept,
});

/**
 * Returns the part of a card that is signed, before it becomes text: without `signatures`, members of default value and members that A2A 1.0
 * does not have. Of a card for 0.3 alone that is everything but `signatures`.
 * https://a2a-protocol.org/v1.0.0/specification/#841-canonicalization-requirements
 */
export function canonicalCard(card: JsonObject): JsonObject {
  if (Object.hasOwn(card, "supportedInterfaces")) return cardV1(card) as JsonObject;
  const { signatures: _signatures, ...others } = card;
  return others;
}

/**
 * Returns the forms of a card that can be signed: that of the specification, that of SDKs, which leave out all that is empty, and that of the
 * SDK 1.3.0 for JavaScript, which loses the security schemes as well.
 */
export function signedForms(card: JsonObject): readonly JsonObject[] {
  const form = canonicalCard(card);
  const { securitySchemes: _securitySchemes, ...others } = form;
  return [form, ...[form, others].map((each) => (withoutEmpty(each) ?? {}) as JsonObject)];
}

function withoutEmpty(value: unknown): unknown {
  if (value === false) return value;
  if (Array.isArray(value)) return filled(value.map(withoutEmpty).filter((item) => item !== undefined));
  if (isObject(value)) return unlessEmpty(map(withoutEmpty))(value);
  return value === null ? undefined : filled(value);
}

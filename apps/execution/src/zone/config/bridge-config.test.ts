import { tempFile } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { loadExecutionConfig, readKafkaProperties } from "./config.ts";
import { configProblems } from "../../testing/config-problems.ts";

test("a process has all roles unless ROLES names some", () => {
  expect(loadExecutionConfig({}).values.EXECUTION_ROLES).toEqual(["rpc", "bridge", "workflow"]);
  expect(loadExecutionConfig({ EXECUTION_ROLES: "bridge" }).values.EXECUTION_ROLES).toEqual(["bridge"]);
  expect(configProblems({ EXECUTION_ROLES: "," })).toEqual(["EXECUTION_ROLES"]);
});

test("an unknown role is refused with the names of the known roles", () => {
  expect(() => loadExecutionConfig({ EXECUTION_ROLES: "rpc,worker" })).toThrow(
    /EXECUTION_ROLES[^]*rpc, bridge or workflow/,
  );
});

test("B24: a registry token is long enough to resist guessing, and is never shown", () => {
  const short = { ADMIN_TOKENS: "0123456789abcdef0123456789abcdef,guessable" };
  expect(configProblems(short)).toEqual(["ADMIN_TOKENS"]);
  expect(() => loadExecutionConfig(short)).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining("guessable") as string }),
  );
});

test("an allowed origin that matches nothing or everything is reported at the start", () => {
  const good = "https://agents.example.com, http://127.0.0.1:8090,*.example.com";
  expect(configProblems({ AGENT_ORIGINS: good })).toEqual([]);
  for (const bad of ["*", "*.com", "https://agents.example.com/a2a", "ftp://agents.example.com"])
    expect(configProblems({ AGENT_ORIGINS: `${good},${bad}` })).toEqual(["AGENT_ORIGINS"]);
});

test("a secret binding that can't be parsed stops the start, and the error does not repeat the possible secret", () => {
  const good = "env:AGENT_SECRET_A=https://agents.example.com, file:scout=*.example.com";
  expect(configProblems({ AGENT_SECRETS_ORIGINS: good })).toEqual([]);
  for (const bad of ["hunter2=https://a.example.com", "env:AGENT_SECRET_A", "env:DATABASE_URL=https://a.example.com"]) {
    const env = { AGENT_SECRETS_ORIGINS: `${good},${bad}` };
    expect(configProblems(env)).toEqual(["AGENT_SECRETS_ORIGINS"]);
    expect(() => loadExecutionConfig(env)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("hunter2") as string }),
    );
  }
});

const brokers = { KAFKA_BROKERS: "kafka-1.example.com:9093" };
const login = "sasl.username=crosszone\nsasl.password=secret";
const scram = "sasl.mechanism=SCRAM-SHA-512";
const properties = (...lines: string[]) => {
  const KAFKA_PROPERTIES_FILE = tempFile("kafka.properties", lines.join("\n"));
  return { ...brokers, KAFKA_PROPERTIES_FILE };
};

const cases: [what: string, env: Record<string, string>, wrong: string[]][] = [
  ["none", {}, []],
  ["on this machine", { KAFKA_BROKERS: "127.0.0.1:9092,[::1]:9092,localhost:9092" }, []],
  ["no broker", { KAFKA_BROKERS: "," }, ["KAFKA_BROKERS"]],
  ["a broker without a port", { KAFKA_BROKERS: "kafka-1.example.com" }, ["KAFKA_BROKERS"]],
  ["a broker as a URL", { KAFKA_BROKERS: "http://kafka-1:9092" }, ["KAFKA_BROKERS"]],
  ["an invalid prefix of topics", { ...brokers, KAFKA_TOPIC_PREFIX: "my topics" }, ["KAFKA_TOPIC_PREFIX"]],
];

test.each(cases)("the connection to Kafka: %s", (_what, env, wrong) => {
  expect(configProblems(env)).toEqual(wrong);
});

const files: [what: string, lines: string[], wrong: RegExp][] = [
  ["a password without a user", ["security.protocol=SASL_SSL", scram], /requires sasl\.mechanism, sasl\.username/],
  ["an unencrypted password", ["security.protocol=SASL_PLAINTEXT", "sasl.mechanism=PLAIN", login], /unencrypted/],
  ["a login without SASL", ["security.protocol=SSL", scram, login], /keys sasl\.\*/],
  ["an authority without TLS", ["security.protocol=PLAINTEXT", "ssl.ca.location=/ca"], /keys ssl\.\*/],
  ["a certificate without its key", ["security.protocol=SSL", "ssl.certificate.location=/c"], /require each other/],
  ["an authority without a certificate", ["security.protocol=SSL", `ssl.ca.location=${import.meta.filename}`], /PEM/],
  ["an authority that is not there", ["security.protocol=SSL", "ssl.ca.location=/none"], /ENOENT/],
  [
    "a misspelled key",
    ["security.protocol=SASL_SSL", "sasl.usrname=a"],
    /sasl\.usrname: did you mean sasl\.username\?/,
  ],
  ["a Java store", ["security.protocol=SSL", "ssl.truststore.location=/a"], /PEM, and write ssl\.ca\.location/],
  ["a login of another kind", ["security.protocol=SASL_SSL", "sasl.mechanism=OAUTHBEARER"], /"PLAIN"\|"SCRAM-SHA-256"/],
  ["other brokers", ["security.protocol=SSL", "bootstrap.servers=a:1"], /names other brokers than KAFKA_BROKERS/],
  ["no protocol", [], /security\.protocol/],
  ["a line that is none", ["security.protocol=SSL", "secret"], /line 2 is not key=value/],
];

test.each([
  ["a comment and TLS", ["# ours", "", "security.protocol = ssl"]],
  ["a user and a password", ["security.protocol=SASL_PLAINTEXT", scram, login]],
  ["a password over TLS", ["security.protocol=SASL_SSL", "sasl.mechanism=PLAIN", login]],
])("the properties of Kafka can be %s", (_what, lines) => {
  expect(configProblems(properties(...lines))).toEqual([]);
});

const servicePrints = `bootstrap.servers=SASL_SSL://kafka-1.example.com:9093
security.protocol=SASL_SSL
sasl.mechanisms=PLAIN
sasl.username=key
sasl.password=secret
session.timeout.ms=45000
client.id=app`;
const jaas = (module: string) => `org.apache.kafka.common.security.${module} required \\
  username='key' password="se\\"cret=";`;

test.each([
  ["Confluent prints for librdkafka", servicePrints, "PLAIN", "secret"],
  [
    "Confluent prints for Java",
    `security.protocol: SASL_SSL\nsasl.mechanism=PLAIN\nclient.dns.lookup=use_all_dns_ips\nsasl.jaas.config=${jaas("plain.PlainLoginModule")}`,
    "PLAIN",
    'se"cret=',
  ],
  [
    "people type",
    `security.protocol=sasl_ssl\nsasl.mechanism=scram-sha-512\nssl.endpoint.identification.algorithm=https\nsasl.jaas.config=${jaas("scram.ScramLoginModule")}`,
    "SCRAM-SHA-512",
    'se"cret=',
  ],
])("O23: what %s is taken", (_who, text, ...[mechanism, password]) => {
  const env = properties(text);
  expect(configProblems(env)).toEqual([]);
  expect(readKafkaProperties(env.KAFKA_PROPERTIES_FILE)).toMatchObject({
    tls: {},
    sasl: { mechanism, username: "key", password },
  });
});

test("O23: properties without KAFKA_BROKERS do not leave Kafka off in silence", () => {
  const { KAFKA_PROPERTIES_FILE } = properties(servicePrints);
  expect(() => loadExecutionConfig({ KAFKA_PROPERTIES_FILE })).toThrow(
    /KAFKA_BROKERS is not set, but KAFKA_PROPERTIES_FILE is/,
  );
});

test.each(files)("the properties of Kafka cannot be %s", (_what, lines, wrong) => {
  const env = properties(...lines);
  const load = () => loadExecutionConfig(env);
  expect(load).toThrow(wrong);
  expect(load).toThrow(expect.objectContaining({ message: expect.not.stringMatching(/=secret|"secret"/) as string }));
  expect(configProblems(env)).toEqual(["KAFKA_PROPERTIES_FILE"]);
});

test("an unencrypted connection to the brokers logs a warning", () => {
  expect(loadExecutionConfig(brokers).warnings).toEqual([expect.stringContaining("unencrypted")]);
  expect(loadExecutionConfig(properties("security.protocol=SSL")).warnings).toEqual([]);
  expect(loadExecutionConfig({ KAFKA_BROKERS: "127.0.0.1:9092" }).warnings).toEqual([]);
});

import type { ConnectionOptions as TlsOptions } from "node:tls";
import type { BaseOptions } from "@platformatic/kafka";

/** Connection settings of a Kafka cluster. */
export interface KafkaSettings {
  /** `host:port` of some brokers; they name the others. */
  readonly brokers: readonly string[];
  /** The client's name in the brokers' logs and quotas. */
  readonly clientId: string;
  /** TLS: `true` trusts Node's certificate authorities; PEM texts replace them. */
  readonly tls?: boolean | KafkaTls;
  readonly sasl?: KafkaLogin;
}

/** Certificates and a key, as PEM text. */
export interface KafkaTls {
  /** Certificate authorities that replace Node's. */
  readonly ca?: string;
  /** The client's certificate and key, if brokers require one. */
  readonly cert?: string;
  readonly key?: string;
}

/** SASL. `PLAIN` sends the password unencrypted and requires TLS. https://kafka.apache.org/41/documentation/#security_sasl */
export type KafkaLogin =
  | {
      readonly mechanism: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512";
      readonly username: string;
      readonly password: string;
    }
  /** Called for each connection. */
  | { readonly mechanism: "OAUTHBEARER"; readonly token: () => string | Promise<string> };

/** Returns the options of the library's clients. Throws a `TypeError` for settings that would leak a secret or have no broker. */
export function clientOptions({ brokers, clientId, tls = false, sasl }: KafkaSettings): BaseOptions {
  if (brokers.length === 0) throw new TypeError("Kafka needs at least one broker, as host:port");
  if (sasl?.mechanism === "PLAIN" && tls === false && !brokers.every(isLoopback))
    throw new TypeError("SASL PLAIN sends the password unencrypted: turn on TLS for Kafka, or use SCRAM-SHA-512");
  return {
    clientId,
    bootstrapBrokers: [...brokers],
    connectTimeout: 5_000,
    retryDelay: 250,
    ...(tls !== false && { tls: tlsOptions(tls) }),
    ...(sasl !== undefined && { sasl }),
  };
}

const tlsOptions = (tls: true | KafkaTls): TlsOptions => ({ minVersion: "TLSv1.2", ...(tls !== true && tls) });

const isLoopback = (broker: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(broker);

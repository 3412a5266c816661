import type { ConnectionOptions as TlsOptions } from "node:tls";
import type { BaseOptions } from "@platformatic/kafka";

/** How a bus comes to its brokers. */
export interface KafkaSettings {
  /** `host:port`, some of the cluster's brokers; those name the others. */
  readonly brokers: readonly string[];
  /** What brokers call this client in logs and quotas. */
  readonly clientId: string;
  /** TLS: `true` trusts the authorities that Node trusts; PEM texts say otherwise. */
  readonly tls?: boolean | KafkaTls;
  readonly sasl?: KafkaLogin;
}

/** Certificates and a key, as PEM text. */
export interface KafkaTls {
  /** Whom to trust instead of those that Node trusts. */
  readonly ca?: string;
  /** The client's own certificate and key, where brokers ask for one. */
  readonly cert?: string;
  readonly key?: string;
}

/** SASL. A password in clear, `PLAIN`, needs TLS. https://kafka.apache.org/41/documentation/#security_sasl */
export type KafkaLogin =
  | {
      readonly mechanism: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512";
      readonly username: string;
      readonly password: string;
    }
  /** The token is asked for at each connection. */
  | { readonly mechanism: "OAUTHBEARER"; readonly token: () => string | Promise<string> };

/** What each client of the library is given. Throws a `TypeError` for settings that would give a secret away, or reach nothing. */
export function clientOptions({ brokers, clientId, tls = false, sasl }: KafkaSettings): BaseOptions {
  if (brokers.length === 0) throw new TypeError("Kafka needs at least one broker, as host:port");
  if (sasl?.mechanism === "PLAIN" && tls === false && !brokers.every(isLoopback))
    throw new TypeError("SASL PLAIN sends the password in clear: turn TLS on for Kafka, or use SCRAM-SHA-512");
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

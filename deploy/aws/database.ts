import { Duration, Fn, RemovalPolicy, SecretValue } from "aws-cdk-lib";
import { InstanceClass, InstanceSize, InstanceType, type IVpc, SubnetType } from "aws-cdk-lib/aws-ec2";
import { Credentials, DatabaseInstance, DatabaseInstanceEngine, PostgresEngineVersion } from "aws-cdk-lib/aws-rds";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { verification } from "./names.ts";

const user = "crosszone";

/** PostgreSQL of the verification zone, in subnets without a way out, and the secret that holds its URL. */
export class Database extends Construct {
  readonly instance: DatabaseInstance;
  /** Its whole text is the URL. */
  readonly url: Secret;

  constructor(scope: Construct, id: string, { vpc }: { readonly vpc: IVpc }) {
    super(scope, id);
    const login = new Secret(this, "Login", {
      secretName: `${verification.secrets}database-login`,
      generateSecretString: {
        // Part of a URL: letters and digits need no encoding.
        excludePunctuation: true,
        passwordLength: 32,
        secretStringTemplate: JSON.stringify({ username: user }),
        generateStringKey: "password",
      },
    });
    this.instance = new DatabaseInstance(this, "Instance", {
      engine: DatabaseInstanceEngine.postgres({ version: PostgresEngineVersion.VER_17_9 }),
      instanceType: InstanceType.of(InstanceClass.T4G, InstanceSize.MICRO),
      vpc,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED },
      credentials: Credentials.fromSecret(login, user),
      databaseName: user,
      storageEncrypted: true,
      backupRetention: Duration.days(7),
      deletionProtection: true,
      removalPolicy: RemovalPolicy.SNAPSHOT,
    });
    const password = login.secretValueFromJson("password").unsafeUnwrap();
    const { dbInstanceEndpointAddress: host, dbInstanceEndpointPort: port } = this.instance;
    // no-verify encrypts: the image does not have the certificate authority of RDS, and the connection stays in the VPC.
    const url = ["postgresql://", user, ":", password, "@", host, ":", port, "/", user, "?sslmode=no-verify"];
    this.url = new Secret(this, "Url", {
      secretName: `${verification.secrets}database-url`,
      secretStringValue: SecretValue.unsafePlainText(Fn.join("", url)),
    });
  }
}

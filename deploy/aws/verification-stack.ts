import { Duration, RemovalPolicy, Stack, type StackProps, Fn, SecretValue } from "aws-cdk-lib";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
  InstanceClass,
  InstanceSize,
  InstanceType,
  type IVpc,
} from "aws-cdk-lib/aws-ec2";
import { Cluster, FargateService } from "aws-cdk-lib/aws-ecs";
import { ApplicationLoadBalancer, ApplicationProtocol, SslPolicy } from "aws-cdk-lib/aws-elasticloadbalancingv2";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Credentials, DatabaseInstance, DatabaseInstanceEngine, PostgresEngineVersion } from "aws-cdk-lib/aws-rds";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { verification } from "./names.ts";
import { addOutput, textParameter } from "./parameters.ts";
import { listeningPort, verificationTask } from "./verification-task.ts";

/** The verification zone: a Fargate service behind a load balancer that speaks HTTPS only, with a PostgreSQL of its own. */
export class VerificationStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const vpc = new Vpc(this, "Vpc", {
      maxAzs: 2,
      natGateways: 1,
      subnetConfiguration: [
        { name: "public", subnetType: SubnetType.PUBLIC },
        { name: "tasks", subnetType: SubnetType.PRIVATE_WITH_EGRESS },
        { name: "database", subnetType: SubnetType.PRIVATE_ISOLATED },
      ],
    });
    const database = new Database(this, "Database", { vpc });
    const logGroup = new LogGroup(this, "Logs", {
      logGroupName: "/crosszone/verification",
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const securityGroup = new SecurityGroup(this, "Tasks", { vpc, allowAllOutbound: false });
    securityGroup.addEgressRule(Peer.anyIpv4(), Port.tcp(443), "Slack and the APIs of AWS");
    database.instance.connections.allowDefaultPortFrom(securityGroup);

    const service = new FargateService(this, "Service", {
      cluster: new Cluster(this, "Cluster", { clusterName: verification.cluster, vpc }),
      serviceName: verification.service,
      taskDefinition: verificationTask(this, { databaseUrl: database.url, logGroup }),
      desiredCount: 2,
      minHealthyPercent: 100,
      maxHealthyPercent: 200,
      circuitBreaker: { enable: true, rollback: true },
      healthCheckGracePeriod: Duration.seconds(60),
      vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      securityGroups: [securityGroup],
    });
    this.#listen(vpc, service);
  }

  #listen(vpc: Vpc, service: FargateService): void {
    const certificateArn = textParameter(this, "CertificateArn", {
      description: "ARN of the certificate in AWS Certificate Manager for the name that Slack calls, in this region",
      pattern: String.raw`^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate/[\w-]+$`,
    }).valueAsString;
    const balancer = new ApplicationLoadBalancer(this, "Balancer", {
      vpc,
      internetFacing: true,
      dropInvalidHeaderFields: true,
    });
    balancer
      .addListener("Https", {
        port: 443,
        protocol: ApplicationProtocol.HTTPS,
        sslPolicy: SslPolicy.RECOMMENDED_TLS,
        certificates: [Certificate.fromCertificateArn(this, "Certificate", certificateArn)],
      })
      .addTargets("Service", {
        port: listeningPort,
        protocol: ApplicationProtocol.HTTP,
        targets: [service],
        deregistrationDelay: Duration.seconds(30),
        // Ready: Slack accepts the token and the database answers. Ten failures in a row: a short outage replaces no task.
        healthCheck: { path: "/readyz", interval: Duration.seconds(15), unhealthyThresholdCount: 10 },
      });
    addOutput(this, "LoadBalancerName", balancer.loadBalancerDnsName);
  }
}

const user = "crosszone";

/** PostgreSQL of the verification zone, in subnets without a way out, and the secret that holds its URL. */
class Database extends Construct {
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

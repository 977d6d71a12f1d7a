package dev.abacus.deploy.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.abacus.schemas.access.RequiredAcl;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;

/**
 * A broker in this JVM with SASL/PLAIN over TLS, and ACLs. {@code admin} may do everything.
 * Remembers the operations that users were allowed.
 */
public final class SecuredKafka implements AutoCloseable {

  /** The super user. */
  public static final String ADMIN = "admin";

  private final KafkaRaftServer server;
  private final DataFolder data;
  private final String bootstrapServers;
  private final Certificates certificates;
  private final Admin admin;

  /** An operation that a user was allowed on a resource. */
  public record Use(String user, AclOperation operation, ResourcePattern resource) {}

  /** Kafka's authorizer, which also remembers what it allows. */
  public static final class RememberingAuthorizer extends StandardAuthorizer {
    private static final Set<Use> USES = ConcurrentHashMap.newKeySet();

    @Override
    public List<AuthorizationResult> authorize(
        AuthorizableRequestContext context, List<Action> actions) {
      List<AuthorizationResult> results = super.authorize(context, actions);
      for (int i = 0; i < actions.size(); i++) {
        Action action = actions.get(i);
        // A question for the authorized operations of a resource is not logged, and no use.
        if (results.get(i) == AuthorizationResult.ALLOWED && action.logIfAllowed()) {
          USES.add(
              new Use(context.principal().getName(), action.operation(), action.resourcePattern()));
        }
      }
      return results;
    }
  }

  private SecuredKafka(
      KafkaRaftServer server, DataFolder data, String bootstrapServers, Certificates certificates) {
    this.server = server;
    this.data = data;
    this.bootstrapServers = bootstrapServers;
    this.certificates = certificates;
    this.admin = Admin.create(Map.copyOf(properties(ADMIN)));
  }

  /**
   * Two certificates of 127.0.0.1, which the broker uses one after the other.
   *
   * @param keys a key store for each
   * @param trusted the trust store of clients, with both
   */
  private record Certificates(List<Path> keys, Path trusted) {

    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "broker";

    static Certificates create(Path folder) {
      Certificates certificates =
          new Certificates(
              List.of(folder.resolve("keys-1.p12"), folder.resolve("keys-2.p12")),
              folder.resolve("trusted.p12"));
      try {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        for (Path keys : certificates.keys) {
          generate(keys);
          trusted.setCertificateEntry(keys.getFileName().toString(), certificate(keys));
        }
        try (OutputStream file = Files.newOutputStream(certificates.trusted)) {
          trusted.store(file, PASSWORD.toCharArray());
        }
        return certificates;
      } catch (GeneralSecurityException | IOException | InterruptedException e) {
        throw new IllegalStateException("cannot create certificates", e);
      }
    }

    private static void generate(Path keys) throws IOException, InterruptedException {
      List<String> command =
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
              "-genkeypair",
              "-keyalg",
              "EC",
              "-alias",
              ALIAS,
              "-dname",
              "CN=broker",
              "-ext",
              "san=ip:127.0.0.1",
              "-keystore",
              keys.toString(),
              "-storepass",
              PASSWORD);
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException(output);
      }
    }

    private static Certificate certificate(Path keys) throws GeneralSecurityException, IOException {
      return KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray()).getCertificate(ALIAS);
    }

    Map<String, String> clientProperties() {
      return Map.of(
          "ssl.truststore.location", trusted.toString(), "ssl.truststore.password", PASSWORD);
    }

    /** The settings of the broker with the first or the second certificate. */
    Map<String, String> brokerProperties(int number) {
      return Map.of(
          "listener.name.sasl_ssl.ssl.keystore.location",
          keys.get(number).toString(),
          "listener.name.sasl_ssl.ssl.keystore.password",
          PASSWORD);
    }

    /** The certificate that a broker shows. */
    Certificate shown(int port) throws GeneralSecurityException, IOException {
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(KeyStore.getInstance(trusted.toFile(), PASSWORD.toCharArray()));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      try (SSLSocket socket =
          (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
        socket.startHandshake();
        return socket.getSession().getPeerCertificates()[0];
      }
    }
  }

  /** Starts a broker that knows these users besides the super user. */
  public static SecuredKafka start(List<String> users) {
    List<Integer> ports = Ports.free(2);
    DataFolder data = DataFolder.of(null, "secured-kafka");
    BrokerSettings settings =
        new BrokerSettings(1, List.of(ports.getFirst()), List.of(ports.getLast()), data.path());
    settings.format(Map.of());
    Properties properties = settings.properties();
    properties.put(
        "listeners",
        "SASL_SSL://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
            .formatted(ports.getFirst(), ports.getLast()));
    properties.put("advertised.listeners", "SASL_SSL://127.0.0.1:" + ports.getFirst());
    properties.put("listener.security.protocol.map", "SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT");
    properties.put("inter.broker.listener.name", "SASL_SSL");
    properties.put("sasl.enabled.mechanisms", "PLAIN");
    properties.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
    properties.put(
        "listener.name.sasl_ssl.plain.sasl.jaas.config",
        Stream.concat(Stream.of(ADMIN), users.stream())
            .map(user -> "user_%s=\"%s\"".formatted(user, password(user)))
            .collect(Collectors.joining(" ", jaas(ADMIN).replace(";", " "), ";")));
    properties.put("authorizer.class.name", RememberingAuthorizer.class.getName());
    properties.put("super.users", "User:admin;User:ANONYMOUS");
    Certificates certificates = Certificates.create(data.path());
    properties.putAll(certificates.brokerProperties(0));
    properties.putAll(certificates.clientProperties());
    KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
    server.startup();
    return new SecuredKafka(server, data, "127.0.0.1:" + ports.getFirst(), certificates);
  }

  private static String jaas(String user) {
    return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\";"
        .formatted(user, password(user));
  }

  private static String password(String user) {
    return "secret-of-" + user.hashCode();
  }

  /** The client properties of a user. */
  public Map<String, String> properties(String user) {
    Map<String, String> properties = new HashMap<>(certificates.clientProperties());
    properties.put("bootstrap.servers", bootstrapServers);
    properties.put("security.protocol", "SASL_SSL");
    properties.put("sasl.mechanism", "PLAIN");
    properties.put("sasl.jaas.config", jaas(user));
    return properties;
  }

  /** An admin client of the super user. */
  public Admin admin() {
    return admin;
  }

  /** Gives the broker another certificate while it runs. */
  public void rotateCertificate() throws Exception {
    List<AlterConfigOp> changes =
        certificates.brokerProperties(1).entrySet().stream()
            .map(setting ->
                new AlterConfigOp(
                    new ConfigEntry(setting.getKey(), setting.getValue()),
                    AlterConfigOp.OpType.SET))
            .toList();
    ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
    admin.incrementalAlterConfigs(Map.of(broker, changes)).all().get();
  }

  /** Whether new connections see the second certificate. */
  public boolean showsRotatedCertificate() {
    int port = Integer.parseInt(bootstrapServers.substring(bootstrapServers.indexOf(':') + 1));
    try {
      return certificates.shown(port).equals(Certificates.certificate(certificates.keys.getLast()));
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Grants operations. */
  public void grant(String user, Collection<RequiredAcl> acls) throws Exception {
    for (RequiredAcl acl : acls) {
      grant(user, acl, acl.operations());
    }
  }

  /** Grants some operations on the resource of an ACL. */
  public void grant(String user, RequiredAcl acl, Set<AclOperation> operations) throws Exception {
    List<AclBinding> bindings =
        operations.stream()
            .map(operation -> new AclBinding(acl.resource(), entry(user, operation)))
            .toList();
    admin.createAcls(bindings).all().get();
  }

  /** Takes an operation away. */
  public void revoke(String user, RequiredAcl acl, AclOperation operation) throws Exception {
    AclBinding binding = new AclBinding(acl.resource(), entry(user, operation));
    admin.deleteAcls(List.of(binding.toFilter())).all().get();
  }

  /** The ACLs of all users. */
  public Collection<AclBinding> acls() throws Exception {
    return admin.describeAcls(AclBindingFilter.ANY).values().get();
  }

  private static AccessControlEntry entry(String user, AclOperation operation) {
    return new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW);
  }

  /** The operations of an ACL that a user has made use of. */
  public Set<AclOperation> used(String user, RequiredAcl acl) {
    Set<AclOperation> used = EnumSet.noneOf(AclOperation.class);
    RememberingAuthorizer.USES.stream()
        .filter(use -> use.user().equals(user))
        .filter(use -> use.resource().resourceType() == acl.resource().resourceType())
        .filter(use ->
            acl.resource().patternType() == PatternType.PREFIXED
                ? use.resource().name().startsWith(acl.resource().name())
                : use.resource().name().equals(acl.resource().name()))
        .forEach(use -> used.add(use.operation()));
    return used;
  }

  /** What users were allowed so far. */
  public List<Use> uses() {
    return new ArrayList<>(RememberingAuthorizer.USES);
  }

  @Override
  public void close() {
    admin.close();
    server.shutdown();
    server.awaitShutdown();
    data.close();
  }
}

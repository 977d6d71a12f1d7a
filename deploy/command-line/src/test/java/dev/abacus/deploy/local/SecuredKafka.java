package dev.abacus.deploy.local;

import dev.abacus.schemas.access.RequiredAcl;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;

/**
 * A broker in this JVM with SASL/PLAIN and ACLs. {@code admin} may do everything. Remembers the
 * operations that users were allowed.
 */
public final class SecuredKafka implements AutoCloseable {

  /** The super user. */
  public static final String ADMIN = "admin";

  private final KafkaRaftServer server;
  private final DataFolder data;
  private final String bootstrapServers;
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
      KafkaRaftServer server, DataFolder data, String bootstrapServers, Admin admin) {
    this.server = server;
    this.data = data;
    this.bootstrapServers = bootstrapServers;
    this.admin = admin;
  }

  /** Starts a broker that knows these users besides the super user. */
  public static SecuredKafka start(List<String> users) {
    List<Integer> ports = Ports.free(2);
    DataFolder data = DataFolder.of(null, "secured-kafka");
    BrokerSettings settings =
        new BrokerSettings(1, List.of(ports.getFirst()), List.of(ports.getLast()), data.path());
    settings.format();
    Properties properties = settings.properties();
    properties.put(
        "listeners",
        "SASL_PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
            .formatted(ports.getFirst(), ports.getLast()));
    properties.put("advertised.listeners", "SASL_PLAINTEXT://127.0.0.1:" + ports.getFirst());
    properties.put(
        "listener.security.protocol.map", "SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT");
    properties.put("inter.broker.listener.name", "SASL_PLAINTEXT");
    properties.put("sasl.enabled.mechanisms", "PLAIN");
    properties.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
    properties.put(
        "listener.name.sasl_plaintext.plain.sasl.jaas.config",
        Stream.concat(Stream.of(ADMIN), users.stream())
            .map(user -> "user_%s=\"%s\"".formatted(user, password(user)))
            .collect(Collectors.joining(" ", jaas(ADMIN).replace(";", " "), ";")));
    properties.put("authorizer.class.name", RememberingAuthorizer.class.getName());
    properties.put("super.users", "User:admin;User:ANONYMOUS");
    KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
    server.startup();
    String bootstrap = "127.0.0.1:" + ports.getFirst();
    return new SecuredKafka(
        server, data, bootstrap, Admin.create(Map.copyOf(properties(bootstrap, ADMIN))));
  }

  private static String jaas(String user) {
    return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\";"
        .formatted(user, password(user));
  }

  private static String password(String user) {
    return "secret-of-" + user.hashCode();
  }

  private static Map<String, String> properties(String bootstrap, String user) {
    return Map.of(
        "bootstrap.servers",
        bootstrap,
        "security.protocol",
        "SASL_PLAINTEXT",
        "sasl.mechanism",
        "PLAIN",
        "sasl.jaas.config",
        jaas(user));
  }

  /** The client properties of a user. */
  public Map<String, String> properties(String user) {
    return properties(bootstrapServers, user);
  }

  /** An admin client of the super user. */
  public Admin admin() {
    return admin;
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

package dev.abacus.schemas.access;

import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadHealth;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * The ACLs that this process needs: checks them, and explains failures of authorization in terms of
 * resource, operations and principal. Thread-safe.
 */
public final class RoleAccess {

  private static final Pattern USER = Pattern.compile("username\\s*=\\s*\"?([^\"\\s;]+)");
  private static final Pattern TOPICS = Pattern.compile("access topics: \\[([^\\]]*)\\]");

  private final Role role;
  private final KafkaNames names;
  private final List<RequiredAcl> shared;
  private final String bootstrapServers;
  private final String principal;

  /** The programs that this process has to do with, by name. */
  private final Map<String, Program> programs = new ConcurrentHashMap<>();

  /** The programs whose access lacks something, with the failures of it. */
  private final Map<String, ThreadHealth> troubled = new ConcurrentHashMap<>();

  /** The ids that shared topics had when this process saw them first. */
  private final Map<String, Uuid> ids = new ConcurrentHashMap<>();

  private RoleAccess(Role role, KafkaNames names, String bootstrapServers, String principal) {
    this.role = role;
    this.names = names;
    this.shared = new CopyOnWriteArrayList<>(role.shared(names));
    this.bootstrapServers = bootstrapServers;
    this.principal = principal;
  }

  /**
   * The access of a role.
   *
   * @param clientProperties of Kafka's clients; the principal is the user name of SASL, if there is
   *     one
   */
  public static RoleAccess of(Role role, Map<String, ?> clientProperties) {
    return new RoleAccess(
        role,
        KafkaNames.of(clientProperties),
        text(clientProperties, CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG),
        principal(text(clientProperties, SaslConfigs.SASL_JAAS_CONFIG)));
  }

  /** Adds what another role needs regardless of programs. Call it before the first check. */
  public void add(Role other) {
    shared.addAll(other.shared(names));
  }

  private static String text(Map<String, ?> properties, String name) {
    Object value = properties.get(name);
    return switch (value) {
      case null -> "";
      case org.apache.kafka.common.config.types.Password password -> password.value();
      case Collection<?> several ->
          String.join(",", several.stream().map(String::valueOf).toList());
      default -> value.toString();
    };
  }

  /** The broker derives the principal of a TLS certificate by its own rules. */
  private static String principal(String jaas) {
    Matcher user = USER.matcher(jaas);
    return "User:" + (user.find() ? user.group(1) : "NAME");
  }

  /**
   * Checks what the role needs regardless of programs, and the topics that all programs share.
   *
   * @throws MissingAclException if something is missing
   * @throws KafkaException if a shared topic has several partitions, or the cluster does not answer
   */
  public void require(Admin admin) throws InterruptedException {
    require(admin, List.copyOf(shared));
    requireOnePartition(existingShared(admin));
  }

  /**
   * Checks what the role needs for a program, and remembers the program for {@link #describe}.
   *
   * @throws MissingAclException if something is missing
   * @throws KafkaException if the cluster does not answer
   */
  public void require(Admin admin, Program program) throws InterruptedException {
    programs.put(program.name(), program);
    require(admin, role.of(program, names));
  }

  /** Forgets a program that was removed. */
  public void forget(String program) {
    programs.remove(program);
  }

  /** Remembers programs for {@link #requireAll} and {@link #describe}. */
  public void remember(Collection<Program> all) {
    all.forEach(program -> programs.put(program.name(), program));
  }

  /**
   * Checks what the role needs for the shared topics and for the known programs, at once.
   *
   * @throws MissingAclException if something is missing
   * @throws KafkaException if the cluster does not answer
   */
  public void requireAll(Admin admin) throws InterruptedException {
    require(admin, required());
  }

  /**
   * Checks what may be taken away while this process runs: what the role needs, the topics that all
   * programs share, and that Kafka keeps what topics are for. A topic that was deleted and created
   * anew is not the one that this process reads: its consumers would go on at their positions in
   * the former one. What one program lacks is the failure of its own "access of PROGRAM".
   *
   * @throws MissingAclException if something shared is missing
   * @throws KafkaException if a shared topic was deleted, got partitions or has other settings, or
   *     the cluster does not answer
   */
  public void watch(Admin admin, Supervisor supervisor) throws InterruptedException {
    Set<String> lacking = new TreeSet<>();
    boolean allowed = false;
    try {
      requireAll(admin);
      requireSettings(admin, programs.values(), true);
      allowed = true;
    } catch (KafkaException e) {
      if (e instanceof RetriableException) {
        throw e;
      }
      for (Program program : programs.values()) {
        if (isLacking(admin, program, supervisor)) {
          lacking.add(program.name());
        }
      }
    }
    for (String program : Set.copyOf(troubled.keySet())) {
      if (!lacking.contains(program)) {
        troubled.remove(program);
        supervisor.forget(thread(program));
      }
    }
    if (!allowed) {
      require(admin, List.copyOf(shared));
    }
    Map<String, TopicDescription> existing = existingShared(admin);
    requireKnown(existing);
    requireOnePartition(existing);
    if (!allowed) {
      requireSettings(admin, List.of(), true);
    }
  }

  private boolean isLacking(Admin admin, Program program, Supervisor supervisor)
      throws InterruptedException {
    try {
      require(admin, role.of(program, names));
      requireSettings(admin, List.of(program), false);
      return false;
    } catch (KafkaException e) {
      if (e instanceof RetriableException) {
        throw e;
      }
      var _ =
          troubled
              .computeIfAbsent(program.name(), name -> supervisor.of(name).watch(thread(name)))
              .failed(e);
      return true;
    }
  }

  private static String thread(String program) {
    return "access of " + program;
  }

  private Map<String, TopicDescription> existingShared(Admin admin) throws InterruptedException {
    return TopicSetup.describe(
        admin, TopicSpec.shared(names).stream().map(TopicSpec::name).collect(Collectors.toSet()));
  }

  /** Records of several partitions have no order, and their readers know one partition. */
  private static void requireOnePartition(Map<String, TopicDescription> existing) {
    Map<String, Integer> several = new TreeMap<>();
    existing.forEach((topic, found) -> {
      if (found.partitions().size() > 1) {
        several.put(topic, found.partitions().size());
      }
    });
    if (!several.isEmpty()) {
      throw new KafkaException(
          "topics with several partitions instead of one, so that commands and limits do not arrive: %s; delete them, and create them with: abacus topics create"
              .formatted(several));
    }
  }

  private void requireKnown(Map<String, TopicDescription> existing) {
    existing.forEach((topic, now) -> ids.putIfAbsent(topic, now.topicId()));
    Set<String> deleted = new TreeSet<>();
    ids.forEach((topic, id) -> {
      TopicDescription now = existing.get(topic);
      if (now == null || !now.topicId().equals(id)) {
        deleted.add(topic);
      }
    });
    if (!deleted.isEmpty()) {
      throw new KafkaException(
          "deleted topics, so that commands and limits may not arrive: %s; restart all workers and optimizers, then apply the programs again"
              .formatted(String.join(", ", deleted)));
    }
  }

  /**
   * A broker or a tool may create topics that forget programs, spending or dead letters, or change
   * those with the documents that are in process.
   */
  private void requireSettings(Admin admin, Collection<Program> some, boolean withShared)
      throws InterruptedException {
    List<TopicSpec> topics = new ArrayList<>(withShared ? TopicSpec.shared(names) : List.of());
    for (Program program : some) {
      topics.addAll(TopicSpec.ofDocuments(names, program, 1, 1));
      program
          .references()
          .forEach(items -> topics.add(TopicSpec.ofReference(names, program, items, 1)));
    }
    for (String topic :
        TopicSetup.internalTopics(
            admin, names, some.stream().map(one -> names.application(one.name())).toList())) {
      topics.add(TopicSpec.ofInternal(topic));
    }
    List<String> deviations = TopicSetup.deviations(admin, topics);
    if (!deviations.isEmpty()) {
      throw new KafkaException(
          "topics have other settings than they need: %s; set them with kafka-configs.sh --alter --topic TOPIC --add-config 'SETTING=[VALUE]'"
              .formatted(String.join("; ", deviations)));
    }
  }

  private void require(Admin admin, List<RequiredAcl> required) throws InterruptedException {
    List<RequiredAcl> missing = AclCheck.missing(admin, required);
    if (!missing.isEmpty()) {
      throw denied(missing);
    }
  }

  private List<RequiredAcl> required() {
    List<RequiredAcl> all = new ArrayList<>(shared);
    programs.values().forEach(program -> all.addAll(role.of(program, names)));
    return RequiredAcl.merged(all);
  }

  private MissingAclException denied(List<RequiredAcl> missing) {
    StringBuilder text =
        new StringBuilder(
            "Kafka does not allow %s what `%s` needs; grant it:"
                .formatted(principal, role.commands()));
    missing.forEach(acl ->
        text.append(
            "\n  %s: %s".formatted(acl.describe(), acl.command(bootstrapServers, principal))));
    return new MissingAclException(text.toString(), missing);
  }

  /** The failure as text: of authorization with what is missing, another one with its cause. */
  public String describe(Throwable failure) {
    AuthorizationException denied = authorization(failure);
    if (denied == null) {
      return withCause(failure);
    }
    if (denied instanceof MissingAclException missing) {
      return String.valueOf(missing.getMessage());
    }
    List<RequiredAcl> needed = concerned(denied);
    return needed.isEmpty()
        ? "%s (principal %s)".formatted(denied, principal)
        : String.valueOf(denied(needed).getMessage());
  }

  /** What wraps a failure may not say what it is, such as a full disk. */
  private static String withCause(Throwable failure) {
    Throwable first = failure;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    String text = failure.toString();
    return text.contains(String.valueOf(first.getMessage())) ? text : text + "; cause: " + first;
  }

  /** The cause of a failure that is a failure of authorization; null if there is none. */
  public static @Nullable AuthorizationException authorization(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof AuthorizationException denied) {
        return denied;
      }
    }
    return null;
  }

  /** What the role needs on the resources that a failure names. */
  private List<RequiredAcl> concerned(AuthorizationException denied) {
    Predicate<RequiredAcl> named =
        switch (denied) {
          case TopicAuthorizationException topics ->
              acl -> names(topics).stream().anyMatch(one -> acl.covers(ResourceType.TOPIC, one));
          case GroupAuthorizationException group when group.groupId() != null ->
              acl -> acl.covers(ResourceType.GROUP, group.groupId());
          case TransactionalIdAuthorizationException _ ->
              acl -> acl.resource().resourceType() == ResourceType.TRANSACTIONAL_ID;
          default -> _ -> false;
        };
    return required().stream().filter(named).toList();
  }

  private static Set<String> names(TopicAuthorizationException denied) {
    Set<String> names = new TreeSet<>(denied.unauthorizedTopics());
    Matcher listed = TOPICS.matcher(String.valueOf(denied.getMessage()));
    if (names.isEmpty() && listed.find()) {
      names.addAll(List.of(listed.group(1).split(",\\s*")));
    }
    return names;
  }
}

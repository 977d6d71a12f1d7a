package dev.abacus.deploy.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.access.RequiredAcl;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;

/**
 * The topics of programs as {@code KafkaTopic}s, and the least rights of workers and optimizers as
 * {@code KafkaUser}s, of Strimzi.
 *
 * <p>Sources and references are left out, since they belong to whoever fills them. So are topics
 * that have as many partitions as a reference: workers create them.
 *
 * @param names of the installation
 * @param cluster the name of the {@code Kafka} resource
 * @param partitions of topics that carry documents
 * @param replication replication factor; 0 for the cluster's default
 */
public record StrimziManifests(KafkaNames names, String cluster, int partitions, int replication) {

  private static final String API_VERSION = "kafka.strimzi.io/v1";

  /** A name that Kubernetes accepts (RFC 1123, subdomain). */
  private static final Pattern RESOURCE_NAME =
      Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

  /** With what is before and behind them, they are shorter than the 253 characters of a name. */
  private static final int LONGEST_WORDS = 230;

  /** What workers need not do to a topic that somebody else creates, with limits and partitions. */
  private static final Set<AclOperation> FOR_CREATION =
      EnumSet.of(AclOperation.CREATE, AclOperation.ALTER, AclOperation.ALTER_CONFIGS);

  /** All resources: the topics, then the users. */
  public List<ObjectNode> of(Collection<Program> programs) {
    Map<String, TopicSpec> topics = new LinkedHashMap<>();
    TopicSpec.shared(names).forEach(topic -> topics.put(topic.name(), topic));
    programs.stream()
        .flatMap(program -> TopicSpec.of(names, program, partitions).stream())
        .forEach(topic -> topics.putIfAbsent(topic.name(), topic));
    List<ObjectNode> resources = new ArrayList<>();
    topics.values().forEach(topic -> resources.add(topic(topic)));
    for (Role role : List.of(Role.WORKER, Role.OPTIMIZER)) {
      resources.add(user(role, programs, topics.keySet()));
    }
    return resources;
  }

  private ObjectNode topic(TopicSpec topic) {
    ObjectNode resource = resource("KafkaTopic", "topicName", topic.name());
    ObjectNode spec = resource.withObjectProperty("spec");
    spec.put("partitions", topic.partitions());
    if (replication > 0) {
      spec.put("replicas", replication);
    }
    if (!topic.settings().isEmpty()) {
      ObjectNode config = spec.putObject("config");
      new TreeMap<>(topic.settings()).forEach(config::put);
    }
    return resource;
  }

  private ObjectNode user(Role role, Collection<Program> programs, Set<String> created) {
    ObjectNode resource = resource("KafkaUser", "userName", names.user(role.commands()));
    ArrayNode rules =
        resource
            .withObjectProperty("spec")
            .putObject("authorization")
            .put("type", "simple")
            .putArray("acls");
    Set<RequiredAcl> acls = new LinkedHashSet<>(role.shared(names));
    programs.forEach(program -> acls.addAll(role.of(program, names)));
    acls.forEach(acl -> addRule(rules, acl, created));
    return resource;
  }

  private static void addRule(ArrayNode rules, RequiredAcl acl, Set<String> created) {
    ResourceType type = acl.resource().resourceType();
    String name = acl.resource().name();
    Set<AclOperation> operations = EnumSet.noneOf(AclOperation.class);
    operations.addAll(acl.operations());
    operations.addAll(acl.occasional());
    if (type == ResourceType.TOPIC && created.contains(name)) {
      operations.removeAll(FOR_CREATION);
    }
    if (operations.isEmpty()) {
      return;
    }
    ObjectNode rule = rules.addObject();
    rule.putObject("resource")
        .put("type", label(type))
        .put("name", name)
        .put("patternType", acl.isPrefix() ? "prefix" : "literal");
    ArrayNode allowed = rule.putArray("operations");
    RequiredAcl.names(operations).forEach(allowed::add);
  }

  private static String label(ResourceType type) {
    return type == ResourceType.TRANSACTIONAL_ID
        ? "transactionalId"
        : type.name().toLowerCase(Locale.ROOT);
  }

  /** Kafka's name of the resource stands in its spec if Kubernetes does not accept it. */
  private ObjectNode resource(String kind, String nameKey, String name) {
    String accepted = resourceName(name);
    ObjectNode resource =
        JsonNodeFactory.instance.objectNode().put("apiVersion", API_VERSION).put("kind", kind);
    resource
        .putObject("metadata")
        .put("name", accepted)
        .putObject("labels")
        .put("strimzi.io/cluster", cluster);
    ObjectNode spec = resource.putObject("spec");
    if (!accepted.equals(name)) {
      spec.put(nameKey, name);
    }
    return resource;
  }

  /** The name itself, or what Kubernetes accepts of it with a hash that keeps names apart. */
  private static String resourceName(String name) {
    if (RESOURCE_NAME.matcher(name).matches()) {
      return name;
    }
    String words = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    return "kafka-%s-%08x"
        .formatted(words.substring(0, Math.min(LONGEST_WORDS, words.length())), name.hashCode())
        .replace("--", "-");
  }
}

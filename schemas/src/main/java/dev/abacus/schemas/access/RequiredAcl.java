package dev.abacus.schemas.access;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.SecurityUtils;

/**
 * The operations that a role needs on a resource. {@code Describe} is listed only if no other
 * operation implies it.
 *
 * @param resource a topic, group or transactional id, by name or by prefix
 * @param operations always needed; empty if a setting decides whether the resource is used
 * @param occasional needed only in a state of the cluster: {@code Create} if the topic does not
 *     exist, {@code AlterConfigs} if a limit of the topic must be raised, {@code Alter} if it needs
 *     more partitions; or only with a setting
 */
public record RequiredAcl(
    ResourcePattern resource, Set<AclOperation> operations, Set<AclOperation> occasional) {

  /** Operations that Kafka's authorizer allows to describe the resource too. */
  private static final Set<AclOperation> IMPLYING_DESCRIBE =
      EnumSet.of(AclOperation.READ, AclOperation.WRITE, AclOperation.DELETE, AclOperation.ALTER);

  public RequiredAcl {
    operations = Set.copyOf(operations);
    occasional = Set.copyOf(occasional);
  }

  /** The same resource with other operations. */
  public RequiredAcl withOperations(Set<AclOperation> others) {
    return new RequiredAcl(resource, others, Set.of());
  }

  /** Whether the resource is all whose names start with its name. */
  public boolean isPrefix() {
    return resource.patternType() == PatternType.PREFIXED;
  }

  /** Whether this is about a resource of that name. */
  boolean covers(ResourceType type, String name) {
    return resource.resourceType() == type
        && (isPrefix() ? name.startsWith(resource.name()) : name.equals(resource.name()));
  }

  /** Joins the operations on the same resource; keeps the order. */
  static List<RequiredAcl> merged(Collection<RequiredAcl> acls) {
    Map<ResourcePattern, RequiredAcl> merged = new LinkedHashMap<>();
    acls.forEach(acl -> merged.merge(acl.resource, acl, RequiredAcl::and));
    return new ArrayList<>(merged.values());
  }

  private RequiredAcl and(RequiredAcl other) {
    Set<AclOperation> always = EnumSet.noneOf(AclOperation.class);
    always.addAll(operations);
    always.addAll(other.operations);
    Set<AclOperation> more = EnumSet.noneOf(AclOperation.class);
    more.addAll(occasional);
    more.addAll(other.occasional);
    more.removeAll(always);
    if (always.stream().anyMatch(IMPLYING_DESCRIBE::contains)) {
      always.remove(AclOperation.DESCRIBE);
    }
    return new RequiredAcl(resource, always, more);
  }

  /** Such as {@code Read and Write on topic 'abacus.status'}. */
  public String describe() {
    return "%s on %s%s '%s'"
        .formatted(
            String.join(" and ", names(operations)),
            typeName(),
            isPrefix() ? " prefix" : "",
            resource.name());
  }

  /**
   * The command that grants the operations.
   *
   * @param principal such as {@code User:alice}
   */
  public String command(String bootstrapServers, String principal) {
    StringBuilder command =
        new StringBuilder("kafka-acls --bootstrap-server ")
            .append(bootstrapServers)
            .append(" --add --allow-principal ")
            .append(quoted(principal));
    names(operations).forEach(operation -> command.append(" --operation ").append(operation));
    command.append(" --").append(typeName().replace(' ', '-')).append(' ').append(resource.name());
    if (isPrefix()) {
      command.append(" --resource-pattern-type prefixed");
    }
    return command.toString();
  }

  private static String quoted(String principal) {
    return principal.matches("[A-Za-z0-9:._@-]+") ? principal : "'" + principal + "'";
  }

  /** {@code topic}, {@code group} or {@code transactional id}. */
  public String typeName() {
    return resource.resourceType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** The names of operations as Kafka's tools write them, such as {@code AlterConfigs}. */
  public static List<String> names(Set<AclOperation> operations) {
    return operations.stream().sorted().map(SecurityUtils::operationName).toList();
  }
}
